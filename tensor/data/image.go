package data

import (
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/inputfile"
	"github.com/go-acap/acap/tensor/dtype"
)

// maxPixels bounds the size of a picture, before memory for it is allocated.
const maxPixels = 1 << 26

// ReadGray reads a PNG file as grey values from 0 to 1: float32 in [1 1 H W].
func ReadGray(path string) (*buf.Buffer, error) {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c, err := png.DecodeConfig(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.Width*c.Height > maxPixels {
		return nil, fmt.Errorf("%s: %d x %d pixels are too many", path, c.Width, c.Height)
	}
	if err := buf.CheckTensor(dtype.F32, []int{c.Width, c.Height}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := file.Seek(0, 0); err != nil {
		return nil, err
	}
	img, err := png.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return Gray(img), nil
}

// Gray converts a picture to grey values from 0 to 1: float32 in [1 1 H W].
func Gray(img image.Image) *buf.Buffer {
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
