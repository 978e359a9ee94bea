package timing_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// mapped are random kernels of all kinds on all arrays and on a systolic array, mapped once for all tests, and where
// the next come from.
var mapped struct {
	random  *rand.Rand
	kernels [][]*mapper.Choice
}

// eachEstimate times random kernels of all kinds on all arrays, as the mapper lays them out and with
// other buffers, and on a systolic array.
func eachEstimate(t *testing.T, seed uint64, kernels int,
	test func(what string, m *machine.Machine, w *workload.Kernel, g mapping.Mapping, e timing.Timing)) {
	t.Helper()
	if mapped.random == nil {
		mapped.random = rand.New(rand.NewPCG(4, 9))
	}
	for len(mapped.kernels) < kernels {
		w := workloadtest.Kernel(mapped.random)
		var on []*mapper.Choice
		for _, name := range []string{"npu1", "npu2", "vek280", "vck190", "systolic"} {
			m := machine.Systolic(32, 32, machine.OutputStationary)
			if name != "systolic" {
				m = machinetest.Preset(t, name)
			}
			c, err := mapper.Map(m, w)
			if name == "systolic" && err != nil {
				continue // it has rates for products only
			}
			require.NoError(t, err)
			on = append(on, c)
		}
		mapped.kernels = append(mapped.kernels, on)
	}
	r := rand.New(rand.NewPCG(seed, 9))
	for i, on := range mapped.kernels[:kernels] {
		for _, c := range on {
			m, w, g := c.Machine, c.Kernel, c.Mapping
			for range 3 {
				e, err := timing.Estimate(m, w, g)
				require.NoError(t, err)
				test(fmt.Sprintf("kernel %d on %s: %v, %v", i, m.Name, w.Kind, g), m, w, g, e)
				if g.Depth == 0 {
					break
				}
				g.Depth, g.OutDepth = 1+r.IntN(2), 1+r.IntN(2)
			}
		}
	}
}

// units are how large a second, a cycle and a joule are, in others.
type units struct{ second, cycle, joule float64 }

// scaled returns a machine whose constants are written in other units.
func scaled(m *machine.Machine, u units) *machine.Machine {
	text := &strings.Builder{}
	if err := m.WriteJSON(text); err != nil {
		panic(err)
	}
	out, err := machine.Read(strings.NewReader(text.String()))
	if err != nil {
		panic(err)
	}
	out.Constants(func(_ string, c *machine.Constant) {
		above, below, _ := strings.Cut(c.Unit, "/")
		unit := func(name string) float64 {
			switch name {
			case "s":
				return u.second
			case "cycle":
				return u.cycle
			case "Hz":
				return u.cycle / u.second
			case "J", "pJ":
				return u.joule
			case "W":
				return u.joule / u.second
			}
			return 1
		}
		c.Value *= unit(above) / unit(below)
	})
	return out
}

// TestUnits: what a kernel costs does not depend on the units of its machine's constants. With seconds
// half as long all times are twice as many of them, with cycles half as long nothing changes but
// the number of cycles, and with joules half as large only energies. All factors are powers of two, so
// that not even rounding differs: a product in the place of a quotient, or a rate that is added to
// a time, fails here.
func TestUnits(t *testing.T) {
	type key struct {
		machine string
		units
	}
	machines := map[key]*machine.Machine{}
	eachEstimate(t, 1, longtest.Sample(6, 6, 60), func(what string, m *machine.Machine, w *workload.Kernel, g mapping.Mapping, e timing.Timing) {
		for _, u := range []units{{4, 1, 1}, {1, 4, 1}, {1, 1, 4}, {0.25, 16, 2}} {
			if m.Systolic != nil && u.cycle != 1 {
				continue // a cell does one product a cycle by definition
			}
			k := key{m.Name, u}
			if machines[k] == nil {
				machines[k] = scaled(m, u)
			}
			other, err := timing.Estimate(machines[k], w, g)
			require.NoError(t, err, what)
			want := e
			for _, v := range []*float64{&want.Seconds, &want.Ideal, &want.Launch, &want.Restart, &want.Pause, &want.Fill,
				&want.Steady, &want.Output, &want.Drain, &want.Step.Core, &want.Step.Stream, &want.Step.Shim, &want.Step.DDR,
				&want.Sort, &want.Merge, &want.Gather, &want.Start, &want.Stalls.Compute, &want.Stalls.Call, &want.Stalls.DMA,
				&want.Stalls.Output, &want.Stalls.Fill, &want.Stalls.Host} {
				*v *= u.second
			}
			want.Cycles *= u.cycle
			want.MACsPerCycle /= u.cycle
			want.OpsPerSecond /= u.second
			want.Roofline /= u.second
			want.Memory /= u.second
			for _, v := range []*float64{&want.Joules, &want.Energy.Compute, &want.Energy.Memories, &want.Energy.Network,
				&want.Energy.Outside, &want.Energy.Rest} {
				*v *= u.joule
			}
			require.Equal(t, want, other, "%s, units %v", what, u)
		}
	})
}

// TestMoreWork: a kernel with more of something takes at least as long, in the same mapping, but for a
// part in five hundred by which transfers fall together otherwise.
func TestMoreWork(t *testing.T) {
	tried := 0
	eachEstimate(t, 2, longtest.Sample(12, 12, 25), func(what string, m *machine.Machine, w *workload.Kernel, g mapping.Mapping, e timing.Timing) {
		for more, change := range map[string]func(w *workload.Kernel){
			"rows":    func(w *workload.Kernel) { w.Contraction.M *= 2; w.Convolution.N *= 2; w.Attention.Batch *= 2 },
			"columns": func(w *workload.Kernel) { w.Contraction.N *= 2; w.Attention.Sk *= 2 },
			"depth":   func(w *workload.Kernel) { w.Contraction.K *= 2; w.Attention.Sq *= 2 },
			"work":    func(w *workload.Kernel) { w.Pointwise.Ops.Simple += 8; w.Normalize.Ops.Simple += 8 },
		} {
			larger := *w
			larger.Contraction.Epilogue.In = nil // whose extents are the product's
			larger.Attention.Mask = nil
			before, err := timing.Estimate(m, &larger, g)
			require.NoError(t, err)
			change(&larger)
			after, err := timing.Estimate(m, &larger, g)
			if err != nil {
				continue // a mapping that goes with the extents
			}
			tried++
			if after.Seconds < before.Seconds*0.998 {
				t.Errorf("%s: %.9g s, with more %s %.9g s", what, before.Seconds, more, after.Seconds)
			}
		}
	})
	require.Greater(t, tried, longtest.Sample(200, 200, 400))
}

// TestBuffers: a second buffer never makes a kernel slower, but for as little.
func TestBuffers(t *testing.T) {
	eachEstimate(t, 3, longtest.Sample(12, 12, 25), func(what string, m *machine.Machine, w *workload.Kernel, g mapping.Mapping, e timing.Timing) {
		for name, change := range map[string]func(g *mapping.Mapping){
			"input": func(g *mapping.Mapping) { g.Depth = 2 }, "output": func(g *mapping.Mapping) { g.OutDepth = 2 }} {
			double := g
			if change(&double); g.Depth == 0 {
				continue
			}
			if faster, err := timing.Estimate(m, w, double); err != nil || faster.Seconds > e.Seconds*1.002 {
				t.Errorf("%s: %.9g s, with double %s buffers %.9g s %v", what, e.Seconds, name, faster.Seconds, err)
			}
		}
	})
}

// TestEvents compares estimates with runs of the programs, event by event. Package event does so for
// more kernels of each kind and says how near they are; here all kinds but rows and all buffers are together.
func TestEvents(t *testing.T) {
	near, runs := 0, 0
	eachEstimate(t, 4, longtest.Sample(10, 12, 30), func(what string, m *machine.Machine, w *workload.Kernel, g mapping.Mapping, e timing.Timing) {
		if e.Rounds*e.Steps > 3000 || g.Depth == 0 || w.Kind == workload.KindNormalize {
			return
		}
		c := &mapper.Choice{Machine: m, Kernel: w, Mapping: g, Timing: e}
		p, err := c.Program()
		if err != nil {
			return // larger buffers than there is space for
		}
		p.Lower()
		o := event.Options{Launch: e.Launch, Restart: e.Pause}
		if o.Restart == 0 {
			o.Restart = -1
		}
		r, err := event.Run(p, o)
		require.NoError(t, err, what)
		if w.Kind == workload.KindMove || w.Kind == workload.KindAttention ||
			w.Kind == workload.KindContraction && len(w.Contraction.Epilogue.In) == 0 && m.Grid.MemRows > 0 {
			requireTraffic(t, m, r, e, what)
		}
		ratio := e.Seconds / r.Seconds
		runs++
		if ratio > 0.95 && ratio < 1.05 {
			near++
		}
		if ratio < 0.7 || ratio > 1.4 {
			t.Errorf("%s: %.4g of what events take", what, ratio)
		}
	})
	t.Logf("%d of %d within 5 %%", near, runs)
	require.Greater(t, float64(near), 0.9*float64(runs))
	require.Greater(t, runs, 90)
}

// requireTraffic compares bytes with the bytes that the channels of a run have moved: all of the memory outside, and
// all of mem tiles and cores but a few that fill words.
func requireTraffic(t *testing.T, m *machine.Machine, r *event.Result, e timing.Timing, what string) {
	t.Helper()
	var tiles, cores int64
	for _, c := range r.Channels {
		switch {
		case c.Tile.Row > m.Grid.MemRows:
			cores += c.Bytes
		case c.Tile.Row > 0:
			tiles += c.Bytes
		}
	}
	require.Equal(t, [2]int64{r.ReadBytes, r.WriteBytes}, [2]int64{e.ReadL3, e.WriteL3}, what)
	require.InDelta(t, tiles, e.L2, 0.002*float64(tiles), what)
	require.InDelta(t, cores, e.L1, 0.002*float64(cores), what)
}
