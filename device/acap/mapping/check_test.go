package mapping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestCheck changes sound mappings in one number: the last value of each range is taken, and the next one refused.
func TestCheck(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	require.Equal(t, [3]int{8, 4, 1}, [3]int{m.Grid.Cols, m.Grid.CoreRows, m.Grid.MemRows})
	tile := 2 * m.Mem.Memory.Int()
	product := workload.Kernel{Name: "p", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 256, N: 256, K: 256, A: workload.Operand{DType: dtype.BF16}, B: workload.Operand{DType: dtype.BF16},
		Acc: dtype.F32, Out: dtype.BF16}}
	attention := workload.Kernel{Name: "a", Kind: workload.KindAttention}
	stream := workload.Stream{DType: dtype.BF16, Elements: 64}
	rows := workload.Kernel{Name: "r", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 8, Cols: 8,
		In: []workload.Stream{stream, stream}, Out: []workload.Stream{stream}}}
	sound := map[*workload.Kernel]mapping.Mapping{
		&product: {Kind: workload.KindContraction, Cols: 8, Rows: 4, PartsM: 8, PartsN: 4, TM: 32, TN: 32, TK: 32, Cascade: 1,
			StageM: 1, StageN: 1, Depth: 2, OutDepth: 1},
		&attention: {Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 2, FanOut: 1, Tile: 64, TK: 64, TN: 64, Cascade: 4, Depth: 2},
		&rows:      {Kind: workload.KindNormalize, Cols: 8, Rows: 1, Tile: 1, Depth: 2},
	}
	for k, g := range sound {
		require.NoError(t, g.Check(m, k), k.Name)
	}
	for _, c := range []struct {
		k      *workload.Kernel
		change func(g *mapping.Mapping)
		want   string // "" is taken
	}{
		{&product, func(g *mapping.Mapping) { g.Kind = workload.KindAttention }, "mapping of a"},
		{&product, func(g *mapping.Mapping) { g.Cols = 9 }, "columns 9, not from 1 to 8"},
		{&product, func(g *mapping.Mapping) { g.Cols = 0 }, "columns 0"},
		{&product, func(g *mapping.Mapping) { g.Rows = 5 }, "rows 5, not from 1 to 4"},
		{&product, func(g *mapping.Mapping) { g.Col = -1 }, "column -1"},
		{&product, func(g *mapping.Mapping) { g.TM = tile }, ""},
		{&product, func(g *mapping.Mapping) { g.TM = tile + 1 }, "tile"},
		{&product, func(g *mapping.Mapping) { g.TN = 0 }, "of 0"},
		{&product, func(g *mapping.Mapping) { g.Depth, g.OutDepth = 64, 64 }, ""},
		{&product, func(g *mapping.Mapping) { g.Depth = 65 }, "depth 65, not from 0 to 64"},
		{&product, func(g *mapping.Mapping) { g.OutDepth = 65 }, "depth of results 65"},
		{&product, func(g *mapping.Mapping) { g.StageM, g.StageN = 1<<20, 1<<20 }, ""},
		{&product, func(g *mapping.Mapping) { g.StageN = 1<<20 + 1 }, "stages"},
		{&product, func(g *mapping.Mapping) { g.Hold = 65 }, "strips 65"},
		{&product, func(g *mapping.Mapping) { g.Resident = 1 }, ""},
		{&product, func(g *mapping.Mapping) { g.Resident = 2 }, "row of mem tiles 2, not from 0 to 1"},
		{&product, func(g *mapping.Mapping) { g.Out.Input = 1 }, "input 1, not from 0 to 0"},
		{&product, func(g *mapping.Mapping) { g.OutRows, g.OutCols = 4, 8 }, ""},
		{&product, func(g *mapping.Mapping) { g.OutRows, g.OutCols = 4, 4 }, "4 x 4 positions in a tile of 32"},
		{&product, func(g *mapping.Mapping) { g.OutCols = 4 }, "0 x 4 positions"},
		{&product, func(g *mapping.Mapping) { g.PartsM, g.PartsN = 4, 8 }, ""},
		{&product, func(g *mapping.Mapping) { g.PartsM, g.PartsN = 4, 4 }, "4 x 4 parts in cascades of 1 on 8 x 4 cores"},
		{&product, func(g *mapping.Mapping) { g.Cascade = 3 }, "parts in cascades of 3"},
		{&product, func(g *mapping.Mapping) { g.FanOutA = 3 }, "joins 3 of 8"},
		{&product, func(g *mapping.Mapping) { g.In.Row, g.In.Input = 1, 2 }, "keeps input 2 of 2"},
		{&attention, func(g *mapping.Mapping) { g.Heads = 0 }, "of 0"},
		{&attention, func(g *mapping.Mapping) { g.Tile, g.TK = tile/128, 128 }, ""},
		{&attention, func(g *mapping.Mapping) { g.Tile, g.TK = tile/128+1, 128 }, "which no memory holds"},
		{&attention, func(g *mapping.Mapping) { g.Heads, g.FanOut = 8, 8 }, ""},
		{&attention, func(g *mapping.Mapping) { g.Heads = 9 }, "cores for 9 heads"},
		{&attention, func(g *mapping.Mapping) { g.FanOut = 3 }, "3 of them on one stream"},
		{&attention, func(g *mapping.Mapping) { g.Cascade, g.Heads = 3, 1 }, "in cascades of 3"},
		{&attention, func(g *mapping.Mapping) { g.Resident = 1 }, "has weights in mem tiles"},
		{&attention, func(g *mapping.Mapping) { g.Out.Row = 1 }, "keeps arrays in mem tiles"},
		{&rows, func(g *mapping.Mapping) { g.Tile = 0 }, "an empty tile"},
		{&rows, func(g *mapping.Mapping) { g.Depth = 0 }, "no buffers"},
		{&rows, func(g *mapping.Mapping) { g.In.Row, g.In.Input = 1, 1 }, ""},
		{&rows, func(g *mapping.Mapping) { g.In.Row, g.In.Input = 1, 2 }, "keeps input 2 of 2"},
		{&rows, func(g *mapping.Mapping) { g.Out.Row, g.TK = 1, 4 }, "takes rows in pieces"},
		{&rows, func(g *mapping.Mapping) { g.TK = 4 }, ""},
	} {
		g := sound[c.k]
		c.change(&g)
		if err := g.Check(m, c.k); c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// TestWhole: a machine without programs has one mapping, and refuses others.
func TestWhole(t *testing.T) {
	systolic, err := machine.Preset("systolic")
	require.NoError(t, err)
	k := &workload.Kernel{Name: "p", Kind: workload.KindContraction}
	g, ok := mapping.Whole(systolic, k)
	require.True(t, ok)
	require.Equal(t, systolic.Grid.Cols, g.Cols)
	require.NoError(t, g.Check(systolic, k))
	g.Cols--
	require.ErrorContains(t, g.Check(systolic, k), "an array that has one mapping")
	programmed, err := machine.Preset("npu2")
	require.NoError(t, err)
	_, ok = mapping.Whole(programmed, k)
	require.False(t, ok)
}
