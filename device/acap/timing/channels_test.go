package timing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestChannels: no product is done before the channels of a core have brought what all steps take, with mem tiles or
// without, however slow these channels are.
func TestChannels(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, name := range []string{"npu1", "vck190"} {
		for _, slower := range []float64{1, 16, 64} {
			m := machinetest.Preset(t, name)
			m.Core.ChannelRate.Value /= slower
			style := ""
			for s, of := range m.Compute.Styles {
				if of.Takes("i8") && (style == "" || s < style) {
					style = s
				}
			}
			for range 5 {
				g := square(16 << r.IntN(2))
				g.Style = style
				w := product(256+r.IntN(512), 256+r.IntN(512), 512+r.IntN(512), dtype.I8)
				w.Contraction.Acc = dtype.I32
				e, err := timing.Estimate(m, w, g)
				require.NoError(t, err)
				bytes := float64(e.Rounds*e.Steps) * float64(g.TM*g.TK)
				require.GreaterOrEqual(t, e.Seconds*(1+1e-9), e.Launch+bytes/m.Core.ChannelRate.Value/m.Clock.Value, "%s, %v", name, g)
			}
		}
	}
}

// TestStreams: the arrays of points share as many channels as there are, or as the mapping lets them have.
func TestStreams(t *testing.T) {
	m := runner()
	s := workload.Stream{DType: dtype.I32, Elements: 4096}
	w := &workload.Kernel{Name: "sum", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 4096, DType: dtype.I32,
		In: []workload.Stream{s, s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 1}}}
	for lanes, channels := range map[int]float64{0: 2, 1: 1, 2: 2, 3: 2} {
		e, err := timing.Estimate(m, w, mapping.Mapping{Kind: workload.KindPointwise, Cols: 1, Rows: 1, Tile: 1024, Depth: 2, Lanes: lanes})
		require.NoError(t, err)
		requireNear(t, 1024*8/channels/4, e.Step.Stream*m.Clock.Value, "channels of a core")
		requireNear(t, max(1024*8/channels/4, 1024*8/min(2*4*m.Clock.Value, m.DDR.PerShim.Value)*m.Clock.Value),
			e.Step.Shim*m.Clock.Value, "channels of an interface tile")
	}
}

// TestRamps: where a parameter has no channel to itself, steps follow one another at the pace of the slowest resource,
// and the last one ends with the work of a core.
func TestRamps(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	m.Core.In.Value = 1
	stream := func(elements int64) workload.Stream { return workload.Stream{DType: dtype.BF16, Elements: elements} }
	w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 640, Cols: 64, DType: dtype.BF16,
		Passes: 1, In: []workload.Stream{stream(640 * 64), stream(64)}, Out: []workload.Stream{stream(640 * 64)}, Ops: workload.Mix{Simple: 1}}}
	for _, slow := range []float64{1, 1000} {
		m.DDR.Read.Value /= slow
		e, err := timing.Estimate(m, w, mapping.Mapping{Kind: workload.KindNormalize, Cols: 2, Rows: 2, Tile: 8, Depth: 2})
		require.NoError(t, err)
		require.EqualValues(t, 20, e.Rounds*e.Steps)
		pace, _ := e.Step.Max()
		requireNear(t, 19*pace+e.Step.Core, e.Steady, "steps")
	}
}

// TestStepsOfPieces: all steps together take as much of the memory as all bytes.
func TestStepsOfPieces(t *testing.T) {
	for _, how := range []string{"merges", "ranges"} {
		m := machinetest.Preset(t, "npu2")
		c, err := mapper.Map(m, split(how))
		require.NoError(t, err)
		e, d := c.Timing, &m.DDR
		read, write := float64(e.ReadL3), float64(e.WriteL3)
		require.InEpsilon(t, max(read/d.Read.Value, write/d.Write.Value, d.Both(read, write)), e.Step.DDR*float64(e.Steps*e.Rounds), 1e-3, how)
		require.Equal(t, e.ReadL3+e.WriteL3, e.L1, how)
	}
}

// TestHeldStrips: strips of A are held in mem tiles, where there are any.
func TestHeldStrips(t *testing.T) {
	for name, held := range map[string]bool{"npu1": true, "vck190": false} {
		m := machinetest.Preset(t, name)
		g := square(32)
		g.Hold = 1
		for s, of := range m.Compute.Styles {
			if of.Takes("i8") {
				g.Style = s
			}
		}
		w := product(512, 512, 512, dtype.I8)
		w.Contraction.Acc = dtype.I32
		_, err := timing.Estimate(m, w, g)
		if held {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "holds strips of A where there are none")
		}
	}
}

// TestOutput: the names of what bounds a kernel, and what bounds it.
func TestOutput(t *testing.T) {
	for want, s := range map[timing.Resource]timing.Step{
		timing.BoundCore:   {Core: 4, Stream: 4, Shim: 4, DDR: 4},
		timing.BoundStream: {Core: 1, Stream: 4, Shim: 4, DDR: 4},
		timing.BoundShim:   {Core: 1, Stream: 2, Shim: 4, DDR: 4},
		timing.BoundDDR:    {Core: 1, Stream: 2, Shim: 3, DDR: 4},
	} {
		pace, bound := s.Max()
		require.Equal(t, 4.0, pace)
		require.Equal(t, want, bound)
	}
	w, g := product(256, 256, 256, dtype.BF16), square(32)
	bound := func(change func(m *machine.Machine)) timing.Resource {
		m := machinetest.Preset(t, "npu1")
		change(m)
		e, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		return e.Bound
	}
	require.Equal(t, timing.BoundHost, bound(func(m *machine.Machine) { m.Host.Launch.Value = 1 }))
	require.Equal(t, timing.BoundDDR, bound(func(m *machine.Machine) { m.Host.Launch.Value, m.DDR.Read.Value = 0, m.DDR.Read.Value/1000 }))
	require.Equal(t, timing.BoundStream, bound(func(m *machine.Machine) {
		m.Host.Launch.Value, m.Core.ChannelRate.Value = 0, m.Core.ChannelRate.Value/1000
	}))
	require.Equal(t, "compute stream shim DDR output host fill", timing.BoundCore.String()+" "+timing.BoundStream.String()+" "+
		timing.BoundShim.String()+" "+timing.BoundDDR.String()+" "+timing.BoundOutput.String()+" "+timing.BoundHost.String()+" "+timing.BoundFill.String())
}

// TestOnArray: what bounds the array's work, however long the host's call takes: what takes more than half of it, or
// the pace of a step.
func TestOnArray(t *testing.T) {
	step := timing.Step{Core: 1, DDR: 2}
	for want, e := range map[timing.Resource]timing.Timing{
		timing.BoundDDR:    {Seconds: 20, Launch: 10, Steady: 8, Output: 1, Fill: 0.5, Drain: 0.5},
		timing.BoundFill:   {Seconds: 20, Launch: 10, Steady: 4, Fill: 3, Drain: 3},
		timing.BoundHost:   {Seconds: 20, Launch: 10, Steady: 4, Restart: 6},
		timing.BoundOutput: {Seconds: 20, Launch: 10, Steady: 4, Output: 5, Fill: 1},
	} {
		e.Step = step
		require.Equal(t, want, e.OnArray())
		e.Seconds, e.Launch = e.Seconds+90, e.Launch+90
		require.Equal(t, want, e.OnArray())
	}
}

// TestIdleLanes: results side by side take whole vectors, and the last vector has idle lanes.
func TestIdleLanes(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	lanes, _ := m.LaneRate(dtype.BF16)
	const rows, cols = 64, 96
	s := workload.Stream{DType: dtype.BF16, Elements: rows * cols}
	perRow := func(line int) float64 {
		w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: rows, Cols: cols, DType: dtype.BF16,
			Passes: 1, Line: line, In: []workload.Stream{s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 3}}}
		e, err := timing.Estimate(m, w, mapping.Mapping{Kind: workload.KindNormalize, Cols: 2, Rows: 2, Tile: 4, Depth: 2})
		require.NoError(t, err)
		return e.Step.Core*m.Clock.Value/4 - m.Compute.Routines["row"].Row.Value
	}
	require.Greater(t, lanes, 2.0)
	folded := perRow(0)
	for line, vectors := range map[int]float64{1: 1, int(lanes): 1, int(lanes) + 1: 2, 3 * int(lanes): 3} {
		requireNear(t, folded*vectors*lanes/float64(line), perRow(line), "a row")
	}
}
