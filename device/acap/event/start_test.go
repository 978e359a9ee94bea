package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestStart: a launch takes as many cycles longer as the memory outside takes to its first word, and to its answer to
// the last, once, by events and by the closed form, and not to a first word that it does not read. On npu1 both are as
// measured on Phoenix.
func TestStart(t *testing.T) {
	require.Equal(t, 747.0, machinetest.Preset(t, "npu1").DDR.Start.Read.Value)
	require.Equal(t, 171.0, machinetest.Preset(t, "npu1").DDR.Start.Write.Value)
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		nothing := relu(1<<12, dtype.F32)
		nothing.Pointwise.In = nil
		for _, w := range []*workload.Kernel{relu(1<<8, dtype.BF16), relu(1<<16, dtype.BF16), product(512, 512, 512, dtype.I8), nothing} {
			m := *machinetest.Preset(t, name)
			m.DDR.Start = machine.Start{}
			choice, p := mapped(t, &m, w)
			before := run(t, p, options(choice))
			for _, c := range []struct{ read, write float64 }{{747, 0}, {0, 171}, {300, 50}} {
				slow := m
				slow.DDR.Start.Read.Value, slow.DDR.Start.Write.Value = c.read, c.write
				p, err := choice.Program()
				require.NoError(t, err)
				p.Machine = &slow
				after := run(t, p, options(choice))
				want := c.read + c.write
				if w == nothing {
					want = c.write
				}
				require.InDelta(t, want, after.Cycles-before.Cycles, 1, "%s: events of %s", name, w.Name)
				estimate, err := timing.Estimate(&slow, w, choice.Mapping)
				require.NoError(t, err)
				require.InDelta(t, want, estimate.Cycles-choice.Timing.Cycles, 1e-3, "%s: closed form of %s", name, w.Name)
			}
		}
	}
}
