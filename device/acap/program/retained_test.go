package program_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestRetainedLimits builds products whose left operand or result is retained in mem tiles: those that a mem tile has
// no space for beside its own buffers, or whose columns have no rows to themselves, are refused with a reason.
func TestRetainedLimits(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	i8 := workload.Operand{DType: dtype.I8}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1,
		M: 256, K: 512, N: 512, A: i8, B: i8, Acc: dtype.I32, Out: dtype.I32}}
	sound := mapping.Mapping{Kind: w.Kind, Cols: 8, Rows: 4, PartsM: 8, PartsN: 4, TM: 32, TN: 32, TK: 32, KL2: 32, Cascade: 1,
		StageM: 1, StageN: 1, Style: "vector", Depth: 2, OutDepth: 1, In: mapping.Retained{Row: 1, Address: 256 << 10},
		Out: mapping.Retained{Row: 1}}
	for _, c := range []struct {
		change func(*mapping.Mapping)
		want   string
	}{
		{func(*mapping.Mapping) {}, ""},
		{func(g *mapping.Mapping) { g.In.Row = 2 }, "row of mem tiles 2, not from 0 to 1"},
		{func(g *mapping.Mapping) { g.In.Address = 32 << 10 }, "overlap"},
		{func(g *mapping.Mapping) { g.In.Address = 508 << 10 }, "needs"},
		{func(g *mapping.Mapping) { g.In.Address = 128 << 10; g.Out.Address = 256 << 10 }, ""},
		{func(g *mapping.Mapping) { g.PartsM, g.PartsN, g.TM, g.TN = 4, 8, 64, 16 }, "retains an array that does not lie by rows"},
		{func(g *mapping.Mapping) { g.TM = 16 }, "waits for"},
		{func(g *mapping.Mapping) { g.Hold = 1 }, "holds strips"},
	} {
		g := sound
		c.change(&g)
		p, err := lowered(m, w, g)
		if c.want == "" {
			require.NoError(t, err, "%v", g)
			require.Len(t, p.RetainedArrays(), 16)
			continue
		}
		require.ErrorContains(t, err, c.want, "%v", g)
	}
}
