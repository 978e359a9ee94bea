package timing

// addend is so many objects on the stream of A or of B.
type addend struct {
	onB     bool
	objects int64
}

// countAddends counts the objects in which cores take the inputs of the epilogue of a
// block. They come
// on the stream of an operand, after the last slice of K, each in whole objects
// of that stream (package program): arrays along N, and all of a convolution, on
// that of B, the others on that of A. A tile of an array that varies in both
// directions passes by every core that shares the stream.
func (t *tiles) countAddends() {
	g, c := &t.e.mapping, t.c
	objectA := t.slice * g.TK * g.TM * c.A.DType.Size()
	objectB := t.slice * g.TK * g.TN * c.B.DType.Size()
	for _, s := range c.Epilogue.In {
		alongM, alongN := c.Varies(s).Along()
		tile, passing := g.TM*g.TN, int64(1)
		switch {
		case s.Elements <= 1:
			continue
		case alongN:
			tile = g.TN
		case alongM:
			tile = g.TM
		case g.OutRows > 0:
			passing = int64(g.PartsM)
		default:
			passing = int64(g.PartsN)
		}
		add := addend{alongN || g.OutRows > 0, 0}
		if add.onB {
			add.objects = passing * ceil(tile*s.DType.Size(), objectB)
			t.addedB += add.objects
		} else {
			add.objects = passing * ceil(tile*s.DType.Size(), objectA)
			t.addedA += add.objects
		}
		t.addends = append(t.addends, add)
	}
}
