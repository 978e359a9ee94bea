package onnx

import (
	"testing"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestDeformConv: with offsets of whole numbers it is a convolution of what they name; without any and
// a mask of ones it is a convolution.
func TestDeformConv(t *testing.T) {
	x, w, bias := random(1, 2, 4, 6, 5), random(2, 6, 2, 3, 2), random(3, 6)
	pads := intsAttribute("pads", 1, 0, 1, 1)
	group := intAttribute("group", 2)
	want := operate(t, "Conv", 1, []*buf.Buffer{x, w, bias}, pads, group)[0]
	rows, columns := want.Shape[2], want.Shape[3]
	offset, mask := buf.New(dtype.F32, []int{2, 2 * 6 * 2, rows, columns}), buf.New(dtype.F32, []int{2, 2 * 6, rows, columns})
	for i := range mask.Len() {
		mask.SetFloat64(i, 1)
	}
	have := operate(t, "DeformConv", 1, []*buf.Buffer{x, w, offset, bias, mask}, pads, group,
		intAttribute("offset_group", 2))[0]
	same(t, have, want.Shape, want.Float64)

	one, place := random(4, 1, 1, 4, 4), buf.New(dtype.F32, []int{1, 2, 4, 4})
	for i := range 16 {
		place.SetFloat64(i, 0.5)     // half a row down
		place.SetFloat64(16+i, -1.0) // one column to the left
	}
	have = operate(t, "DeformConv", 1, []*buf.Buffer{one, buf.From([]float32{1}, 1, 1, 1, 1), place})[0]
	same(t, have, []int{1, 1, 4, 4}, func(i int) float64 {
		at := func(row, column int) float64 {
			if row > 3 || column < 0 {
				return 0
			}
			return one.Float64(row*4 + column)
		}
		return (at(i/4, i%4-1) + at(i/4+1, i%4-1)) / 2
	})
}
