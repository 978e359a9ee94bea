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
