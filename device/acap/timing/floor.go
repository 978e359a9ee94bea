package timing

import (
	"math"
	"slices"
)

// demand is the least time, in seconds, of the streams of one direction: on each resource that they share, and until
// every stream has brought its first object.
type demand struct {
	use     [resources]float64 // by all objects
	channel float64            // by the objects of the busiest channel, with the gaps between them
	once    float64            // until one of every stream is there
}

// demand adds up what streams of one direction take.
func (e *estimate) demand(streams []stream, tiles *busiest, direction, tile int) demand {
	var d demand
	var first [resources]float64
	last := math.Inf(1)
	for i := range streams {
		s := &streams[i]
		whole, inner := e.seconds(s)
		kinds := e.kinds(s, i, tiles, direction, tile)
		plain, added := s.transfers()
		parts := float64(s.parts)
		for r := range d.use {
			d.use[r] += float64(plain*kinds[0].use[r]) + float64(added*kinds[1].use[r])
			first[r] += float64(parts * kinds[0].use[r])
		}
		d.channel = max(d.channel, (float64(plain)+float64(added))*(whole+float64(e.setup*s.turns())))
		if e.machine.Grid.MemRows == 0 || s.resident {
			inner = 0
		}
		d.once = max(d.once, float64(parts*whole)+inner)
		last = min(last, inner)
	}
	d.once = max(d.once, slices.Max(first[:])+last)
	return d
}

// most returns what the streams take at least, by themselves.
func (d *demand) most() float64 { return max(d.channel, slices.Max(d.use[:])) }

// moving is seconds that the memory outside takes at least for what a product's operands and results move.
func (t *tiles) moving(operands *[2]stream) float64 {
	g, d := &t.e.mapping, &t.e.machine.DDR
	read, written := 0.0, 0.0
	for i := range operands {
		s := &operands[i]
		if s.resident || s.alone && s.added > 0 { // other stages of a cascade move less
			continue
		}
		read += float64(s.size() * s.cost * float64(s.objects*int64(s.streams))) // never fused: the same on every processor
	}
	if g.Out.Row == 0 {
		written = float64(t.e.Rounds*t.tileOut) * float64(g.PartsM*g.PartsN)
	}
	return max(read/d.Read.Value, written/d.Write.Value, d.Both(read, 0)+d.Both(0, written))
}

// pace sets the seconds of a step on the interface tiles and on the memory. It returns a lower bound of the seconds for
// any order of calls and transfers: the longest work of cores, channels and the memory, with the times before its first
// and after its last step in a set.
func (b *blocks) pace() float64 {
	e := b.e
	in := e.demand(b.operands[:], &b.into, readMemory, intoArray)
	out := e.demand([]stream{b.results}, &b.from, writeMemory, fromArray)
	rounds, sets := float64(e.Rounds), float64(b.sets)
	calls, both := rounds*float64(e.Steps), in.use[bothMemory]+out.use[bothMemory]
	e.Step.DDR = max(in.use[readMemory], out.use[writeMemory], both) / calls
	e.Step.Shim = max(in.channel, out.channel, slices.Max(in.use[intoArray:fromArray]),
		slices.Max(out.use[fromArray:])) / calls
	block := float64(float64(e.Steps)*e.Step.Core) + b.finish
	core := float64(rounds * (block + b.clear))
	if _, inner := e.seconds(&b.results); e.mapping.OutDepth == 1 && e.machine.Grid.MemRows > 0 {
		core += float64((rounds - sets) * inner) // until the only tile has left
	}
	fill := sets * in.once
	if b.holdsB() && b.together == 1 { // which is there but for the first set of a matrix
		again := e.demand(b.operands[:1], &b.into, readMemory, intoArray)
		batch := float64(b.c.Batch)
		fill = float64(batch*in.once) + float64((sets-batch)*again.once)
	}
	last := e.Step.Core // after the last object of an operand
	if b.addedA+b.addedB > 0 {
		last = 0
	}
	// Nothing waits for what lies between the last result of a set and the next.
	leaves := max(out.channel-float64(sets*float64(e.setup*b.results.turns())), slices.Max(out.use[:]))
	ended := max(core+fill+float64(sets*out.once), both, in.most()+float64(sets*(last+b.finish+out.once)),
		leaves+fill+float64(sets*block))
	return max(core+fill, calls*e.Step.Stream, ended-b.ahead())
}
