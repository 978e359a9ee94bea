package data

import (
	"image"
	"image/color"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/trace"
)

// ReadGray reads a picture as grey values from 0 to 1: float32 in [1 1 H W]. Errors are those of [Picture.Read].
func ReadGray(path string) (*buf.Buffer, error) { return Picture{Channels: 1}.Read(path) }

// Gray converts a picture to grey values from 0 to 1: float32 in [1 1 H W]. How transparent a pixel is does not matter.
func Gray(img image.Image) *buf.Buffer {
	trace.Need("gray", "the picture", img)
	r := img.Bounds()
	b := buf.New(dtype.F32, []int{1, 1, r.Dy(), r.Dx()})
	s := buf.Slice[float32](b)
	for y := range r.Dy() {
		for x := range r.Dx() {
			g := color.Gray16Model.Convert(solid(img.At(r.Min.X+x, r.Min.Y+y))).(color.Gray16)
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
			c := solid(img.At(r.Min.X+x, r.Min.Y+y))
			i := y*r.Dx() + x
			s[i], s[plane+i], s[2*plane+i] = float32(c.R)/0xffff, float32(c.G)/0xffff, float32(c.B)/0xffff
		}
	}
	return b
}
