package event_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/timing"
)

// TestStart: a launch takes as many cycles longer as the memory outside takes to its first word, and to its answer to the
// last, once, by events and by the closed form. On npu1 both are as measured on Phoenix.
func TestStart(t *testing.T) {
	require.Equal(t, 747.0, preset(t, "npu1").DDR.Start.Read.Value)
	require.Equal(t, 171.0, preset(t, "npu1").DDR.Start.Write.Value)
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		for _, n := range []int64{1 << 8, 1 << 16} {
			m := *preset(t, name)
			m.DDR.Start = machine.Start{}
			w := relu(n, dtype.BF16)
			choice, p := mapped(t, &m, w)
			before := run(t, p, options(choice))
			for _, c := range []struct{ read, write float64 }{{747, 0}, {0, 171}, {300, 50}} {
				slow := m
				slow.DDR.Start.Read.Value, slow.DDR.Start.Write.Value = c.read, c.write
				p, err := choice.Program()
				require.NoError(t, err)
				p.Machine = &slow
				after := run(t, p, options(choice))
				require.InDelta(t, c.read+c.write, after.Cycles-before.Cycles, 1, "%s: events of %d elements", name, n)
				estimate, err := timing.Estimate(&slow, w, choice.Mapping)
				require.NoError(t, err)
				require.InDelta(t, c.read+c.write, estimate.Cycles-choice.Timing.Cycles, 1e-3, "%s: closed form", name)
				require.Less(t, math.Abs(estimate.Cycles-after.Cycles), math.Abs(choice.Timing.Cycles-before.Cycles)+1.5, name)
			}
		}
	}
}
