package opinfo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The integrals that judge Bessel functions agree with the standard library.
func TestBesselIntegral(t *testing.T) {
	for _, x := range []float64{0.7, 4.9, 5.5, 9, 20} {
		require.InDelta(t, math.J0(x), besselIntegral('j', 0, x), 1e-9)
		require.InDelta(t, math.J1(x), besselIntegral('j', 1, x), 1e-9)
		require.InDelta(t, math.Y0(x), besselIntegral('y', 0, x), 1e-8)
		require.InDelta(t, math.Y1(x), besselIntegral('y', 1, x), 1e-8)
	}
}
