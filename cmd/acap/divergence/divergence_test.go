package divergence

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKullbackLeibler: of halves from a quarter and three quarters it is ln(2)/2 + ln(2/3)/2.
func TestKullbackLeibler(t *testing.T) {
	right, other := []float64{math.Log(0.5), math.Log(0.5)}, []float64{math.Log(0.25), math.Log(0.75)}
	require.InDelta(t, math.Log(2)/2+math.Log(2.0/3)/2, kullbackLeibler(right, other), 1e-15)
	require.Zero(t, kullbackLeibler(right, right))
	require.InDelta(t, 0.5, RatioError([]float64{1, 3}, []float64{2, 2}), 1e-15)
	require.Zero(t, RatioError([]float64{1, 3}, []float64{2, 6}))
	middle, share := Mean([]float64{1, 3})
	require.Equal(t, []float64{2, 0.5}, []float64{middle, share})
}
