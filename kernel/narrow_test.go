package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestNarrow: a conversion goes by i32 where its bounds and all that reads it allow, and nowhere else.
func TestNarrow(t *testing.T) {
	const low, high = -5, 300
	build := func(high float64, to ...dtype.DType) (kernel.Body, int) {
		b := kernel.NewBody()
		x := b.Binary(kernel.Max, b.Load(0, dtype.F32), b.Const(dtype.F32, low))
		wide := b.Cast(dtype.I64, b.Binary(kernel.Min, b.Const(dtype.F32, high), x))
		for i, d := range to {
			b.Store(1+i, b.Cast(d, wide))
		}
		return b.Body(), wide
	}
	narrowed := func(body kernel.Body, wide int, refs ...*int) bool {
		kernel.Narrow(body, refs)
		return body[wide].Type == dtype.I32
	}
	require.True(t, narrowed(build(high, dtype.I8)))
	require.True(t, narrowed(build(high, dtype.I16, dtype.U8)))
	require.False(t, narrowed(build(high, dtype.I32)), "a NaN would show")
	require.False(t, narrowed(build(high, dtype.I8, dtype.F32)))
	require.False(t, narrowed(build(1e12, dtype.I8)))
	body, wide := build(high, dtype.I8)
	require.False(t, narrowed(body, wide, &wide))

	l, h := body.Bounds(body[wide].A)
	require.Equal(t, []float64{low, high}, []float64{l, h})

	b := kernel.NewBody()
	wide = b.Cast(dtype.I64, b.Binary(kernel.Min, b.Load(0, dtype.F32), b.Const(dtype.F32, 1)))
	b.Store(1, b.Cast(dtype.I8, b.Cast(dtype.I32, wide)))
	require.False(t, narrowed(b.Body(), wide), "no lower bound")

	b = kernel.NewBody()
	wide = b.Cast(dtype.I64, b.Binary(kernel.Max, b.Binary(kernel.Min, b.Load(0, dtype.F32), b.Const(dtype.F32, 255)), b.Const(dtype.F32, 0)))
	b.Store(1, b.Cast(dtype.I8, b.Cast(dtype.I32, wide)))
	require.True(t, narrowed(b.Body(), wide))
}
