package timing_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
)

// split is a kernel whose lines no core can hold, taken in pieces in one of the ways that there are.
func split(how string) *workload.Kernel {
	const rows, cols, updates = 4, 40_960, 9000
	walk := func(length int) *workload.Walk {
		return &workload.Walk{Outer: []workload.Loop{{Size: rows, Stride: length}}, Inner: []workload.Loop{{Size: length, Stride: 1}}}
	}
	all := workload.Stream{DType: dtype.BF16, Elements: rows * cols}
	n := workload.Normalize{Rows: rows, Cols: cols, DType: dtype.BF16, Passes: 1,
		In: []workload.Stream{all}, Out: []workload.Stream{all}, Ops: workload.Mix{Simple: 3}}
	switch how {
	case "passes":
		n.Passes = 3
		n.In = append(n.In, workload.Stream{DType: dtype.F32, Elements: cols, Late: true})
	case "three values a row":
		n.Passes, n.Out = 2, []workload.Stream{{DType: dtype.F32, Elements: 3 * rows}}
	case "merges":
		n.Split, n.Ops = workload.SplitMerges, workload.Mix{Serial: 1 + math.Log2(cols)}
		n.Out = append(n.Out, workload.Stream{DType: dtype.I64, Elements: all.Elements})
	case "ranges":
		n.Split, n.Ops = workload.SplitRanges, workload.Mix{Serial: 2}
		all.Walk = walk(cols)
		n.In = []workload.Stream{{DType: dtype.BF16, Elements: rows * updates, Walk: walk(updates)},
			{DType: dtype.I64, Elements: rows * updates, Walk: walk(updates)}, all}
	}
	return &workload.Kernel{Name: how, Kind: workload.KindNormalize, Normalize: n}
}

// TestPieces compares lines that are taken in pieces with runs of their programs, event by event: the time, the bytes
// of the memory, and the bytes of the arrays' own memories.
func TestPieces(t *testing.T) {
	for _, how := range []string{"passes", "three values a row", "merges", "ranges"} {
		for _, name := range []string{"npu1", "vek280", "vck190"} {
			m := machinetest.Preset(t, name)
			c, err := mapper.Map(m, split(how))
			require.NoError(t, err)
			require.Positive(t, c.Mapping.TK)
			p, err := c.Program()
			require.NoError(t, err)
			o := event.Options{Launch: c.Timing.Launch, Restart: c.Timing.Pause}
			if o.Restart == 0 {
				o.Restart = -1
			}
			r, err := event.Run(p, o)
			require.NoError(t, err)
			within := 0.01
			if how == "merges" { // whose rounds are short here: what begins and ends them counts
				within = 0.03
			}
			require.InEpsilon(t, r.Seconds, c.Timing.Seconds, within, "%s on %s", how, name)
			requireTraffic(t, m, r, c.Timing, how+" on "+name)
		}
	}
}
