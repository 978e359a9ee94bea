package buf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

func TestSwapBytes(t *testing.T) {
	for _, d := range []dtype.DType{dtype.I16, dtype.F32, dtype.C64, dtype.C128, dtype.U8} {
		x := buf.New(d, []int{2})
		x.SetComplex(0, 2)
		x.SetComplex(1, 1)
		want := append([]byte(nil), x.Bytes()...)
		buf.SwapBytes(x.Bytes(), d)
		if d != dtype.U8 {
			require.NotEqual(t, want, x.Bytes(), d)
		}
		buf.SwapBytes(x.Bytes(), d)
		require.Equal(t, want, x.Bytes(), d)
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
