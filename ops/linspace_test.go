package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestLinspaceOfTensors: ends of integer results are cut first, as PyTorch 2.14 does.
func TestLinspaceOfTensors(t *testing.T) {
	end := func(v float32) *tensor.Tensor { return tensor.FromSlice([]float32{v}, 1).View([]int{}) }
	y := tensor.Call("linspace.Tensor_Tensor", end(4.9), end(0.9), 4, tensor.With("dtype", dtype.I32))[0]
	require.Equal(t, []int64{4, 2, 1, 0}, y.Int64s())
	y = tensor.Call("linspace.Tensor_Tensor", end(0.5), end(2), 4, tensor.With("dtype", dtype.C64))[0]
	require.Equal(t, []float64{0.5, 0, 1, 0, 1.5, 0, 2, 0}, tensor.Call("view_as_real", y)[0].Reshape([]int{8}).Float64s())
}

// TestLogspaceOfTensors: the exponents of integer results are cut first, as PyTorch 2.14 does.
func TestLogspaceOfTensors(t *testing.T) {
	end := func(v float32) *tensor.Tensor { return tensor.FromSlice([]float32{v}, 1).View([]int{}) }
	integers := tensor.With("dtype", dtype.I64)
	require.Equal(t, []int64{10000, 100000}, tensor.Call("logspace.Scalar_Tensor", 4.3, end(5), 2, integers)[0].Int64s())
	require.Equal(t, []int64{1, 1, 2, 5}, tensor.Call("logspace.Tensor_Scalar", end(0), 1.2, 4, 5.0, integers)[0].Int64s())
}
