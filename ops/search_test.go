package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestSearchNaN: NaN has its place behind all numbers, as in PyTorch 2.14.
func TestSearchNaN(t *testing.T) {
	sequence, values := tensor.Of([]float32{1, 2, 3}), tensor.Of([]float32{float32(math.NaN()), 0, 2, 2.5, 5, float32(math.Inf(1))})
	for right, want := range map[bool][]float64{false: {3, 0, 1, 2, 3, 3}, true: {3, 0, 2, 2, 3, 3}} {
		require.Equal(t, want, tensor.Call("bucketize.Tensor", values, sequence, false, right)[0].Float64s())
		require.Equal(t, want, tensor.Call("searchsorted.Tensor", sequence, values, false, right)[0].Float64s())
	}
}
