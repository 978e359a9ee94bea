package tensor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestSearch: places in sorted lines are those that PyTorch 2.14 gives, on the host and in a program.
func TestSearch(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, to := range devices {
		rows := tensor.Of([][]float64{{-inf, -2, -2, 0.5, 0.5, 3}, {0, 0, 0, 1, 2, inf}}).To(to)
		values := tensor.Of([][]float64{{-inf, -3, -2, 0.5, nan}, {0, math.Copysign(0, -1), 1.5, inf, nan}}).To(to)
		require.Equal(t, []int64{0, 1, 1, 3, 6, 0, 0, 4, 5, 6}, tensor.Data[int64](tensor.Searchsorted(rows, values)))
		require.Equal(t, []int64{1, 1, 3, 5, 6, 3, 3, 4, 6, 6}, tensor.Data[int64](tensor.Searchsorted(rows, values, tensor.With("right", true))))
		borders, x := tensor.Of([]int64{1, 3, 3, 7}).To(to), tensor.Of([][]int64{{0, 3}, {7, 9}}).To(to)
		require.Equal(t, []int64{0, 1, 3, 4}, tensor.Data[int64](x.Bucketize(borders)))
		require.Equal(t, []int64{0, 3, 4, 4}, tensor.Data[int64](x.Bucketize(borders, tensor.With("right", true))))
		narrow := x.Bucketize(borders, tensor.With("out_int32", true))
		require.Equal(t, []int32{0, 1, 3, 4}, tensor.Data[int32](narrow))
		require.Equal(t, []int64{1}, tensor.Data[int64](tensor.Call("bucketize.Scalar", 3, borders)[0]))
		unsorted := tensor.Of([]int64{5, 1, 9, 1}).To(to)
		sorter, wanted := tensor.Of([]int64{1, 3, 0, 2}).To(to), tensor.Of([]int64{1, 6, 9}).To(to)
		require.Equal(t, []int64{0, 3, 3}, tensor.Data[int64](tensor.Searchsorted(unsorted, wanted, tensor.With("sorter", sorter))))
		require.Equal(t, []int64{2, 3, 4}, tensor.Data[int64](tensor.Searchsorted(unsorted, wanted, tensor.With("side", "right"), tensor.With("sorter", sorter))))
		halves := tensor.Of([]float64{0.1, 0.2, 0.30000001192092896}).ToDtype(dtype.F16).To(to)
		require.Equal(t, []int64{0, 1, 2}, tensor.Data[int64](tensor.Searchsorted(halves, tensor.Of([]float64{0.1, 0.2, 0.25}).ToDtype(dtype.F16).To(to))))
		require.Panics(t, func() {
			tensor.Data[int64](tensor.Searchsorted(unsorted, wanted, tensor.With("sorter", tensor.Of([]int64{1, 3, 0, 4}).To(to))))
		}, "a position outside of the sequence")
	}
}
