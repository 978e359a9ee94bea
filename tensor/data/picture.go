package data

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/picture"
	"github.com/go-acap/acap/trace"
)

// Picture says how a file becomes the input of a network that reads pictures, by the steps of torchvision's Resize,
// CenterCrop and Normalize. The zero value takes all pixels as they are.
type Picture struct {
	// Resize is the size to scale to: {H W}, or {S} for the shorter side, while the longer side keeps the proportion.
	// None scales nothing. The filter is linear. A picture that becomes smaller has a filter as wide as the part for
	// one pixel.
	Resize []int
	// Crop is the size of the part in the middle that is taken: {H W}, or {S} for a square. None takes all.
	Crop []int
	// Channels is 1 for grey values and 3 for red, green and blue; 0 for 1 if the file is grey, else 3.
	Channels int
	// Mean is subtracted from values from 0 to 1, which Std then divides: one number, or one for each channel. None of
	// them leaves the values.
	Mean, Std []float64
}

// extensions are the ends of names of files that pictures have.
var extensions = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pbm", ".pgm", ".ppm"}

// IsPicture reports whether a file has the name of a picture: PNG, JPEG, GIF, WebP, BMP, TIFF, PBM, PGM or PPM.
func IsPicture(name string) bool {
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
}

// Read reads a file as float32 in [1 1 H W] or [1 3 H W]. A file that cannot be read, or is of another kind, is an
// error, and so are the errors of [Picture.Convert].
func (p Picture) Read(path string) (*buf.Buffer, error) {
	img, err := readImage(path)
	if err != nil {
		return nil, err
	}
	b, err := p.Convert(img)
	if err != nil {
		return nil, inputfile.Named(path, err)
	}
	return b, nil
}

// Convert converts a picture to float32 in [1 1 H W] or [1 3 H W]. Sizes below 1 or of more than 2^26 pixels, a part
// that is larger than the picture, other channels than 0, 1 and 3, a mean or a deviation for another number of
// channels, and a deviation that is 0 or no number are errors.
func (p Picture) Convert(img image.Image) (*buf.Buffer, error) {
	trace.Need("convert", "the picture", img)
	channels := p.Channels
	if channels == 0 {
		channels = 3
		if m := img.ColorModel(); m == color.GrayModel || m == color.Gray16Model {
			channels = 1
		}
	}
	if err := p.check(channels); err != nil {
		return nil, err
	}
	if len(p.Resize) > 0 {
		height, width := p.resized(img.Bounds())
		if height < 1 || width < 1 || height > picture.MaxPixels/width {
			return nil, fmt.Errorf("a picture of %d x %d pixels is not scaled to %d x %d", img.Bounds().Dy(), img.Bounds().Dx(), height, width)
		}
		img = scale(img, height, width)
	}
	if len(p.Crop) > 0 {
		height, width, r := p.Crop[0], p.Crop[len(p.Crop)-1], img.Bounds()
		if height > r.Dy() || width > r.Dx() {
			return nil, fmt.Errorf("a part of %d x %d pixels is larger than the picture, which has %d x %d", height, width, r.Dy(), r.Dx())
		}
		at := r.Min.Add(image.Pt(middle(r.Dx(), width), middle(r.Dy(), height)))
		img = part{img, image.Rectangle{at, at.Add(image.Pt(width, height))}}
	}
	var b *buf.Buffer
	if channels == 1 {
		b = Gray(img)
	} else {
		b = Color(img)
		b.Shape = append([]int{1}, b.Shape...)
	}
	normalize(buf.Slice[float32](b), each(p.Mean, channels, 0), each(p.Std, channels, 1))
	return b, nil
}

// check returns an error for settings that fit no picture of so many channels.
func (p Picture) check(channels int) error {
	for _, size := range [][]int{p.Resize, p.Crop} {
		if len(size) > 2 || slices.ContainsFunc(size, func(n int) bool { return n < 1 || n > picture.MaxPixels }) {
			return fmt.Errorf("a size is %v: want one or two numbers of pixels", size)
		}
	}
	if channels != 1 && channels != 3 {
		return fmt.Errorf("%d channels: want 1 or 3", channels)
	}
	for _, list := range [][]float64{p.Mean, p.Std} {
		if n := len(list); n > 1 && n != channels {
			return fmt.Errorf("a mean or deviation has %d numbers, and the picture %d channels", n, channels)
		}
		if slices.ContainsFunc(list, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			return fmt.Errorf("a mean or deviation is %v", list)
		}
	}
	if slices.Contains(p.Std, 0) {
		return fmt.Errorf("a deviation is 0")
	}
	return nil
}

// resized is the size to scale to.
func (p Picture) resized(r image.Rectangle) (height, width int) {
	if len(p.Resize) == 2 {
		return p.Resize[0], p.Resize[1]
	}
	shorter := p.Resize[0]
	if r.Dx() <= r.Dy() {
		return int(int64(shorter) * int64(r.Dy()) / int64(r.Dx())), shorter
	}
	return shorter, int(int64(shorter) * int64(r.Dx()) / int64(r.Dy()))
}

// middle is where a part in the middle begins, rounded to even as in torchvision.
func middle(all, part int) int { return int(math.RoundToEven(float64(all-part) / 2)) }

// part is a part of a picture.
type part struct {
	image.Image
	bounds image.Rectangle
}

func (p part) Bounds() image.Rectangle { return p.bounds }

// opaque is a picture without its transparency.
type opaque struct{ image.Image }

func (o opaque) ColorModel() color.Model { return color.RGBA64Model }

func (o opaque) At(x, y int) color.Color { return o.RGBA64At(x, y) }

func (o opaque) RGBA64At(x, y int) color.RGBA64 {
	return solid(o.Image.At(x, y))
}

// solid returns the red, green and blue of a colour without its transparency.
func solid(c color.Color) color.RGBA64 {
	switch c := c.(type) {
	case color.NRGBA: // package color multiplies by the opacity, so that colours with the opacity 0 are lost
		return color.RGBA64{uint16(c.R) * 0x101, uint16(c.G) * 0x101, uint16(c.B) * 0x101, 0xffff}
	case color.NRGBA64:
		return color.RGBA64{c.R, c.G, c.B, 0xffff}
	}
	n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
	return color.RGBA64{n.R, n.G, n.B, 0xffff}
}

// scale scales a picture by a linear filter. How transparent a pixel is does not matter.
func scale(img image.Image, height, width int) image.Image {
	if img.Bounds().Size() == image.Pt(width, height) {
		return img
	}
	scaled := image.NewRGBA64(image.Rect(0, 0, width, height))
	draw.BiLinear.Scale(scaled, scaled.Bounds(), opaque{img}, img.Bounds(), draw.Src, nil)
	return scaled
}

// each returns a number for each channel: the list, its only number repeated, or none repeated if the list is empty.
func each(list []float64, channels int, none float64) []float64 {
	switch len(list) {
	case 0:
		return slices.Repeat([]float64{none}, channels)
	case 1:
		return slices.Repeat(list, channels)
	}
	return list
}

// readImage reads a picture. One with too many pixels is refused before they are read.
func readImage(path string) (image.Image, error) {
	file, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	img, err := picture.Image(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := buf.CheckTensor(dtype.F32, []int{3, img.Bounds().Dy(), img.Bounds().Dx()}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}
