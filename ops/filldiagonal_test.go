package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestFillDiagonal: what PyTorch 2.14 writes into 1, 2, … with fill_diagonal_, also through a transposed view.
func TestFillDiagonal(t *testing.T) {
	count := func(dims ...int) *tensor.Tensor {
		b := buf.New(dtype.F32, dims)
		for i := range b.Len() {
			b.SetFloat64(i, float64(i+1))
		}
		return tensor.FromBuffer(b)
	}
	for _, c := range []struct {
		dims []int
		wrap bool
		want []float32
	}{
		{[]int{2, 3}, false, []float32{0, 2, 3, 4, 0, 6}},
		{[]int{2, 3}, true, []float32{0, 2, 3, 4, 0, 6}},
		{[]int{5, 2}, false, []float32{0, 2, 3, 0, 5, 6, 7, 8, 9, 10}},
		{[]int{5, 2}, true, []float32{0, 2, 3, 0, 5, 6, 0, 8, 9, 0}},
		{[]int{3, 1}, true, []float32{0, 2, 0}},
		{[]int{2, 2, 2}, false, []float32{0, 2, 3, 4, 5, 6, 7, 0}},
		{[]int{0, 3}, true, nil},
	} {
		x := count(c.dims...)
		tensor.Call("fill_diagonal_", x, 0, c.wrap)
		require.Equal(t, c.want, append([]float32(nil), x.Float32s()...), "%v %v", c.dims, c.wrap)
	}
	x := count(2, 3)
	tensor.Call("fill_diagonal_", tensor.Call("t", x)[0], -1)
	require.Equal(t, []float32{-1, 2, 3, 4, -1, 6}, x.Float32s())
	require.ErrorContains(t, tensor.Try(func() { tensor.Call("fill_diagonal_", count(3), 0) }), "at least 2 dimensions")
	require.ErrorContains(t, tensor.Try(func() { tensor.Call("fill_diagonal_", count(2, 2, 3), 0) }), "equal sizes, got [2 2 3]")
}
