package mapping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestSlices: a slice has the most whole steps that divide a core's range of K and that the mapping allows; a held
// operand has the whole range, and one in mem tiles leaves them tile by tile.
func TestSlices(t *testing.T) {
	g := mapping.Mapping{Cascade: 2, TK: 32, KL2: 192}
	for k, want := range map[int]int{640: 2 * 32, 576: 3 * 32, 64: 32, 65: 2 * 32, 448: 32} { // of 10, 9, 1, 2 and 7 steps
		require.Equal(t, want, g.Slice(k), "%d", k)
		require.Equal(t, want, g.SliceA(k), "%d", k)
		require.Equal(t, want, g.SliceB(k), "%d", k)
	}
	held := g
	held.Hold = 1
	require.Equal(t, 10*32, held.SliceA(640))
	require.Equal(t, 11*32, held.SliceA(641))
	require.Equal(t, 2*32, held.SliceB(640))
	g.In.Row, g.Resident = 1, 1
	require.Equal(t, [2]int{32, 32}, [2]int{g.SliceA(640), g.SliceB(640)})
}

// TestCascades: 8 x 4 cores have two cascades of two cores in each column, and 32 / (2 x 4) tiles of queries for two
// heads in cascades of four. A tile of 48 queries of an f32 mask has 192 bytes, two tiles of keys of 64 in bf16.
func TestCascades(t *testing.T) {
	g := mapping.Mapping{Kind: workload.KindAttention, Cols: 8, Rows: 4, Cascade: 2}
	col, row := g.CascadeAt(5)
	require.Equal(t, [2]int{2, 2}, [2]int{col, row})
	g.Cascade, g.Heads, g.Tile, g.TN = 4, 2, 48, 64
	require.Equal(t, 4, g.QueryTiles())
	a := &workload.Attention{D: 128, DType: dtype.BF16}
	objects := func() [2]int {
		each, tiles := g.MaskObjects(a)
		return [2]int{each, tiles}
	}
	require.Equal(t, [2]int{0, 0}, objects())
	a.Mask = &workload.Mask{DType: dtype.F32, Queries: 64}
	require.Equal(t, [2]int{2, 4}, objects())
	a.Mask.Queries = 1
	require.Equal(t, [2]int{1, 1}, objects(), "one row for all queries")
}
