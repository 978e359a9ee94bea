package buf_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func recyclable(data ...float32) *buf.Buffer {
	b := buf.From(data, len(data))
	b.Recyclable()
	return b
}

func TestTake(t *testing.T) {
	b := recyclable(1, 2)
	memory := b.Pointer()
	require.Nil(t, b.Take(dtype.F32, []int{3}), "another size")
	moved := b.Take(dtype.I32, []int{1, 2})
	require.Equal(t, memory, moved.Pointer())
	require.Equal(t, dtype.I32, moved.DType)
	require.Equal(t, []int{1, 2}, moved.Shape)
	require.False(t, b.Hold())
	require.False(t, b.Keep())
	require.Nil(t, b.Bytes())
	require.Nil(t, b.Take(dtype.I32, []int{1, 2}), "only once")
	require.Nil(t, moved.Take(dtype.I32, []int{1, 2}), "the new buffer has not offered it")
}

func TestHeldMemoryStays(t *testing.T) {
	b := recyclable(1, 2)
	require.True(t, b.Hold())
	require.True(t, b.Hold())
	b.Release()
	require.Nil(t, b.Take(dtype.F32, []int{2}))
	b.Release()
	require.NotNil(t, b.Take(dtype.F32, []int{2}))
}

func TestKeptMemoryStays(t *testing.T) {
	for name, keep := range map[string]func(b *buf.Buffer){
		"kept":     func(b *buf.Buffer) { b.Keep() },
		"held":     func(b *buf.Buffer) { b.Hold(); b.Keep(); b.Release() },
		"reshaped": func(b *buf.Buffer) { b.Reshape([]int{2, 1}) },
	} {
		b := recyclable(1, 2)
		keep(b)
		require.False(t, b.MayTake(), name)
		require.Nil(t, b.Take(dtype.F32, []int{2}), name)
		require.True(t, b.Hold(), name)
		b.Release()
	}
	require.Nil(t, buf.New(dtype.F32, nil).Take(dtype.F32, nil), "kept from the start")
}

// Of those who take and those who hold at once, a reader never sees the writer.
func TestTakeAndHoldAtOnce(t *testing.T) {
	for range 200 {
		b := recyclable(1, 2)
		var takes atomic.Int32
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if moved := b.Take(dtype.F32, []int{2}); moved != nil {
					takes.Add(1)
					buf.Slice[float32](moved)[0] = 5
				}
			})
			wg.Go(func() {
				if b.Hold() {
					if buf.Slice[float32](b)[0] != 1 {
						panic("another tensor's data")
					}
					b.Release()
				}
			})
		}
		wg.Wait()
		require.LessOrEqual(t, takes.Load(), int32(1))
	}
}
