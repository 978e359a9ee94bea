package bucket

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestIdentity: folding the identity into a number leaves it as it is, in every type, and nothing else is called one.
func TestIdentity(t *testing.T) {
	for name, fold := range map[string]func(x, y float64) float64{
		"addf": func(x, y float64) float64 { return x + y }, "mulf": func(x, y float64) float64 { return x * y },
		"maximumf": math.Max, "minimumf": math.Min,
	} {
		for _, typ := range []mlir.Type{mlir.F32, mlir.F64} {
			v, ok := identity("arith."+name, typ)
			require.True(t, ok, name)
			id := v.(mlir.FloatAttr).Value
			for _, x := range []float64{0, math.Copysign(0, -1), 1, -2.5, math.Inf(1), math.Inf(-1), math.NaN()} {
				require.Equal(t, math.Float64bits(x), math.Float64bits(fold(id, x)), "%s %v", name, x)
			}
		}
	}
	for name, fold := range map[string]func(x, y, mask uint64, sign uint) uint64{
		"addi":  func(x, y, mask uint64, _ uint) uint64 { return (x + y) & mask },
		"muli":  func(x, y, mask uint64, _ uint) uint64 { return (x * y) & mask },
		"ori":   func(x, y, mask uint64, _ uint) uint64 { return (x | y) & mask },
		"xori":  func(x, y, mask uint64, _ uint) uint64 { return (x ^ y) & mask },
		"andi":  func(x, y, mask uint64, _ uint) uint64 { return x & y & mask },
		"maxui": func(x, y, mask uint64, _ uint) uint64 { return max(x&mask, y&mask) },
		"minui": func(x, y, mask uint64, _ uint) uint64 { return min(x&mask, y&mask) },
		"maxsi": func(x, y, mask uint64, w uint) uint64 {
			return uint64(max(int64(x<<w)>>w, int64(y<<w)>>w)) & mask
		},
		"minsi": func(x, y, mask uint64, w uint) uint64 {
			return uint64(min(int64(x<<w)>>w, int64(y<<w)>>w)) & mask
		},
	} {
		for _, width := range []int{1, 8, 16, 32, 64} {
			v, ok := identity("arith."+name, mlir.IntegerType{Width: width})
			require.True(t, ok, name)
			mask := ^uint64(0) >> (64 - width)
			id := uint64(v.(mlir.IntegerAttr).Value)
			for _, x := range []uint64{0, 1, 2, 77, 127, 128, 1<<15 - 1, 1 << 31, 1<<63 - 1, 1 << 63, math.MaxUint64} {
				require.Equal(t, x&mask, fold(id, x, mask, uint(64-width)), "%s %d of %d bits", name, x, width)
			}
		}
	}
	for _, name := range []string{"subi", "shli", "divsi", "addf"} {
		_, ok := identity("arith."+name, mlir.I32)
		require.False(t, ok, name)
	}
	for _, name := range []string{"subf", "divf", "addi"} {
		_, ok := identity("arith."+name, mlir.F32)
		require.False(t, ok, name)
	}
	_, ok := identity("arith.addi", mlir.IntegerType{Width: 128})
	require.False(t, ok)
}
