package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestCovariance has values of PyTorch 2.14: of complex rows, of one row, and of weights that are wider than the rows.
func TestCovariance(t *testing.T) {
	x := tensor.FromSlice([]complex64{1 + 2i, 3 - 1i, 0.5i, 2, -1i, 1 + 1i}, 2, 3)
	count := tensor.FromSlice([]int64{1, 2, 1}, 3)
	weight := tensor.FromSlice([]float32{0.5, 1, 2}, 3)
	first := tensor.Call("slice.Tensor", x, 0, 0, 1)[0]
	re := tensor.Call("real", x)[0]
	for _, c := range []struct {
		name string
		args []any
		d    dtype.DType
		dims []int
		want []complex128
	}{
		{"cov", []any{x}, dtype.C64, []int{2, 2}, []complex128{4.5833, -0.25 + 3i, -0.25 - 3i, 2}},
		{"cov", []any{x, tensor.With("fweights", count), tensor.With("aweights", weight)}, dtype.C64, []int{2, 2},
			[]complex128{4.375, -0.1071 + 2.8929i, -0.1071 - 2.8929i, 1.9286}},
		{"corrcoef", []any{x}, dtype.C64, []int{2, 2}, []complex128{1, -0.0826 + 0.9909i, -0.0826 - 0.9909i, 1}},
		{"cov", []any{first}, dtype.C64, []int{}, []complex128{4.5833}},
		{"corrcoef", []any{first}, dtype.C64, []int{}, []complex128{1}},
		{"cov", []any{tensor.Call("real", first)[0]}, dtype.F32, []int{}, []complex128{2.3333}},
		{"corrcoef", []any{tensor.Call("real", first)[0]}, dtype.F32, []int{}, []complex128{1}},
		{"cov", []any{tensor.Call("to.dtype", re, dtype.BF16)[0], tensor.With("aweights", weight)}, dtype.F32, []int{2, 2},
			[]complex128{3, -1, -1, 0.7143}},
	} {
		y := tensor.Call(c.name, c.args...)[0]
		require.Equal(t, c.d, y.DType(), c.name)
		require.Equal(t, c.dims, append([]int{}, y.Shape()...), c.name)
		z := tensor.Call("view_as_real", tensor.Call("to.dtype", y, dtype.C128)[0])[0].Float64s()
		for i, want := range c.want {
			require.InDelta(t, real(want), z[2*i], 1e-4, c.name)
			require.InDelta(t, imag(want), z[2*i+1], 1e-4, c.name)
		}
	}
}
