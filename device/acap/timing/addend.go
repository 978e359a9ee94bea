package timing

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// addend is the number of objects on the stream of A or of B, and the number of them that belong to one tile.
type addend struct {
	onB           bool
	objects, tile int64
}

// addend returns the objects in which cores take an input of the epilogue for a block, none
// for a scalar. They come on the stream of an operand, after the last slice of K, each in
// whole objects of that stream (package program): arrays along N, and all arrays of a convolution, on the stream of B,
// the others on the stream of A. A tile of an array that varies in both directions passes by every core that shares the
// stream.
func (t *tiles) addend(s *workload.Stream) addend {
	g, c := &t.e.mapping, t.c
	alongM, alongN := c.Varies(*s).Along()
	tile, passing := g.TM*g.TN, int64(1)
	switch {
	case s.Elements <= 1:
		return addend{}
	case alongN:
		tile = g.TN
	case alongM && g.In.Row > 0:
		tile, passing = g.TM, int64(g.PartsM)
	case alongM:
		tile = g.TM
	case g.OutRows > 0 || g.In.Row > 0:
		passing = int64(g.PartsM)
	default:
		passing = int64(g.PartsN)
	}
	onB := alongN || g.OutRows > 0 || g.In.Row > 0
	object := t.sliceA * c.A.Bytes(g.TK, g.TM)
	if onB {
		object = t.slice * c.B.Bytes(g.TK, g.TN)
	}
	each := ceil(tile*s.DType.Size(), object)
	return addend{onB, passing * each, each}
}

// Parts reports whether parts of A, and of B, that share a stream can do so: each has its own of every object, which
// tiles of an input of the epilogue that fill several do not.
func (o *Model) Parts(g *mapping.Mapping) bool {
	if a, b := g.FanOuts(); a == 1 && b == 1 {
		return true
	}
	e := estimate{Model: o, mapping: *g}
	t := tiles{c: &o.contraction, e: &e, style: o.styles[g.Style]}
	t.count()
	return t.parts() == nil
}

// parts returns why parts cannot share streams as the mapping says.
func (t *tiles) parts() error {
	g, inputs := &t.e.mapping, t.c.Epilogue.In
	fanOutA, fanOutB := g.FanOuts()
	switch {
	case fanOutA == 1 && fanOutB == 1:
		return nil
	case g.PartsM%fanOutA > 0 || g.PartsN%fanOutB > 0 || t.e.machine.Grid.MemRows == 0 ||
		fanOutA > 1 && g.In.Row > 0 || fanOutB > 1 && g.Resident > 0:
		return t.e.error("mapping %v has no streams to part", *g)
	}
	for i := range inputs {
		if a := t.addend(&inputs[i]); a.tile > 1 && (a.onB && fanOutB > 1 || !a.onB && fanOutA > 1) {
			return t.e.error("mapping %v parts a stream of inputs of the epilogue that fill %d objects each", *g, a.tile)
		}
	}
	return nil
}

// countAddends counts the objects of all inputs of the epilogue.
func (t *tiles) countAddends() {
	inputs := t.c.Epilogue.In
	for i := range inputs {
		if a := t.addend(&inputs[i]); a.onB {
			t.addedB += a.objects
		} else {
			t.addedA += a.objects
		}
	}
}
