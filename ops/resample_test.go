package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestScalesThatExtentsDecide: factors that leave an extent as it is, or double it for the nearest element. Values are
// of PyTorch 2.14, for [[1 4 9] [16 25 36]] and the factors 2.3 and 1.3.
func TestScalesThatExtentsDecide(t *testing.T) {
	x := tensor.Of([]float32{1, 4, 9, 16, 25, 36}, 1, 1, 2, 3)
	factors := []float64{2.3, 1.3}
	linear := []float32{1, 4, 9, 3.2826085, 7.195652, 13.108695, 9.804348, 16.326086, 24.847826, 16, 25, 36}
	for name, want := range map[string][]float32{
		"upsample_nearest2d.vec":        {1, 4, 9, 1, 4, 9, 16, 25, 36, 16, 25, 36},
		"_upsample_nearest_exact2d.vec": {1, 4, 4, 1, 4, 4, 16, 25, 25, 16, 25, 25},
		"upsample_bilinear2d.vec":       linear,
		"_upsample_bilinear2d_aa.vec":   linear,
		"upsample_bicubic2d.vec": {-0.79508835, 0.45587406, 3.7546482, 2.6901753, 4.8409934, 9.513993, 9.516522, 13.42983, 20.79442,
			15.618219, 21.10691, 30.877377},
	} {
		args := []any{x, nil, false, factors}
		if name == "upsample_nearest2d.vec" || name == "_upsample_nearest_exact2d.vec" {
			args = []any{x, nil, factors}
		}
		require.InDeltaSlice(t, want, tensor.Call(name, args...)[0].Float32s(), 1e-4, name)
	}
}

// TestQuantilesAtElements: the nearest float32 to 0.1 is above it, and that to 0.7 below, which decides between
// neighbours. Values are of PyTorch 2.14, for the squares of 0 to 10.
func TestQuantilesAtElements(t *testing.T) {
	x := tensor.Of([]float32{0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100}, 11)
	q := tensor.Of([]float32{0.1, 0.3, 0.7}, 3)
	for interpolation, want := range map[string][]float32{"linear": {1, 9.000001, 49}, "higher": {4, 16, 49}, "lower": {1, 9, 36},
		"midpoint": {2.5, 12.5, 42.5}, "nearest": {1, 9, 49}} {
		for _, name := range []string{"quantile", "nanquantile"} {
			y := tensor.Call(name, x, q, tensor.Interpolation(interpolation))[0]
			require.InDeltaSlice(t, want, y.Float32s(), 1e-5, name+" "+interpolation)
		}
	}
}
