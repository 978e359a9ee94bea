package tileexact_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/kernel"
)

// places expects an order to go to every place of an object once.
func places(t *testing.T, order []program.Dim, elements int) {
	t.Helper()
	if len(order) == 0 {
		return
	}
	at := []int{0}
	for _, d := range order {
		var next []int
		for _, a := range at {
			for i := range d.Size {
				next = append(next, a+i*d.Stride)
			}
		}
		at = next
	}
	slices.Sort(at)
	require.Equal(t, elements, len(slices.Compact(at)), order)
	require.Equal(t, []int{0, elements - 1}, []int{at[0], at[len(at)-1]}, order)
}

// TestPartedStreams walks products and convolutions whose tiles of A, or of B, come for several parts on one stream:
// with slices of several steps, strips that remain, biases and whole arrays added, cascades, and strips of a
// convolution in tiles of channels. It runs the same programs by events.
func TestPartedStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	added := func(m, k, n int, in, acc dtype.DType) kernel.Kernel {
		p := product(m, k, n, in, acc, acc)
		p.Epilogue = epilogue(2, acc, acc, m*n, []int{n, 1}, []int{n, 1}, m*n)
		return p
	}
	for i, c := range []struct {
		machine string
		kernel  kernel.Kernel
		g       mapping.Mapping
	}{
		{"npu1", product(70, 90, 80, dtype.I8, dtype.I32, dtype.I32), mapping.Mapping{Cols: 4, Rows: 4, PartsM: 4, PartsN: 4,
			TM: 16, TN: 16, TK: 16, KL2: 32, FanOutA: 2, Cascade: 1}},
		{"npu1", product(70, 96, 80, dtype.F32, dtype.F32, dtype.F32), mapping.Mapping{Cols: 4, Rows: 4, PartsM: 4, PartsN: 4,
			TM: 16, TN: 16, TK: 8, KL2: 24, FanOutA: 4, FanOutB: 2, Cascade: 1}},
		{"npu1", added(70, 48, 80, dtype.I32, dtype.I32), mapping.Mapping{Cols: 4, Rows: 4, PartsM: 4, PartsN: 4,
			TM: 12, TN: 16, TK: 48, KL2: 48, FanOutA: 2, FanOutB: 2, Cascade: 1}},
		{"npu2", product(130, 64, 260, dtype.F32, dtype.F32, dtype.F32), mapping.Mapping{Cols: 8, Rows: 4, PartsM: 4, PartsN: 8,
			TM: 16, TN: 16, TK: 16, KL2: 16, FanOutA: 2, FanOutB: 4, Hold: 1, Cascade: 1}},
		{"npu2", product(130, 300, 70, dtype.I32, dtype.I32, dtype.I32), mapping.Mapping{Cols: 8, Rows: 4, PartsM: 8, PartsN: 2,
			TM: 8, TN: 16, TK: 16, KL2: 64, FanOutA: 4, FanOutB: 2, Cascade: 2}},
		{"vek280", product(300, 130, 500, dtype.I8, dtype.I32, dtype.I32), mapping.Mapping{Cols: 24, Rows: 8, PartsM: 4, PartsN: 24,
			TM: 32, TN: 16, TK: 16, KL2: 64, FanOutB: 3, Cascade: 2}},
		{"vek280", added(100, 200, 350, dtype.F32, dtype.F32), mapping.Mapping{Cols: 20, Rows: 6, PartsM: 20, PartsN: 6,
			TM: 8, TN: 16, TK: 16, KL2: 32, FanOutA: 2, FanOutB: 1, Cascade: 1}},
		{"npu2", convolution(12, 14, 40, 3, 1, dtype.F32, dtype.F32), mapping.Mapping{Cols: 8, Rows: 4, PartsM: 4, PartsN: 8,
			OutRows: 2, OutCols: 7, TM: 14, TN: 8, TK: 16, KL2: 16, FanOutA: 2, FanOutB: 4, Cascade: 1}},
		{"vek280", convolution(64, 9, 24, 3, 1, dtype.I8, dtype.I32), mapping.Mapping{Cols: 3, Rows: 6, PartsM: 6, PartsN: 3,
			OutRows: 1, OutCols: 9, TM: 9, TN: 8, TK: 16, KL2: 16, ChannelTiles: 2, FanOutA: 3, Cascade: 1}},
	} {
		if i%longtest.Sample(3, 3, 1) > 0 {
			continue
		}
		v, chosen, run := checkMapped(t, c.machine, c.kernel, r, func(g *mapping.Mapping) {
			c.g.Kind, c.g.Style, c.g.Depth, c.g.OutDepth, c.g.StageM, c.g.StageN = g.Kind, g.Style, 2, 2, 1, 1
			*g = c.g
		})
		require.Positive(t, v.Elements)
		require.Contains(t, v.Mapping, "fan-out")
		require.LessOrEqual(t, chosen.Timing.ReadL3, run.ReadBytes, v.Mapping)
		array := func(seconds float64) float64 { return seconds - chosen.Timing.Launch }
		require.InEpsilon(t, array(run.Seconds), array(chosen.Timing.Seconds), 0.03, v.Mapping)
		p, err := chosen.Program()
		require.NoError(t, err)
		for _, f := range p.FIFOs {
			places(t, f.FromStream, f.Object.Elements())
		}
	}
}
