package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestLastOffset: bags whose last offset is the end have one offset more than bags, at least that one.
func TestLastOffset(t *testing.T) {
	bag := func(offsets []int64) *tensor.Tensor {
		return tensor.Call("embedding_bag", tensor.Arange(6).View([]int{3, 2}).ToDtype(dtype.F32), tensor.Of([]int64{0, 2, 1}),
			tensor.Of(offsets), false, 0, false, nil, true)[0]
	}
	require.Equal(t, []float32{4, 6, 2, 3}, bag([]int64{0, 2, 3}).Float32s())
	require.Equal(t, []float32{6, 9}, bag([]int64{0, 3}).Float32s())
	require.Error(t, tensor.Try(func() { bag([]int64{}).Float32s() }))
}

// TestOffsetsOfBags: offsets that begin behind 0, fall or go beyond the indices are refused, as in PyTorch 2.14, whose
// kernels of maxima refuse the first and the last kind alone.
func TestOffsetsOfBags(t *testing.T) {
	for mode := range 3 {
		for _, last := range []bool{false, true} {
			bag := func(offsets ...int64) error {
				return tensor.Try(func() {
					tensor.Call("embedding_bag", tensor.Arange(20).View([]int{5, 4}).ToDtype(dtype.F32), tensor.Of([]int64{1, 2, 4, 0}),
						tensor.Of(offsets), false, mode, false, nil, last)[0].Float32s()
				})
			}
			require.ErrorContains(t, bag(1, 2), "embedding_bag: index out of range: offset 0 is 1; the first bag begins at 0")
			require.ErrorContains(t, bag(0, 3, 2, 4), "offset 2 is 2, below the one before it, 3; offsets do not fall")
			require.ErrorContains(t, bag(0, -1), "offset 1 is -1, below the one before it, 0")
			require.ErrorContains(t, bag(0, 2, 5), "offset 2 is 5 of 4 indices")
			require.NoError(t, bag(0, 4, 4))
		}
	}
	empty := tensor.Try(func() {
		tensor.Call("embedding_bag", tensor.Arange(20).View([]int{5, 4}).ToDtype(dtype.F32), tensor.Of([]int64{}), tensor.Of([]int64{0, 1}), false, 0, false,
			nil, false)[0].Float32s()
	})
	require.ErrorContains(t, empty, "offset 1 is 1 of 0 indices")
}
