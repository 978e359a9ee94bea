package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
)

// TestBatchNormTraining follows the running statistics through steps of training, which
// write to the tensors that they are given, views too, and through inference, which does not.
func TestBatchNormTraining(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		for _, name := range []string{"batch_norm", "native_batch_norm"} {
			// Two channels with the values 1, 3 and 2, 6: the means are 2 and 4, the unbiased
			// variances 2 and 8.
			x := tensor.FromSlice([]float32{1, 2, 3, 6}, 2, 2).To(dev).RequiresGrad()
			all := tensor.FromSlice([]float32{9, 0, 0, 9}).To(dev)
			mean, variance := all.Slice(0, 1, 3), tensor.Ones(2).To(dev)
			step := func(training bool) *tensor.Tensor {
				args := []any{x, nil, nil, mean, variance, training, 0.5, 0.0}
				if name == "batch_norm" {
					args = append(args, false)
				}
				return tensor.Call(name, args...)[0]
			}
			y := step(true)
			require.Equal(t, []float32{-1, -1, 1, 1}, y.Float32s(), name)
			require.Equal(t, []float32{1, 2}, mean.Float32s(), name)
			require.Equal(t, []float32{1.5, 4.5}, variance.Float32s(), name)
			require.Equal(t, []float32{9, 1, 2, 9}, all.Float32s(), name)
			require.False(t, mean.NeedsGrad(), "statistics have no gradient")
			require.True(t, y.NeedsGrad())
			step(true)
			require.Equal(t, []float32{1.5, 3}, mean.Float32s(), name)
			step(false)
			require.Equal(t, []float32{1.5, 3}, mean.Float32s(), name)
			require.Equal(t, []float32{1.75, 6.25}, variance.Float32s(), name)
		}
	}
}

// TestBatchNormWithout running statistics normalizes by the batch.
func TestBatchNormWithout(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 2, 3, 6}, 2, 2)
	y := tensor.Call("batch_norm", x, nil, nil, nil, nil, true, 0.1, 0.0, false)[0]
	require.Equal(t, []float32{-1, -1, 1, 1}, y.Float32s())
}

// TestInstanceNormTraining moves the running statistics towards the mean of the samples'.
func TestInstanceNormTraining(t *testing.T) {
	// One channel, two samples: 1, 3 and 2, 6 have the means 2 and 4, the variances 2 and 8.
	x := tensor.FromSlice([]float32{1, 3, 2, 6}, 2, 1, 2).To(acap.Device())
	mean, variance := tensor.Zeros(1).To(acap.Device()), tensor.Ones(1).To(acap.Device())
	y := tensor.Call("instance_norm", x, nil, nil, mean, variance, true, 0.5, 0.0, false)[0]
	require.Equal(t, []float32{-1, 1, -1, 1}, y.Float32s())
	require.Equal(t, []float32{1.5}, mean.Float32s())
	require.Equal(t, []float32{3}, variance.Float32s())
}

// TestBatchNormTogether computes the running statistics with the output, so that steps of
// training do not grow a trace.
func TestBatchNormTogether(t *testing.T) {
	dev := acap.Device()
	mean, variance := tensor.Zeros(2).To(dev), tensor.Ones(2).To(dev)
	x := tensor.FromSlice([]float32{1, 2, 3, 6}, 2, 2).To(dev)
	y := tensor.Call("batch_norm", x, nil, nil, mean, variance, true, 0.5, 0.0, false)[0]
	require.True(t, mean.Pending())
	require.NoError(t, tensor.Sync(t.Context(), y))
	require.False(t, mean.Pending())
	require.False(t, variance.Pending())
}
