package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestCircularPadding: what negative padding cuts off is no part of the circle; values are PyTorch 2.14's.
func TestCircularPadding(t *testing.T) {
	x := tensor.FromSlice([]float64{0, 1, 2, 3, 4, 5}, 1, 1, 6).RequiresGrad()
	for _, c := range []struct {
		pad  []int
		want []float64
	}{
		{[]int{2, -1}, []float64{3, 4, 0, 1, 2, 3, 4}},
		{[]int{-2, 1}, []float64{2, 3, 4, 5, 2}},
		{[]int{-1, 2}, []float64{1, 2, 3, 4, 5, 1, 2}},
		{[]int{3, -2}, []float64{1, 2, 3, 0, 1, 2, 3}},
		{[]int{-1, -1}, []float64{1, 2, 3, 4}},
		{[]int{2, 0}, []float64{4, 5, 0, 1, 2, 3, 4, 5}},
		{[]int{-3, 3}, []float64{3, 4, 5, 3, 4, 5}},
	} {
		y := tensor.Call("_pad_circular", x, c.pad)[0]
		require.Equal(t, c.want, y.Float64s(), c.pad)
		counts := make([]float64, 6) // how often an element is in the result is its gradient
		for _, v := range c.want {
			counts[int(v)]++
		}
		require.Equal(t, counts, tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s(), c.pad)
	}
}
