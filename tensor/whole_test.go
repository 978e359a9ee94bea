package tensor_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestWholeNumbersOfFloats: what does not fit an int64, and NaN, is the least int64 on every processor, as in PyTorch
// on x86.
func TestWholeNumbersOfFloats(t *testing.T) {
	const least = math.MinInt64
	floats := []float64{2.5, -2.5, 0x1p62, -0x1p63, 0x1p63, 1e19, -1e19, math.Inf(1), math.Inf(-1), math.NaN()}
	whole := []int64{2, -2, 1 << 62, least, least, least, least, least, least, least}
	floats, whole = slices.Repeat(floats, 7), slices.Repeat(whole, 7) // whole vectors, and a rest
	var bytes []int8
	for _, w := range whole {
		bytes = append(bytes, int8(w))
	}
	x := tensor.FromSlice(floats, len(floats)).To(acap.Device())
	for _, x := range []*tensor.Tensor{x, x.ToDtype(dtype.F32)} {
		require.Equal(t, whole, tensor.Data[int64](x.ToDtype(dtype.I64)), "%v", x.DType())
		require.Equal(t, bytes, tensor.Data[int8](x.ToDtype(dtype.I8)), "%v", x.DType())
	}
}
