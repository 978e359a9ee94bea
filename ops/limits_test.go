package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// limits are values of special functions at the ends of their domains, outside of them and at
// their poles, which follow from their definitions.
var limits = []struct {
	op   string
	args []float64
	want float64
}{
	{"lgamma", []float64{0}, inf}, {"lgamma", []float64{-3}, inf}, {"lgamma", []float64{1}, 0}, {"lgamma", []float64{inf}, inf},
	{"erfinv", []float64{1}, inf}, {"erfinv", []float64{-1}, -inf}, {"erfinv", []float64{1.5}, nan},
	{"i0", []float64{0}, 1}, {"i0", []float64{nan}, nan},
	{"special_i0e", []float64{0}, 1}, {"special_i0e", []float64{-inf}, 0}, {"special_i0e", []float64{nan}, nan},
	{"special_i1", []float64{0}, 0}, {"special_i1e", []float64{-inf}, 0},
	{"special_i1e", []float64{1e-6}, 5e-7 * math.Exp(-1e-6)}, {"special_i1", []float64{-2e-6}, -1e-6},
	{"special_ndtri", []float64{0}, -inf}, {"special_ndtri", []float64{1}, inf}, {"special_ndtri", []float64{0.5}, 0},
	{"special_ndtri", []float64{-0.1}, nan}, {"special_ndtri", []float64{1.1}, nan}, {"special_ndtri", []float64{nan}, nan},
	{"special_log_ndtr", []float64{0}, -math.Ln2}, {"special_log_ndtr", []float64{inf}, 0},
	{"special_erfcx", []float64{0}, 1}, {"special_erfcx", []float64{inf}, 0}, {"special_erfcx", []float64{-inf}, inf},
	{"special_entr", []float64{0}, 0}, {"special_entr", []float64{1}, 0}, {"special_entr", []float64{-1}, -inf},
	{"special_entr", []float64{math.E}, -math.E}, {"special_entr", []float64{nan}, nan},
	{"special_spherical_bessel_j0", []float64{0}, 1}, {"special_spherical_bessel_j0", []float64{inf}, 0},
	{"special_spherical_bessel_j0", []float64{-inf}, 0}, {"special_spherical_bessel_j0", []float64{5e-5}, 1 - 25e-10/6},
	{"special_spherical_bessel_j0", []float64{math.Pi / 2}, 2 / math.Pi},
	{"special_modified_bessel_k0", []float64{0}, inf}, {"special_modified_bessel_k0", []float64{-1}, nan},
	{"special_modified_bessel_k0", []float64{800}, 0}, {"special_modified_bessel_k1", []float64{inf}, 0},
	{"special_scaled_modified_bessel_k0", []float64{0}, inf}, {"special_scaled_modified_bessel_k1", []float64{-2}, nan},
	{"special_scaled_modified_bessel_k0", []float64{inf}, 0}, {"special_scaled_modified_bessel_k1", []float64{nan}, nan},
	{"special_airy_ai", []float64{inf}, nan}, {"special_airy_ai", []float64{nan}, nan}, {"special_airy_ai", []float64{120}, 0},
	{"special_airy_ai", []float64{0}, 1 / (math.Pow(3, 2./3) * math.Gamma(2./3))}, // DLMF 9.2.3

	// The regularized incomplete gamma functions.
	{"igamma", []float64{0, 2}, 1}, {"igamma", []float64{0, 0}, nan}, {"igamma", []float64{-1, 2}, nan},
	{"igamma", []float64{2, -1}, nan}, {"igamma", []float64{inf, 3}, 0}, {"igamma", []float64{inf, inf}, nan},
	{"igamma", []float64{2, inf}, 1}, {"igamma", []float64{2, 0}, 0}, {"igamma", []float64{nan, 2}, nan},
	{"igamma", []float64{2, nan}, nan}, {"igamma", []float64{1, 3}, 1 - math.Exp(-3)}, {"igamma", []float64{0.5, 1}, math.Erf(1)},
	{"igamma", []float64{0.5, inf}, 1}, {"igammac", []float64{0.5, inf}, 0}, {"igamma", []float64{0.5, 0}, 0},
	{"igammac", []float64{0, 2}, 0}, {"igammac", []float64{0, 0}, nan}, {"igammac", []float64{-1, 2}, nan},
	{"igammac", []float64{2, -1}, nan}, {"igammac", []float64{inf, 3}, 1}, {"igammac", []float64{2, inf}, 0},
	{"igammac", []float64{2, 0}, 1}, {"igammac", []float64{1, 50}, math.Exp(-50)}, {"igammac", []float64{0.5, 1}, math.Erfc(1)},

	// The Hurwitz zeta function.
	{"special_zeta", []float64{1, 2}, inf}, {"special_zeta", []float64{0.5, 2}, nan}, {"special_zeta", []float64{2, 1}, math.Pi * math.Pi / 6},
	{"special_zeta", []float64{2, 0}, inf}, {"special_zeta", []float64{2, -3}, inf}, {"special_zeta", []float64{2.5, -0.5}, nan},
	{"special_zeta", []float64{2, -0.5}, 4 + math.Pi*math.Pi/2}, {"special_zeta", []float64{2, nan}, nan},
	{"special_zeta", []float64{2, inf}, nan}, {"special_zeta", []float64{nan, 2}, nan},
	{"special_zeta", []float64{nan, 0}, inf}, {"special_zeta", []float64{nan, -0.5}, nan}, // as in PyTorch 2.14

	// No wave has a value at infinity, as in PyTorch.
	{"special_bessel_j0", []float64{inf}, nan}, {"special_bessel_j1", []float64{-inf}, nan}, {"special_bessel_y0", []float64{inf}, nan},
	{"special_bessel_y1", []float64{inf}, nan},
}

// TestLimits computes in float64 and float32.
func TestLimits(t *testing.T) {
	for _, c := range limits {
		name := fmt.Sprintf("%s%v", c.op, c.args)
		var wide, narrow []any
		for _, v := range c.args {
			wide = append(wide, tensor.FromSlice([]float64{v}))
			narrow = append(narrow, tensor.FromSlice([]float32{float32(v)}))
		}
		near(t, c.want, tensor.Call(c.op, wide...)[0].Float64s()[0], 1e-13, name)
		near(t, c.want, tensor.Call(c.op, narrow...)[0].Float64s()[0], 1e-6, name)
	}
}

var inf, nan = math.Inf(1), math.NaN()

// near compares numbers by their relative error, and infinities and NaNs as such.
func near(t *testing.T, want, have, relative float64, name string) {
	t.Helper()
	if math.IsNaN(want) || math.IsInf(want, 0) || want == 0 {
		require.Equal(t, fmt.Sprint(math.Abs(want)), fmt.Sprint(math.Abs(have)), name)
		require.Equal(t, want < 0, have < 0, name)
		return
	}
	require.InEpsilon(t, want, have, relative, name)
}

// integrals have integral representations (DLMF 10.32) on which the trapezoidal rule of many
// steps is right to the last digits.
var integrals = map[string]func(x float64) float64{
	"special_i0e": func(x float64) float64 {
		return overHalfTurn(func(a float64) float64 { return math.Exp(math.Abs(x) * (math.Cos(a) - 1)) })
	},
	"special_i1e": func(x float64) float64 {
		return math.Copysign(1, x) * overHalfTurn(func(a float64) float64 { return math.Exp(math.Abs(x)*(math.Cos(a)-1)) * math.Cos(a) })
	},
	"special_scaled_modified_bessel_k0": func(x float64) float64 {
		return overHalfLine(func(t float64) float64 { return math.Exp(x * (1 - math.Cosh(t))) })
	},
	"special_scaled_modified_bessel_k1": func(x float64) float64 {
		return overHalfLine(func(t float64) float64 { return math.Exp(x*(1-math.Cosh(t))) * math.Cosh(t) })
	},
	"special_modified_bessel_k0": func(x float64) float64 {
		return overHalfLine(func(t float64) float64 { return math.Exp(-x * math.Cosh(t)) })
	},
	"special_modified_bessel_k1": func(x float64) float64 {
		return overHalfLine(func(t float64) float64 { return math.Exp(-x*math.Cosh(t)) * math.Cosh(t) })
	},
	"special_erfcx": func(x float64) float64 { // DLMF 7.7.1
		return 2 * x / math.Pi * overHalfLine(func(t float64) float64 { return math.Exp(-t*t) / (x*x + t*t) })
	},
}

// overHalfTurn is the mean of a periodic even function.
func overHalfTurn(f func(a float64) float64) float64 {
	const n = 4000
	sum := (f(0) + f(math.Pi)) / 2
	for k := 1; k < n; k++ {
		sum += f(math.Pi * float64(k) / n)
	}
	return sum / n
}

// overHalfLine integrates from 0 a function that soon decays.
func overHalfLine(f func(t float64) float64) float64 {
	const step = 1. / 256
	sum := f(0) / 2
	for k := 1; k < 12/step; k++ {
		sum += f(float64(k) * step)
	}
	return sum * step
}

// TestIntegrals compares functions with their integrals on both sides of the places where they are
// computed in another way.
func TestIntegrals(t *testing.T) {
	for name, f := range integrals {
		for _, x := range []float64{0.1, 0.7, 3, 24, 26, 90, 99, 101, 140, 500, 740} {
			want := f(x)
			near(t, want, tensor.Call(name, tensor.Of([]float64{x}))[0].Float64s()[0], 1e-12, fmt.Sprint(name, x))
		}
	}
}

// TestEndsOfDoubles: values of PyTorch 2.14 in float64 at its largest and its subnormal numbers.
func TestEndsOfDoubles(t *testing.T) {
	for _, c := range []struct {
		op      string
		x, want float64
	}{
		{"i0", math.MaxFloat64, inf}, {"special_i1", -math.MaxFloat64, -inf}, {"special_i0e", math.MaxFloat64, 2.9754474593159e-155},
		{"special_i1e", -math.MaxFloat64, -2.9754474593159e-155},
		{"lgamma", 0x1p-1024, 1024 * math.Ln2}, {"lgamma", -0x1p-1024, 1024 * math.Ln2}, {"special_ndtri", 0x1p-1024, -37.55628378640328},
		{"special_entr", 0x1p-1024, 0x1p-1024 * 1024 * math.Ln2},
	} {
		got := tensor.Call(c.op, tensor.FromSlice([]float64{c.x}, 1))[0].Float64s()[0]
		if c.want != got && !(math.Abs(got-c.want) <= 1e-13*math.Abs(c.want)) {
			t.Errorf("%s(%v): %v, want %v", c.op, c.x, got, c.want)
		}
	}
	got := tensor.Call("special_bessel_j1", tensor.FromSlice([]float64{math.Copysign(0, -1)}, 1))[0].Float64s()[0]
	require.True(t, math.Signbit(got))
	// Integers are rounded to float32 before: this one to 2³¹. The value is SciPy's.
	j0 := tensor.Call("special_bessel_j0", tensor.FromSlice([]int32{math.MaxInt32}, 1))[0].Float64s()[0]
	require.InEpsilon(t, -8.930108668546154e-06, j0, 1e-6)
	// In float16 a power of one half is no root, which differs at -Inf and -0.
	for _, d := range []struct {
		name string
		want []float64
	}{{"float16", []float64{inf, 0}}, {"bfloat16", []float64{nan, math.Copysign(0, -1)}}} {
		x := tensor.FromSlice([]float64{-inf, math.Copysign(0, -1)}, 2)
		half := x.ToDtype(map[string]dtype.DType{"float16": dtype.F16, "bfloat16": dtype.BF16}[d.name])
		y := tensor.Call("pow.Tensor_Scalar", half, 0.5)[0].Float64s()
		require.Equal(t, fmt.Sprint(d.want), fmt.Sprint(y), d.name)
	}
}
