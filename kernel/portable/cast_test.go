package portable

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestFloatsToIntegers: integers are the lowest bits of what a float is without its fraction, which is the least int64
// for NaN and what no int64 is.
func TestFloatsToIntegers(t *testing.T) {
	nan := math.NaN()
	from := []float64{-1.75, 300.5, 1 << 33, 0x1_8001 << 16, -(1<<40 + 1<<20 + 1<<12), 0x1p63, math.Inf(-1), nan}
	require.Equal(t, []uint8{255, 44, 0, 0, 0, 0, 0, 0}, castOf[uint8](dtype.U8, from))
	require.Equal(t, []int8{-1, 44, 0, 0, 0, 0, 0, 0}, castOf[int8](dtype.I8, from))
	require.Equal(t, []int16{-1, 300, 0, 0, -1 << 12, 0, 0, 0}, castOf[int16](dtype.I16, from))
	require.Equal(t, []int32{-1, 300, 0, math.MinInt32 + 1<<16, -(1<<20 + 1<<12), 0, 0, 0}, castOf[int32](dtype.I32, from))
	least := int64(math.MinInt64)
	require.Equal(t, []int64{-1, 300, 1 << 33, 0x1_8001 << 16, -(1<<40 + 1<<20 + 1<<12), least, least, least}, castOf[int64](dtype.I64, from))
	require.Equal(t, []uint8{1, 1, 1, 1, 1, 1, 1, 1}, castOf[uint8](dtype.Bool, from))
}

// castOf casts numbers of f64.
func castOf[T any](to dtype.DType, from []float64) []T {
	out := make([]T, len(from))
	f := &frame{reg: []unsafe.Pointer{unsafe.Pointer(&out[0]), unsafe.Pointer(&from[0])}, n: len(from)}
	castStep(0, 1, to, dtype.F64)(f)
	return out
}
