package ops_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
)

func complexes(t *testing.T, x *tensor.Tensor) []complex128 {
	b, err := x.Buffer(t.Context())
	require.NoError(t, err)
	out := make([]complex128, b.Len())
	for i := range out {
		out[i] = b.Complex(i)
	}
	return out
}

func ofComplex(v ...complex128) *tensor.Tensor { return tensor.FromBuffer(buf.From(v, len(v))) }

func TestComplexArithmetic(t *testing.T) {
	x, y := ofComplex(1+2i, -3i, 2), ofComplex(3-1i, 1+1i, 4i)
	call := func(name string, args ...any) []complex128 {
		return complexes(t, tensor.Call(name, args...)[0])
	}
	require.Equal(t, []complex128{5 + 5i, 3 - 3i, 8i}, call("mul.Tensor", x, y))
	require.Equal(t, []complex128{4 + 1i, 1 - 2i, 2 + 4i}, call("add.Tensor", x, y))
	require.Equal(t, []complex128{-2 + 3i, -1 - 4i, 2 - 4i}, call("sub.Tensor", x, y))
	require.InDeltaSlice(t, []float64{.1, -1.5, 0}, reals(call("div.Tensor", x, y)), 1e-15)
	require.Equal(t, []complex128{1 - 2i, 3i, 2}, call("conj", x))
	require.Equal(t, []complex128{3 - 1i}, call("sum", x))
	require.Equal(t, []complex128{2 + 4i, -6i, 4}, call("mul.Scalar", x, 2))
	n := tensor.FromSlice([]int64{1, -2, 3})
	require.Equal(t, []complex128{.25 - .5i, -.5 + 1i, .75 - 1.5i}, call("mul.Scalar", n, .25-.5i))
	require.Equal(t, []complex128{-.5i, 1i, -1.5i}, call("div.Scalar", n, 2i))
	require.Equal(t, []complex128{1 + .5i, -2 + .5i, 3 + .5i}, call("add.Scalar", n, .5i))
	require.Equal(t, []complex128{2, -3i, 1 + 2i}, call("flip", x, []int{0}))
	require.Equal(t, []complex128{-3i, 2}, call("slice.Tensor", x, 0, 1))
}

func reals(x []complex128) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = real(v)
	}
	return out
}

// A write to a part or to the real view of a complex tensor changes the tensor.
func TestComplexViews(t *testing.T) {
	x := ofComplex(1+2i, 3+4i).Clone()
	parts := tensor.Call("view_as_real", x)[0]
	require.Equal(t, []int{2, 2}, parts.Shape())
	tensor.Call("mul_.Scalar", tensor.Call("imag", x)[0], 10)
	require.Equal(t, []complex128{1 + 20i, 3 + 40i}, complexes(t, x))
	require.Equal(t, []float64{1, 20, 3, 40}, parts.Float64s())
	tensor.Call("fill_.Scalar", tensor.Call("select.int", parts, 0, 1)[0], 7.0)
	require.Equal(t, []complex128{1 + 20i, 7 + 7i}, complexes(t, x))
	require.Equal(t, []float64{1, 7}, tensor.Call("real", x)[0].Float64s())
	conjugate := tensor.Call("conj", x)[0]
	tensor.Call("fill_.Scalar", tensor.Call("imag", conjugate)[0], 5.0)
	require.Equal(t, []complex128{1 - 5i, 7 - 5i}, complexes(t, x))
	tensor.Call("mul_.Scalar", x, 2)
	require.Equal(t, []complex128{2 + 10i, 14 + 10i}, complexes(t, conjugate))
	require.ErrorContains(t, tensor.Try(func() { tensor.Call("as_strided", conjugate, []int{1}, []int{1}) }), "conjugated")
}

// The transforms agree with their defining sum.
func TestFourier(t *testing.T) {
	for n := 1; n <= 6; n++ {
		signal := make([]float64, n)
		for i := range signal {
			signal[i] = math.Sin(float64(i*i)) + 0.25
		}
		x := tensor.FromBuffer(buf.From(signal, n))
		want := make([]complex128, n)
		for k := range want {
			for i, v := range signal {
				angle := -2 * math.Pi * float64(i*k) / float64(n)
				want[k] += complex(v, 0) * cmplx.Exp(complex(0, angle))
			}
		}
		half := tensor.Call("_fft_r2c", x, []int{0}, 0, true)[0]
		got := complexes(t, half)
		require.Len(t, got, n/2+1)
		for k, v := range got {
			require.InDelta(t, 0, cmplx.Abs(v-want[k]), 1e-12)
		}
		for k, v := range complexes(t, tensor.Call("_fft_r2c", x, []int{0}, 0, false)[0]) {
			require.InDelta(t, 0, cmplx.Abs(v-want[k]), 1e-12)
		}
		back := tensor.Call("_fft_c2r", half, []int{0}, 2, n)[0]
		require.InDeltaSlice(t, signal, back.Float64s(), 1e-12)
		whole := tensor.Call("_fft_c2c", ofComplex(want...), []int{0}, 2, false)[0]
		require.InDeltaSlice(t, signal, reals(complexes(t, whole)), 1e-12)
	}
}

// The gradient of |transform|² of n points is 2n times the signal, for the whole
// spectrum; through half of it and back, it is the gradient of the identity.
func TestFourierGradient(t *testing.T) {
	for n := 2; n <= 5; n++ {
		signal := make([]float64, n)
		for i := range signal {
			signal[i] = float64(i+1) / 3
		}
		x := tensor.FromBuffer(buf.From(signal, n)).RequiresGrad()
		parts := tensor.Call("view_as_real", tensor.Call("_fft_r2c", x, []int{0}, 0, false)[0])[0]
		energy := tensor.Call("sum", tensor.Call("mul.Tensor", parts, parts)[0])[0]
		grad := tensor.Grad([]*tensor.Tensor{energy}, []*tensor.Tensor{x}, nil)[0].Float64s()
		for i, v := range signal {
			require.InDelta(t, 2*float64(n)*v, grad[i], 1e-12)
		}
		half := tensor.Call("_fft_r2c", x, []int{0}, 0, true)[0]
		back := tensor.Call("_fft_c2r", half, []int{0}, 2, n)[0]
		energy = tensor.Call("sum", tensor.Call("mul.Tensor", back, back)[0])[0]
		grad = tensor.Grad([]*tensor.Tensor{energy}, []*tensor.Tensor{x}, nil)[0].Float64s()
		for i, v := range signal {
			require.InDelta(t, 2*v, grad[i], 1e-12)
		}
	}
}

// TestComplexSums: a real number is added to real parts, a complex one to both.
func TestComplexSums(t *testing.T) {
	z := tensor.FromBuffer(buf.From([]complex64{1 + 2i, 3 - 4i}, 2))
	for _, c := range []struct {
		op   string
		args []any
		want []complex64
	}{
		{"add.Scalar", []any{1}, []complex64{2 + 2i, 4 - 4i}},
		{"add.Scalar", []any{1 + 1i, 2}, []complex64{3 + 4i, 5 - 2i}},
		{"sub.Scalar", []any{0.5}, []complex64{0.5 + 2i, 2.5 - 4i}},
		{"sub.Scalar", []any{2i}, []complex64{1, 3 - 6i}},
		{"rsub.Scalar", []any{1}, []complex64{-2i, -2 + 4i}},
		{"rsub.Scalar", []any{1i, 2}, []complex64{-2 - 3i, -6 + 9i}},
		{"rsub.Tensor", []any{tensor.FromBuffer(buf.From([]float32{10, 20}, 2))}, []complex64{9 - 2i, 17 + 4i}},
	} {
		got := buffer(t, tensor.Call(c.op, append([]any{z}, c.args...)...)[0])
		require.Equal(t, c.want, buf.Slice[complex64](got), c.op)
	}
	require.ErrorContains(t, tensor.Try(func() { tensor.Call("add.Scalar", z, 1, 1i) }), "a complex alpha is not supported")
}
