package tensor

import (
	"fmt"
	"image"
	"image/color"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Image makes a picture of a tensor [H W], [1 H W] (grey) or [3 H W] (red, green, blue),
// with any leading dimensions of extent 1: of bytes from 0 to 255, and of other numbers from 0 to 1. Numbers outside
// these ranges are clamped. Notebooks show pictures. It is a barrier, and panics with a [*ShapeError] if the shape is
// another.
func Image(t *Tensor) image.Image {
	dims := t.Shape()
	for len(dims) > 2 && dims[0] == 1 {
		dims = dims[1:]
	}
	channels := 1
	if len(dims) == 3 {
		channels, dims = dims[0], dims[1:]
	}
	if len(dims) != 2 || channels != 1 && channels != 3 {
		raise(&ShapeError{Op: "image", Detail: shape.String(t.dims()) + " is no picture: it is [H W], [1 H W] or [3 H W]"})
	}
	if t.DType().IsComplex() {
		raise(&DTypeError{Op: "image", Detail: fmt.Sprintf("%v numbers are no brightness", t.DType())})
	}
	b := t.mustBuffer()
	scale := 255.0
	if t.DType() == dtype.U8 {
		scale = 1
	}
	height, width := dims[0], dims[1]
	at := func(c, i int) uint8 {
		v := b.Float64(c*height*width+i) * scale
		if !(v > 0) { // NaN is black
			return 0
		}
		return uint8(min(v, 255) + 0.5)
	}
	area := image.Rect(0, 0, width, height)
	if channels == 1 {
		img := image.NewGray(area)
		for i := range img.Pix {
			img.Pix[i] = at(0, i)
		}
		return img
	}
	img := image.NewNRGBA(area)
	for i := range height * width {
		img.SetNRGBA(i%width, i/width, color.NRGBA{at(0, i), at(1, i), at(2, i), 255})
	}
	return img
}
