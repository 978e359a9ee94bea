package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestDeformedConvolution: a window of one element takes the mean of two neighbours where the offset is a half, times
// mask, weight and with bias; outside of the picture there is 0.
func TestDeformedConvolution(t *testing.T) {
	x := tensor.Of([]float32{1, 3, 7}, 1, 1, 1, 3)
	offset := tensor.Of([]float32{0, 0, 0, 0.5, 0.5, 0.5}, 1, 2, 1, 3) // rows, columns
	one := func(v float32) *tensor.Tensor { return tensor.Of([]float32{v}, 1, 1, 1, 1) }
	mask := tensor.Of([]float32{1, 1, 0.5}, 1, 1, 1, 3)
	y := tensor.Call("torchvision.deform_conv2d", x, one(10), offset, mask, one(1).Reshape([]int{1}), 1, 1, 0, 0, 1, 1, 1, 1, true)[0]
	require.InDeltaSlice(t, []float64{21, 51, 18.5}, y.Float64s(), 1e-4)
}
