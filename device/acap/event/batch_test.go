package event_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestBatches runs batches of small products and convolutions by groups. The host issues the tasks
// of all matrices and waits once; the closed form says as much.
func TestBatches(t *testing.T) {
	products, all := 0, 0
	for _, name := range longtest.Some(2, "npu1", "vek280", "npu2", "vck190") {
		m := machinetest.Preset(t, name)
		for _, batch := range []int{1, 7, 40} {
			w := product(96, 64, 48, dtype.F32)
			w.Contraction.Batch = batch
			groups := &workload.Kernel{Name: "groups", Kind: workload.KindConvolution, Convolution: workload.Convolution{
				N: 1, C: batch, H: 17, W: 17, K: batch, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1,
				Groups: batch, In: dtype.F32, Weight: dtype.F32, Acc: dtype.F32, Out: dtype.F32}}
			for _, w := range []*workload.Kernel{w, groups} {
				c, p := mapped(t, m, w)
				p.Lower()
				require.NoError(t, p.Verify(), "%s, %d of %v", name, batch, w.Kind)
				all++
				waits := 0
				for i, op := range p.Runtime {
					if _, task := op.(program.Task); task && i > 0 {
						if _, await := p.Runtime[i-1].(program.Await); await {
							waits++
						}
					}
				}
				if c.Timing.Restart == 0 {
					require.Zero(t, waits, "%s, %d of %v: %v", name, batch, w.Kind, c.Mapping)
					products++
				}
				r := run(t, p, options(c))
				if d := r.Seconds/c.Timing.Seconds - 1; math.Abs(d) > 0.05 {
					t.Errorf("%s, %d of %v: %v: events %.2f us, closed form %.2f us", name, batch, w.Kind, c.Mapping,
						1e6*r.Seconds, 1e6*c.Timing.Seconds)
				}
				model, err := timing.NewModel(m, w)
				require.NoError(t, err)
				require.LessOrEqual(t, model.Floor(c.Mapping), c.Timing.Seconds*(1+1e-9), "%s, %d of %v: %v", name, batch, w.Kind,
					c.Mapping)
			}
		}
	}
	require.Greater(t, 2*products, all)
}
