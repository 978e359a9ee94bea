package timing

import "github.com/go-acap/acap/device/acap/workload"

// addend is so many objects on the stream of A or of B.
type addend struct {
	onB     bool
	objects int64
}

// addend returns the objects in which cores take an input of the epilogue for a block, none
// for a scalar. They come on the stream of an operand, after the last slice of K, each in
// whole objects of that stream (package program): arrays along N, and all of a convolution,
// on that of B, the others on that of A. A tile of an array that varies in both
// directions passes by every core that shares the stream.
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
	return addend{onB, passing * ceil(tile*s.DType.Size(), object)}
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
