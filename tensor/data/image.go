package data

import (
	"image"
	"image/color"
	_ "image/png" // pictures in files

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/trace"
)

// maxPixels bounds the size of a picture, before memory for it is allocated.
const maxPixels = 1 << 26

// ReadGray reads a PNG, JPEG or GIF file as grey values from 0 to 1: float32 in [1 1 H W]. A file that cannot be read,
// or is of another kind, is an error.
func ReadGray(path string) (*buf.Buffer, error) {
	img, err := readImage(path)
	if err != nil {
		return nil, err
	}
	return Gray(img), nil
}

// ReadPicture reads a PNG, JPEG or GIF file as values from 0 to 1 in float32: [1 1 H W] of a picture in grey, and red,
// green and blue in [1 3 H W] of others. Errors are those of [ReadGray].
func ReadPicture(path string) (*buf.Buffer, error) {
	img, err := readImage(path)
	if err != nil {
		return nil, err
	}
	if m := img.ColorModel(); m == color.GrayModel || m == color.Gray16Model {
		return Gray(img), nil
	}
	b := Color(img)
	b.Shape = append([]int{1}, b.Shape...)
	return b, nil
}

// Gray converts a picture to grey values from 0 to 1: float32 in [1 1 H W].
func Gray(img image.Image) *buf.Buffer {
	trace.Need("gray", "the picture", img)
	r := img.Bounds()
	b := buf.New(dtype.F32, []int{1, 1, r.Dy(), r.Dx()})
	s := buf.Slice[float32](b)
	for y := range r.Dy() {
		for x := range r.Dx() {
			g := color.Gray16Model.Convert(img.At(r.Min.X+x, r.Min.Y+y)).(color.Gray16)
			s[y*r.Dx()+x] = float32(g.Y) / 0xffff
		}
	}
	return b
}

// Color converts a picture to red, green and blue values from 0 to 1: float32 in [3 H W].
// How transparent a pixel is does not matter.
func Color(img image.Image) *buf.Buffer {
	trace.Need("color", "the picture", img)
	r := img.Bounds()
	b := buf.New(dtype.F32, []int{3, r.Dy(), r.Dx()})
	s := buf.Slice[float32](b)
	plane := r.Dx() * r.Dy()
	for y := range r.Dy() {
		for x := range r.Dx() {
			c := color.NRGBA64Model.Convert(img.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA64)
			i := y*r.Dx() + x
			s[i], s[plane+i], s[2*plane+i] = float32(c.R)/0xffff, float32(c.G)/0xffff, float32(c.B)/0xffff
		}
	}
	return b
}
