package tensor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// Frozen weights of a lazy program are packed as constants are: y = x·w with w in blocks of 32 values q·s, where s is
// -1/8 of the value of largest magnitude, and q whole from -8 to 7. What is not frozen stays, and Explain says so.
func TestPackedWeightsInLazyPrograms(t *testing.T) {
	values := make([]float32, 32)
	for i := range values {
		values[i] = float32(i%7) - 2.3
	}
	values[5] = -16 // the largest: s is 2, and each value a whole multiple of 2 between -16 and 14
	want := 0.0
	for _, v := range values {
		want += 2 * math.RoundToEven(float64(v)/2)
	}
	dev := acap.Device().With(device.Config{}.WithWeights(dtype.Q4))
	x, w := tensor.Ones(1, 32).To(dev), tensor.Of(values).Reshape([]int{32, 1}).To(dev)
	plain := x.MatMul(w)
	e, err := lazy.Explain(plain)
	require.NoError(t, err)
	require.Len(t, e.Warnings, 1)
	require.Contains(t, e.String(), "warning: weights q4 change nothing")
	require.Contains(t, e.String(), "nn.Freeze")
	require.NotEqual(t, float32(want), plain.Float32s()[0])

	y := x.MatMul(w.Freeze())
	e, err = lazy.Explain(y)
	require.NoError(t, err)
	require.Empty(t, e.Warnings)
	require.Equal(t, float32(want), y.Float32s()[0])
}
