package portable

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
)

// TestSingles compares the functions of f32 with the functions of f64 in package math, for every 1009th number, and the
// signs of zeros.
func TestSingles(t *testing.T) {
	for op, loop := range singles {
		t.Run(op.String(), func(t *testing.T) {
			function := op.Function().Value
			x, y := make([]float32, Lanes), make([]float32, Lanes)
			worst, at := 0.0, float32(0)
			for bits := uint64(0); bits < 1<<32; {
				n := 0
				if bits == 0 {
					x[0], n = float32(math.Copysign(0, -1)), 1
				}
				for ; n < Lanes && bits < 1<<32; n++ {
					x[n] = math.Float32frombits(uint32(bits))
					bits += 1009
				}
				loop(y[:n], x[:n])
				for i, v := range x[:n] {
					want := function(float64(v))
					if want != want || math.IsInf(want, 0) || math.Abs(want) > math.MaxFloat32 {
						if have := y[i]; want != want != (have != have) || want == want && float32(want) != have {
							t.Fatalf("%v(%v) = %v", op, v, have)
						}
						continue
					}
					if want == 0 && math.Signbit(want) != math.Signbit(float64(y[i])) {
						t.Fatalf("%v(%v) = %v", op, v, y[i])
					}
					_, exponent := math.Frexp(want)
					place := math.Ldexp(1, max(exponent-24, -149))
					if e := math.Abs(float64(y[i])-want) / place; e > worst {
						worst, at = e, v
					}
				}
			}
			t.Logf("%.4f places at %v", worst, at)
			require.Less(t, worst, 0.51)
		})
	}
	require.Contains(t, singles, kernel.Exp)
}
