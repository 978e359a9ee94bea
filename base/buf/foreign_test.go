package buf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func TestSwapBytes(t *testing.T) {
	for d, want := range map[dtype.DType][]byte{
		dtype.U8:   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		dtype.I16:  {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
		dtype.F32:  {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
		dtype.C64:  {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
		dtype.C128: {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
	} {
		data := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		buf.SwapBytes(data, d)
		require.Equal(t, want, data, d)
	}
	tail := []byte{1, 2, 3}
	buf.SwapBytes(tail, dtype.I16)
	require.Equal(t, []byte{2, 1, 3}, tail)
}

func TestGather(t *testing.T) {
	data := buf.From([]int32{0, 1, 2, 3, 4, 5}, 6).Bytes()
	gather := func(dims, strides []int) []int32 {
		return buf.Slice[int32](buf.Gather(dtype.I32, dims, data, strides))
	}
	require.Equal(t, []int32{0, 2, 4, 1, 3, 5}, gather([]int{2, 3}, []int{1, 2}), "columns first")
	require.Equal(t, []int32{0, 0, 5, 5}, gather([]int{2, 2}, []int{5, 0}), "a stride of 0")
	require.Equal(t, []int32{0}, gather(nil, nil), "a scalar")
	require.Empty(t, gather([]int{2, 0}, []int{9, 9}), "no elements")
	require.Panics(t, func() { gather([]int{2, 3}, []int{3, 2}) })
}
