package build_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestLanes: two inputs come to a core on a channel each, or on one where the mapping says so.
func TestLanes(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	all := workload.Stream{DType: dtype.F32, Elements: 4096}
	w := &workload.Kernel{Name: "sum", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 4096,
		DType: dtype.F32, Ops: workload.Mix{Simple: 1}, In: []workload.Stream{all, all}, Out: []workload.Stream{all}}}
	for lanes, want := range map[int]int{0: 2, 1: 1} {
		g := mapping.Mapping{Kind: w.Kind, Cols: 1, Rows: 2, Tile: 512, Depth: 2, Lanes: lanes}
		p, err := build.Program(m, w, g)
		require.NoError(t, err)
		p.Lower()
		into := map[program.Coord]int{}
		for _, d := range p.DMAs {
			if d.Dir == program.S2MM && d.Tile.Row > m.Grid.MemRows {
				into[d.Tile]++
			}
		}
		require.Len(t, into, 2)
		for core, n := range into {
			require.Equal(t, want, n, "channels into %v", core)
		}
	}
}

// TestNearest: a stream enters by the interface tile below its cores, wherever on the array they are.
func TestNearest(t *testing.T) {
	m, err := machine.Preset("vek280")
	require.NoError(t, err)
	op := workload.Operand{DType: dtype.F32}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 64,
		N: 64, K: 64, A: op, B: op, Acc: dtype.F32, Out: dtype.F32}}
	for _, column := range m.Grid.ShimDMA[:len(m.Grid.ShimDMA)-1] {
		g := mapping.Mapping{Kind: w.Kind, Cols: 2, Rows: 2, Col: column, PartsM: 2, PartsN: 2, TM: 16, TN: 16, TK: 16, KL2: 32,
			Cascade: 1, StageM: 1, StageN: 1, Style: "vector", Depth: 2, OutDepth: 2}
		p, err := build.Program(m, w, g)
		require.NoError(t, err)
		require.Equal(t, column, p.Cores[0].Tile.Col)
		require.Equal(t, machine.Coord{Col: column}, p.FIFOs[0].Producer, p.FIFOs[0].Name)
	}
}
