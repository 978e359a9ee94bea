package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestWrittenStatistics: batch norms in training write the running statistics that they are given: a tenth of the
// batch's mean and unbiased variance, and nine tenths of what they were.
func TestWrittenStatistics(t *testing.T) {
	x := tensor.FromSlice([]float32{0, 1, 2, 3, 4, 5, 6, 7}, 4, 2) // means 3 and 4, variances 20/3
	for name, options := range map[string][]any{
		"native_batch_norm": {true, 0.1, 0.0}, "_native_batch_norm_legit": {true, 0.1, 0.0}, "_batch_norm_with_update": {0.1, 0.0},
	} {
		mean, variance := tensor.Zeros(2), tensor.Ones(2)
		out := tensor.Call(name, append([]any{x, nil, nil, mean, variance}, options...)...)
		require.Equal(t, []float64{3, 4}, out[1].Float64s(), name)
		require.InDeltaSlice(t, []float64{0.3, 0.4}, mean.Float64s(), 1e-6, name)
		require.InDeltaSlice(t, []float64{0.9 + 2./3, 0.9 + 2./3}, variance.Float64s(), 1e-6, name)
		if name == "_batch_norm_with_update" {
			require.Len(t, out, 4)
			require.Empty(t, out[3].Float64s())
		}
	}
	mean, variance := tensor.Zeros(2), tensor.Ones(2)
	tensor.Call("_native_batch_norm_legit", x, nil, nil, mean, variance, false, 0.1, 0.0)
	require.Equal(t, []float64{0, 0, 1, 1}, append(mean.Float64s(), variance.Float64s()...))
}

// TestWrittenNoise: rrelu_with_noise writes the factors of what is not positive, which are its gradient, and none where
// it does not train.
func TestWrittenNoise(t *testing.T) {
	x, noise := tensor.FromSlice([]float32{-1, -2, 3, 0}, 4).RequiresGrad(), tensor.Zeros(4)
	y := tensor.Call("rrelu_with_noise", x, noise, 0.1, 0.3, true)[0]
	n := noise.Float64s()
	require.Equal(t, []float64{-n[0], -2 * n[1], 3, 0}, y.Float64s())
	require.Equal(t, 1., n[2])
	for _, i := range []int{0, 1, 3} {
		require.True(t, n[i] >= 0.1 && n[i] < 0.3, n)
	}
	require.Equal(t, n, tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s())
	y = tensor.Call("rrelu_with_noise", x, noise, 0.1, 0.3, false)[0]
	require.InDeltaSlice(t, []float64{-0.2, -0.4, 3, 0}, y.Float64s(), 1e-6)
	require.Equal(t, n, noise.Float64s())
}

// TestDrawnGradient: an error about the gradient of numbers that were drawn names the operator that drew them.
func TestDrawnGradient(t *testing.T) {
	p := tensor.FromSlice([]float32{0.5, 0.25}, 2).RequiresGrad()
	y := tensor.Call("binomial", tensor.FromSlice([]float32{5, 9}, 2), p)[0].Sum()
	err := tensor.Try(func() { tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{p}, nil) })
	require.ErrorContains(t, err, "binomial: has no gradient, and one is wanted through the call at written_test.go:")
}
