package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	_ "image/gif"  // a format
	_ "image/jpeg" // a format
	_ "image/png"  // a format

	_ "golang.org/x/image/bmp"  // a format
	_ "golang.org/x/image/tiff" // a format
	_ "golang.org/x/image/webp" // a format
)

// ErrJPEG2000 is the error of [Decode] for JPEG 2000, which the operator knows and this package does not.
var ErrJPEG2000 = errors.New("JPEG 2000 is not decoded: convert the picture to PNG, which loses nothing")

// MaxPixels bounds the pixels of a picture.
const MaxPixels = 1 << 26

// Picture is a decoded picture: red, green and blue for each pixel, row by row.
type Picture struct {
	Height, Width int
	RGB           []byte
}

// Decode decodes a file to bytes. Transparency is left out. Errors are those of [Image].
func Decode(file []byte) (*Picture, error) {
	img, err := Image(file)
	if err != nil {
		return nil, err
	}
	r := img.Bounds()
	p, err := newPicture(r.Dy(), r.Dx())
	if err != nil {
		return nil, err
	}
	for i := range p.Height * p.Width {
		c := color.NRGBAModel.Convert(img.At(r.Min.X+i%p.Width, r.Min.Y+i/p.Width)).(color.NRGBA)
		copy(p.RGB[3*i:], []byte{c.R, c.G, c.B})
	}
	return p, nil
}

// Image decodes a file, with the colours that libjpeg and libwebp give. JPEG 2000 is [ErrJPEG2000]; other formats,
// damaged files and pictures of more than 2^26 pixels are errors.
func Image(file []byte) (image.Image, error) {
	if len(file) > 1 && file[0] == 'P' && file[1] >= '1' && file[1] <= '6' {
		p, err := decodePortable(file)
		if err != nil {
			return nil, err
		}
		if file[1]%3 != 0 { // '3' and '6' have colours
			return &image.Gray{Pix: p.Gray(), Stride: p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}, nil
		}
		return p.image(), nil
	}
	if bytes.HasPrefix(file, []byte("\x00\x00\x00\x0cjP  \r\n\x87\n")) || bytes.HasPrefix(file, []byte("\xff\x4f\xff\x51")) {
		return nil, ErrJPEG2000
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if err := checkSize(config.Height, config.Width); err != nil {
		return nil, err
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	planes, ok := decoded.(*image.YCbCr)
	if !ok || format != "jpeg" && format != "webp" {
		return decoded, nil
	}
	p, err := newPicture(config.Height, config.Width)
	if err != nil {
		return nil, err
	}
	if format == "jpeg" {
		p.convertJPEG(planes)
	} else {
		p.convertWebP(planes)
	}
	return p.image(), nil
}

// image is the picture for package image.
func (p *Picture) image() image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	for i := range p.Height * p.Width {
		copy(m.Pix[4*i:], []byte{p.RGB[3*i], p.RGB[3*i+1], p.RGB[3*i+2], 0xff})
	}
	return m
}

func newPicture(height, width int) (*Picture, error) {
	if err := checkSize(height, width); err != nil {
		return nil, err
	}
	return &Picture{Height: height, Width: width, RGB: make([]byte, 3*height*width)}, nil
}

func checkSize(height, width int) error {
	if height < 1 || width < 1 || height > MaxPixels/width {
		return fmt.Errorf("a picture of %d × %d pixels", height, width)
	}
	return nil
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
