package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestComplexCasts: conversions from, to and between complex types by the overloads of traces and scripts agree with
// to.dtype: the parts are rounded, a real type takes the real part, and a bool is true if one of the parts is not 0. 9
// and 10 are PyTorch's numbers of complex64 and complex128.
func TestComplexCasts(t *testing.T) {
	z := tensor.FromSlice([]complex64{1 + 2i, -3 - 4i}, 2)
	real, double := tensor.FromSlice([]float32{1, -3}, 2), tensor.Zeros(1).ToDtype(dtype.F64)
	require.Equal(t, []float64{1, 2, -3, -4}, parts(tensor.Call("to.prim_dtype", z, 10)[0]))
	require.Equal(t, []float64{1, 2, -3, -4}, parts(tensor.Call("to.prim_device", z, nil, 9)[0]))
	require.Equal(t, []float64{1, 0, -3, 0}, parts(tensor.Call("to.prim_dtype", real, 9)[0]))
	require.Equal(t, []float64{1, 0, -3, 0}, parts(tensor.Call("type_as", real, z)[0]))
	for _, y := range []*tensor.Tensor{tensor.Call("type_as", z, double)[0], tensor.Call("to.other", z, double)[0], tensor.Call("to.prim_dtype", z, 7)[0]} {
		require.Equal(t, dtype.F64, y.DType())
		require.Equal(t, []float64{1, -3}, tensor.Data[float64](y))
	}
	some := tensor.FromSlice([]complex128{0, 2i, complex(0, math.NaN()), complex(math.Copysign(0, -1), 0), -1}, 5)
	flags := tensor.Zeros(5).ToDtype(dtype.Bool)
	for _, y := range []*tensor.Tensor{some.ToDtype(dtype.Bool), tensor.Call("copy", flags, some)[0], tensor.Call("logical_not", tensor.Call("eq.Scalar", some, 0)[0])[0]} {
		require.Equal(t, []bool{false, true, true, false, true}, tensor.Data[bool](y))
	}
	for _, name := range []string{"prod.dim_int", "cumprod"} { // 2·3·4 of the real parts
		args := []any{tensor.FromSlice([]complex64{2 + 1i, 3, 4 + 2i}, 3), 0}
		if name == "prod.dim_int" {
			args = append(args, false)
		}
		y := tensor.Call(name, append(args, dtype.I16)...)[0]
		require.Equal(t, dtype.I16, y.DType(), name)
		require.Equal(t, 24., y.Float64s()[y.NumElements()-1], name)
	}
	require.Equal(t, dtype.I16, tensor.Call("prod", z, dtype.I16)[0].DType())
}

// TestTransposedNumbers: tensors without dimensions have transposes, as in PyTorch 2.14.
func TestTransposedNumbers(t *testing.T) {
	z := tensor.FromSlice([]complex64{1 + 2i}, 1).View([]int{})
	require.Equal(t, []float64{1, 2}, parts(tensor.Call("mT", z)[0]))
	require.Equal(t, []float64{1, -2}, parts(tensor.Call("mH", z)[0]))
	require.Equal(t, []float64{1, -2}, parts(tensor.Call("adjoint", z)[0]))
	require.Equal(t, 5., tensor.Call("mT", tensor.FromSlice([]float32{5}, 1).View([]int{}))[0].Float64s()[0])
}
