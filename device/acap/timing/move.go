package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Passage is how a rearrangement passes through the array: as objects of Tile elements in the order of the result,
// dealt to Streams in runs, each from a channel of an interface tile back to one of the same tile.
// Where the elements are no multiple of the tile, the last object begins earlier, and moves some of them twice.
type Passage struct{ Streams, Objects, Tile int }

// PassageOf returns how a mapping lets a rearrangement pass.
func PassageOf(v *workload.Move, g *mapping.Mapping) Passage {
	n := int(v.Elements)
	tile := max(1, min(g.Tile, n))
	objects := (n + tile - 1) / tile
	return Passage{Streams: min(g.Cols*max(1, g.Lanes), objects), Objects: objects, Tile: tile}
}

// First returns the first object of a stream; the next stream's begin behind the last of these.
func (p Passage) First(stream int) int { return stream * p.Objects / p.Streams }

// move times rearrangements: DMA only, no core takes part.
func (e *estimate) move(v *workload.Move) error {
	m, g := e.machine, &e.mapping
	size := v.DType.Size()
	readRun, writeRun := v.Runs()
	shareR, shareW := MoveShares(m, v)
	e.Cores = 0
	hops := float64(m.Grid.Rows()) * m.Stream.Hop.Value / m.Clock.Value
	e.Fill, e.Drain = hops, hops
	// A DMA moves words of four bytes; runs of less waste the rest.
	waste := max(1, 4/float64(min(readRun, writeRun)*size))
	if v.Indexed {
		// The controller reads every index and issues a descriptor for its run.
		bytes := float64(v.Elements) * float64(size)
		setup := m.Stream.BDSetup.Value / m.Clock.Value
		e.Rounds, e.Steps = 1, 1
		e.Step.Core = float64(v.Elements) / float64(readRun) * setup / float64(g.Cols)
		e.Step.DDR = e.ddr(bytes/shareR, bytes/shareW)
		e.Step.Shim = e.shim(bytes*waste, bytes*waste)
		e.moved(e.read, e.write)
		return nil
	}
	p := PassageOf(v, g)
	e.Rounds, e.Steps = 1, int64((p.Objects+p.Streams-1)/p.Streams)
	object := float64(p.Tile * size)
	all := object * float64(p.Objects) / float64(e.Steps) // of all streams, in a step
	// Streams of one interface tile share what it gets of the memory.
	contention := float64((p.Streams + g.Cols - 1) / g.Cols)
	into := object * waste * max(1/e.channel, contention/e.channelOut)
	from := object * waste * max(1/e.channel, contention/e.channelIn)
	e.Step.Shim = max(into, from)
	e.Step.DDR = e.ddr(all/shareR, all/shareW)
	if m.Grid.MemRows > 0 {
		// The first object comes before any leaves, and the last leaves after all have come.
		first, last := max(into, e.ddr(all/shareR, 0)), max(from, e.ddr(0, all/shareW))
		// Mem tiles have a descriptor for each object, and as all go on to the next at once, the memory rests.
		pace := max(e.Step.Shim, e.Step.DDR) + e.setup
		e.Steady = first + float64(float64(e.Steps-1)*pace)
		e.Drain += last
	}
	bytes := int64(p.Objects) * int64(p.Tile*size)
	e.moved(bytes, bytes)
	return nil
}

// moved counts bytes that no core sees.
func (e *estimate) moved(read, write int64) {
	e.flatTraffic(read, write)
	e.L1 = 0
	if e.machine.Grid.MemRows > 0 {
		e.L2 = e.ReadL3 + e.WriteL3
	}
}

// MoveShares returns the shares of the memory's rate that both sides of a
// rearrangement reach by the length of their runs.
func MoveShares(m *machine.Machine, v *workload.Move) (read, write float64) {
	r, w := v.Runs()
	return runShare(m, r*v.DType.Size()), runShare(m, w*v.DType.Size())
}

// runShare is the share of the DDR rate for runs of n bytes: the machine's burst rule for accesses of at least 64
// bytes, times the share of an access that is wanted.
func runShare(m *machine.Machine, n int) float64 {
	const access = 64
	return m.DDR.BurstShare(max(n, access)) * min(1, float64(n)/access)
}
