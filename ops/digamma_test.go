package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestDigamma: ψ has the digits of f64, also next to its zero at 1.4616. The values come from its recurrence and its
// asymptotic series in decimal arithmetic of 50 digits, with x as f64 has it.
func TestDigamma(t *testing.T) {
	for x, want := range map[float64]float64{
		1e-3: -1000.5755719318102796548, 0.1: -10.423754940411076232, 1: -0.57721566490153286061, 1.4591643810272217: -0.0023906869302805471466,
		1.46: -0.0015805619870834521511, 1.4616: -0.000031106251230341649658, 1.5: 0.036489973978576520559, 3.7: 1.1671535393615114409,
		100: 4.6001618527380874002, -0.5: 0.036489973978576520559, -1.25: 3.7141391202135278306,
		0: math.Inf(-1), math.Copysign(0, -1): math.Inf(1), math.Inf(1): math.Inf(1),
	} {
		for _, got := range []float64{tensor.Call("digamma", tensor.Of([]float64{x}))[0].Item(), tensor.Call("polygamma", 0, tensor.Of([]float64{x}))[0].Item()} {
			if math.IsInf(want, 0) {
				require.Equal(t, want, got, x)
			} else {
				require.InDelta(t, want, got, 1e-15+1e-15*math.Abs(want), "%v", x)
			}
		}
	}
	for _, x := range []float64{-1, -2, -1e300, math.Inf(-1), math.NaN()} {
		require.True(t, math.IsNaN(tensor.Call("digamma", tensor.Of([]float64{x}))[0].Item()), "%v", x)
	}
}
