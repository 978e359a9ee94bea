package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	_ "image/jpeg" // a format
	_ "image/png"  // a format

	_ "golang.org/x/image/bmp"  // a format
	_ "golang.org/x/image/tiff" // a format
	_ "golang.org/x/image/webp" // a format
)

// ErrJPEG2000 is the error of [Decode] for JPEG 2000, which the operator knows and this package does not.
var ErrJPEG2000 = errors.New("JPEG 2000 is not decoded: convert the picture to PNG, which loses nothing")

// maxPixels bounds a picture.
const maxPixels = 1 << 26

// Picture is a decoded picture: red, green and blue for each pixel, row by row.
type Picture struct {
	Height, Width int
	RGB           []byte
}

// Decode decodes a file. Transparency is left out. JPEG 2000 is [ErrJPEG2000]; other formats, damaged files and
// pictures that are too large are errors.
func Decode(file []byte) (*Picture, error) {
	if len(file) > 1 && file[0] == 'P' && file[1] >= '1' && file[1] <= '6' {
		return decodePortable(file)
	}
	if bytes.HasPrefix(file, []byte("\x00\x00\x00\x0cjP  \r\n\x87\n")) || bytes.HasPrefix(file, []byte("\xff\x4f\xff\x51")) {
		return nil, ErrJPEG2000
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	p, err := newPicture(config.Height, config.Width)
	if err != nil {
		return nil, err
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if planes, ok := decoded.(*image.YCbCr); ok && format == "jpeg" {
		p.convertJPEG(planes)
		return p, nil
	} else if ok && format == "webp" {
		p.convertWebP(planes)
		return p, nil
	}
	corner := decoded.Bounds().Min
	for i := range p.Height * p.Width {
		c := color.NRGBAModel.Convert(decoded.At(corner.X+i%p.Width, corner.Y+i/p.Width)).(color.NRGBA)
		copy(p.RGB[3*i:], []byte{c.R, c.G, c.B})
	}
	return p, nil
}

func newPicture(height, width int) (*Picture, error) {
	if height < 1 || width < 1 || height > maxPixels/width {
		return nil, fmt.Errorf("a picture of %d × %d pixels", height, width)
	}
	return &Picture{Height: height, Width: width, RGB: make([]byte, 3*height*width)}, nil
}

// Gray is the brightness of each pixel by ITU-R BT.601: 0.299 red, 0.587 green and 0.114 blue.
func (p *Picture) Gray() []byte {
	gray := make([]byte, p.Height*p.Width)
	for i := range gray {
		r, g, b := int(p.RGB[3*i]), int(p.RGB[3*i+1]), int(p.RGB[3*i+2])
		gray[i] = byte((19595*r + 38470*g + 7471*b + 1<<15) >> 16)
	}
	return gray
}

func clamp(v int) byte { return byte(min(max(v, 0), 255)) }
