package trafficplot

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// TestShares: of four times a quarter is no longer than the first, and so on; a time of none is left out.
func TestShares(t *testing.T) {
	points := shares([]float64{0.5, 0, 0.25, 2, 1})
	require.Equal(t, plotter.XYs{{X: 250, Y: 25}, {X: 500, Y: 50}, {X: 1000, Y: 75}, {X: 2000, Y: 100}}, points[:4])
	require.Equal(t, plotter.XY{X: 2000, Y: 100}, points[len(points)-1])
	require.Empty(t, shares([]float64{0}))
}
