package mapper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// mapped are random kernels with their mappings on every array, so far. All tests have the same kernels: among the
// first programs some do not finish with short queues.
var mapped struct {
	random  *rand.Rand
	choices []*mapper.Choice
}

// eachMapped maps random kernels on every array, once for all tests. what names the case.
func eachMapped(t *testing.T, kernels int, test func(what string, c *mapper.Choice)) {
	t.Helper()
	if mapped.random == nil {
		mapped.random = rand.New(rand.NewPCG(107, 1))
	}
	all := longtest.Sample(1+kernels/20, 1+kernels/13, 1+kernels/3) * len(arrays)
	for len(mapped.choices) < all {
		w := workloadtest.Kernel(mapped.random)
		for _, name := range arrays {
			c, err := mapper.Map(machinetest.Preset(t, name), w)
			require.NoError(t, err)
			mapped.choices = append(mapped.choices, c)
		}
	}
	for i, c := range mapped.choices[:all] {
		test(fmt.Sprintf("kernel %d on %s: %v %v, %v", i/len(arrays), c.Machine.Name, c.Kernel.Kind, c.Kernel.Inputs(), c.Mapping), c)
	}
}

// TestEstimates checks the closed form of random kernels: no time beats the peak rate
// and the compulsory bytes, the parts add up, utilization is at most one,
// multiply-accumulates are the kernel's and no byte of it is left out.
func TestEstimates(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(a, b) }
	eachMapped(t, 80, func(what string, c *mapper.Choice) {
		e, w := c.Timing, c.Kernel
		model, err := timing.NewModel(c.Machine, w)
		require.NoError(t, err)
		floor := model.Floor(c.Mapping)
		if least := model.FloorUpTo(&c.Mapping, 0.7*floor); least > floor*(1+1e-9) || least < 0.7*floor {
			t.Errorf("%s: floor %g s, %g s for 0.7 of it", what, floor, least)
		}
		if floor > e.Seconds*(1+1e-9) {
			t.Errorf("%s: floor %g s, %g s", what, floor, e.Seconds)
		}
		if e.Seconds < e.Ideal*(1-1e-9) {
			t.Errorf("%s: %g s, ideal %g s", what, e.Seconds, e.Ideal)
		}
		s := e.Stalls
		if sum := s.Compute + s.Call + s.DMA + s.Output + s.Fill + s.Host; !near(sum, e.Seconds) {
			t.Errorf("%s: stalls add up to %g of %g s", what, sum, e.Seconds)
		}
		if sum := e.Launch + e.Restart + e.Fill + e.Steady + e.Output + e.Drain; !near(sum, e.Seconds) {
			t.Errorf("%s: phases add up to %g of %g s", what, sum, e.Seconds)
		}
		if e.PeakShare > 1+1e-9 || e.Roofline > 0 && e.OpsPerSecond > e.Roofline*(1+1e-9) {
			t.Errorf("%s: %g of peak, %g ops/s of %g", what, e.PeakShare, e.OpsPerSecond, e.Roofline)
		}
		if e.MACs != w.MACs() || e.ReadL3 < w.ReadBytes() || e.WriteL3 < w.WriteBytes() {
			t.Errorf("%s: %d of %d multiply-accumulates, %d of %d and %d of %d bytes", what, e.MACs,
				w.MACs(), e.ReadL3, w.ReadBytes(), e.WriteL3, w.WriteBytes())
		}
	})
}

// TestMonotone expects of random kernels that the same mapping is never slower on a
// better machine, as TestInvariants of package event does.
func TestMonotone(t *testing.T) {
	better := []struct {
		what   string
		change func(*machine.Machine)
	}{
		{"clock", func(m *machine.Machine) { m.Clock.Value *= 1.5 }},
		{"reading", func(m *machine.Machine) { m.DDR.Read.Value *= 1.5 }},
		{"writing", func(m *machine.Machine) { m.DDR.Write.Value *= 1.5 }},
		{"memory", func(m *machine.Machine) { m.DDR.Total.Value *= 1.5 }},
		{"interface tiles", func(m *machine.Machine) { m.DDR.PerShim.Value *= 1.5 }},
		{"launch", func(m *machine.Machine) { m.Host.Launch.Value /= 2 }},
		{"streams", func(m *machine.Machine) { m.Core.ChannelRate.Value *= 2 }},
	}
	eachMapped(t, 50, func(what string, c *mapper.Choice) {
		for _, b := range better {
			m := machinetest.Preset(t, c.Machine.Name)
			b.change(m)
			e, err := timing.Estimate(m, c.Kernel, c.Mapping)
			require.NoError(t, err)
			if e.Seconds > c.Timing.Seconds*1.0005 {
				t.Errorf("%s: better %s, %g s, was %g s", what, b.what, e.Seconds, c.Timing.Seconds)
			}
		}
	})
}

// TestHalfK expects of random products and machines that half the contracted dimension
// takes about half the time where cores are what counts, and never less or more, the fill
// counted: it is the first of what the memory has to bring.
func TestHalfK(t *testing.T) {
	r := rand.New(rand.NewPCG(103, 1))
	bound := 0
	for range longtest.Sample(1, 2, 5) {
		for _, name := range longtest.Some(2, arrays...) {
			m := machinetest.Preset(t, name)
			k := 4096 << r.IntN(3)
			in, out := dtype.I8, dtype.I32
			if r.IntN(2) == 0 {
				in, out = dtype.BF16, dtype.F32
			}
			w := gemm(64*(32+r.IntN(32)), k, 64*(32+r.IntN(32)), in, out, out)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			w.Contraction.K /= 2
			half, err := timing.Estimate(m, w, c.Mapping)
			require.NoError(t, err)
			ratio := (half.Steady + half.Fill + half.Restart) /
				(c.Timing.Steady + c.Timing.Fill + c.Timing.Restart)
			most := 1 + 1e-9
			if half.Bound == timing.BoundCore && c.Timing.Bound == timing.BoundCore {
				bound++
				most = 0.55
			}
			if ratio < 0.45 || ratio > most {
				t.Errorf("%s, %d x %d x %d: %v: ratio %g", name, w.Contraction.M, k, w.Contraction.N,
					c.Mapping, ratio)
			}
		}
	}
	require.Greater(t, bound, longtest.Sample(0, 1, 2), "what cores bound is drawn")
}

// eachProgram visits lowered programs of random kernels that are not too long to run.
func eachProgram(t *testing.T, kernels int, test func(what string, c *mapper.Choice,
	p *program.Program)) {
	t.Helper()
	eachMapped(t, kernels, func(what string, c *mapper.Choice) {
		if c.Timing.Rounds*c.Timing.Steps > 5000 {
			return
		}
		p, err := c.Program()
		require.NoError(t, err, what)
		p.Lower()
		test(what, c, p)
	})
}

// TestBytes checks random programs when they run: what the host moves is no less than the
// kernel needs, every channel moves whole descriptors of its chain, and the channels of
// interface tiles move what the host's tasks name.
func TestBytes(t *testing.T) {
	eachProgram(t, 25, func(what string, c *mapper.Choice, p *program.Program) {
		result, err := event.Run(p, event.Options{})
		require.NoError(t, err, what)
		var read, write, ends int64
		for _, op := range p.Runtime {
			if task, ok := op.(program.Task); ok {
				if n := int64(task.Elements() * p.Args[task.Arg].DType.Size()); p.Sends(task) {
					read += n
				} else {
					write += n
				}
			}
		}
		if read != result.ReadBytes || write != result.WriteBytes || read < c.Kernel.ReadBytes()-scalars(c.Kernel) ||
			write < c.Kernel.WriteBytes() {
			t.Errorf("%s: tasks of %d and %d bytes, moved %d and %d, needed %d and %d", what, read, write,
				result.ReadBytes, result.WriteBytes, c.Kernel.ReadBytes(), c.Kernel.WriteBytes())
		}
		for i, ch := range result.Channels {
			d := &p.DMAs[i]
			if d.Tile.Row == 0 {
				ends += ch.Bytes
				continue
			}
			left := ch.Bytes
			var chain int64
			sizes := make([]int64, len(d.Descriptors))
			for k, b := range d.Descriptors {
				sizes[k] = int64(b.Length * p.Buffers[b.Buffer].Object.DType.Size())
				chain += sizes[k]
			}
			left %= chain
			for k := 0; left > 0 && k < len(sizes); k++ {
				left -= sizes[k]
			}
			if left != 0 {
				t.Errorf("%s: %s %d of %v moves %d bytes, which are no whole descriptors of %v", what,
					d.Dir, d.Channel, d.Tile, ch.Bytes, sizes)
			}
		}
		if ends != read+write {
			t.Errorf("%s: interface tiles move %d bytes, tasks name %d", what, ends, read+write)
		}
	})
}

// scalars is the bytes of inputs that are parameters of the kernel's code.
func scalars(w *workload.Kernel) int64 {
	n := int64(0)
	for _, in := range w.Inputs() {
		if in.Elements == 1 {
			n += in.Bytes()
		}
	}
	return n
}

// TestResources checks random programs against the tables of their machine without
// [program.Program.Verify]: buffers lie apart within the memory behind the stack, and
// locks, descriptors and channels are as many as there are.
func TestResources(t *testing.T) {
	eachProgram(t, 30, func(what string, c *mapper.Choice, p *program.Program) {
		m := c.Machine
		buffers := make(map[program.Coord][][2]int)
		for _, b := range p.Buffers {
			buffers[b.Tile] = append(buffers[b.Tile], [2]int{b.Address, b.Address + b.Object.Bytes()})
		}
		for at, list := range buffers {
			slices.SortFunc(list, func(a, b [2]int) int { return a[0] - b[0] })
			tile, end := m.TileAt(at), m.TileAt(at).Stack.Int()
			for _, b := range list {
				if b[0] < end || b[1] > tile.Memory.Int() {
					t.Errorf("%s: bytes %v of tile %v, of %d, in use up to %d", what, b, at,
						tile.Memory.Int(), end)
				}
				end = b[1]
			}
		}
		locks := make(map[program.Coord]map[int]bool)
		for _, l := range p.Locks {
			if locks[l.Tile] == nil {
				locks[l.Tile] = make(map[int]bool)
			}
			tile := m.TileAt(l.Tile)
			if locks[l.Tile][l.ID] || l.ID >= tile.Locks.Int() || l.Init > tile.LockMax.Int() {
				t.Errorf("%s: lock %d of tile %v, of %d, starts at %d", what, l.ID, l.Tile,
					tile.Locks.Int(), l.Init)
			}
			locks[l.Tile][l.ID] = true
		}
		type id struct {
			tile program.Coord
			dir  program.Direction
			n    int
		}
		channels, descriptors := make(map[id]bool), make(map[id]bool)
		for _, d := range p.DMAs {
			tile := m.TileAt(d.Tile)
			most := map[program.Direction]int{program.MM2S: tile.Out.Int(), program.S2MM: tile.In.Int()}[d.Dir]
			key := id{d.Tile, d.Dir, d.Channel}
			if channels[key] || d.Channel >= most {
				t.Errorf("%s: %s channel %d of tile %v, of %d", what, d.Dir, d.Channel, d.Tile, most)
			}
			channels[key] = true
			for _, b := range d.Descriptors {
				key := id{tile: d.Tile, n: b.ID}
				if descriptors[key] || b.ID >= tile.Descriptors.Int() {
					t.Errorf("%s: descriptor %d of tile %v, of %d", what, b.ID, d.Tile, tile.Descriptors.Int())
				}
				descriptors[key] = true
				fields(t, what, tile, &b, p.Buffers[b.Buffer].Object.DType.Size())
			}
		}
	})
}

// fields checks the length, the dimensions, and their steps and wraps in words.
func fields(t *testing.T, what string, tile *machine.Tile, b *program.Descriptor, size int) {
	t.Helper()
	ok := b.Length*size < 4<<tile.LengthBits.Int() && len(b.Dims) <= tile.Dims.Int()+1
	for i, d := range b.Dims {
		ok = ok && (i == len(b.Dims)-1 || d.Stride*size <= 4<<tile.StepBits.Int())
	}
	if !ok {
		t.Errorf("%s: a descriptor of %d elements of %d bytes over %v", what, b.Length, size, b.Dims)
	}
}

// TestMirrored expects the same time when columns change places from left to right.
func TestMirrored(t *testing.T) {
	mirrored := 0
	eachProgram(t, 30, func(what string, c *mapper.Choice, p *program.Program) {
		cols := c.Machine.Grid.Cols
		if !c.Machine.Grid.VerticalCascade || len(c.Machine.Grid.ShimDMA) < cols {
			return // streams are as far from an interface tile on either side
		}
		mirrored++
		want, err := event.Run(p, event.Options{})
		require.NoError(t, err, what)
		q, err := c.Build()
		require.NoError(t, err, what)
		mirror := func(at *program.Coord) { at.Col = cols - 1 - at.Col }
		for i := range q.FIFOs {
			mirror(&q.FIFOs[i].Producer)
			q.FIFOs[i].Consumers = slices.Clone(q.FIFOs[i].Consumers)
			for j := range q.FIFOs[i].Consumers {
				mirror(&q.FIFOs[i].Consumers[j])
			}
		}
		for i := range q.Links {
			mirror(&q.Links[i].Tile)
		}
		for i := range q.Cores {
			mirror(&q.Cores[i].Tile)
		}
		q.Lower()
		got, err := event.Run(q, event.Options{})
		require.NoError(t, err, what)
		if math.Abs(got.Seconds-want.Seconds) > 1e-9*want.Seconds {
			t.Errorf("%s: %g s, mirrored %g s", what, want.Seconds, got.Seconds)
		}
	})
	require.Positive(t, mirrored)
}
