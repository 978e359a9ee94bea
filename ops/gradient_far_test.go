package ops_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// Gradients where a part of them overflows, is NaN or loses digits, and the whole does not.
func TestGradientsFar(t *testing.T) {
	t.Parallel()
	call := func(name string, result int, args ...any) *tensor.Tensor { return tensor.Call(name, args...)[result] }
	gradient := func(y, x *tensor.Tensor) *tensor.Tensor {
		return tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, nil, tensor.CreateGraph)[0]
	}

	// The mean alone has a gradient where the variance, which nothing uses, has none.
	for _, op := range []string{"var_mean.correction", "std_mean.correction"} {
		for _, data := range [][]float64{{1, math.Inf(1)}, {math.NaN(), 2}, {3, 3}} {
			x := tensor.Of(data).RequiresGrad()
			require.Equal(t, []float64{0.5, 0.5}, gradient(call(op, 1, x), x).Float64s(), "%s%v", op, data)
		}
		x := tensor.Of([]float64{7}).RequiresGrad() // no degree of freedom is left
		require.Equal(t, []float64{1}, gradient(call(op, 1, x), x).Float64s(), op)
	}

	// NaN is above every bound, so that the gradient of hardswish there is that of its result.
	above := tensor.Of([]float64{math.NaN(), -3, 3, 4, 0}).RequiresGrad()
	require.Equal(t, []float64{1, 0, 1, 1, 0.5}, gradient(call("sum", 0, call("hardswish", 0, above)), above).Float64s())

	// The gradient of copysign at 0 is 0 times that of the result, whatever made the result.
	x, w := tensor.Of([]float64{0, -1}).RequiresGrad(), tensor.Of([]float64{3, 4}).RequiresGrad()
	slope := gradient(call("sum", 0, call("mul.Tensor", 0, call("copysign.Tensor", 0, x, x), w)), x)
	require.Equal(t, []float64{0, 1}, gradient(call("sum", 0, slope), w).Float64s())

	// I1'' is 3x/8 + 5x³/96 + … near 0, and e⁻ˣ·I1 has the second derivative (I1'' - 2·I1' + I1)·e⁻ˣ.
	for _, v := range []float64{1e-5, 1e-4, 1e-3, 1e-2} {
		second := 3*v/8 + 5*math.Pow(v, 3)/96 + 7*math.Pow(v, 5)/3072
		first, value := 0.5+3*v*v/16+5*math.Pow(v, 4)/384, v/2+math.Pow(v, 3)/16+math.Pow(v, 5)/384
		for op, want := range map[string]float64{"special_i1": second, "special_i1e": math.Exp(-v) * (second - 2*first + value)} {
			x := tensor.Of([]float64{v}).RequiresGrad()
			got := gradient(gradient(call("sum", 0, call(op, 0, x)), x), x).Float64s()[0]
			require.InEpsilon(t, want, got, 1e-9, "%s(%v)", op, v)
		}
	}

	// The gradient of log(1 + z), which is 1/(1 + z), for numbers whose squares overflow.
	for _, z := range []complex64{8.65e29 + 3.28e30i, -2e25 + 1e24i, 3 - 2e30i, 0.25 + 0.125i, 2 - 1i} {
		x := tensor.Of([]complex64{z}).RequiresGrad()
		parts := call("sum", 0, call("view_as_real", 0, call("log1p", 0, x)))
		want := cmplx.Conj((1 - 1i) / (1 + complex128(z)))
		got := call("view_as_real", 0, gradient(parts, x)).Float64s()
		require.InDelta(t, 0, cmplx.Abs(complex(got[0], got[1])-want)/cmplx.Abs(want), 1e-6, "%v", z)
	}
}

// Operands of einsum are contracted in the order of path, with the result of any other.
func TestEinsumPath(t *testing.T) {
	t.Parallel()
	a, b, c := tensor.Of([]float64{1, 2, 3, 4, 5, 6}, 2, 3), tensor.Of([]float64{1, 0, 2, 1, 0, 3}, 3, 2), tensor.Of([]float64{2, 5})
	for _, path := range [][]int{{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}, {0, 2, 1, 0}} {
		y := tensor.Call("einsum", "ab,bc,c->a", []*tensor.Tensor{a, b, c}, tensor.With("path", path))[0]
		require.Equal(t, []float64{65, 143}, y.Float64s(), "%v", path)
	}
}
