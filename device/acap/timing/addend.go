package timing

// queue is objects that come after the last slice of K on the streams of an operand.
type queue struct{ count, bytes, streams int64 }

// countAddends counts the objects in which cores take the inputs of the epilogue. They come
// on the stream of an operand, after the last slice of K, each in whole objects
// of that stream (package program): arrays along N, and all of a convolution, on
// that of B, the others on that of A. A tile of an array that varies in both
// directions passes by every core that shares the stream.
func (t *tiles) countAddends() {
	m, g, c := t.e.machine, &t.e.mapping, t.c
	slice := max(g.TK, g.KL2/g.Cascade)
	if m.Grid.MemRows == 0 || g.OutRows > 0 {
		slice = g.TK
	}
	for rangeK := int(ceil(c.K, g.Cascade*g.TK)) * g.TK; rangeK%slice != 0; {
		slice -= g.TK
	}
	objectA := slice * g.TM * c.A.DType.Size()
	objectB := slice * g.TN * c.B.DType.Size()
	var countA, countB int64
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
		if alongN || g.OutRows > 0 {
			countB += passing * ceil(tile*s.DType.Size(), objectB)
		} else {
			countA += passing * ceil(tile*s.DType.Size(), objectA)
		}
	}
	t.addends = [2]queue{{countA, int64(objectA), int64(g.PartsM)},
		{countB, int64(objectB), int64(g.PartsN)}}
}

// round returns the seconds of one block whose steps take s: the steps at the pace
// of the slowest resource; or the memory, which the addends use too, less what it
// has done before; or the cores, which wait for addends after the last step.
func (t *tiles) round(s Step, done float64) float64 {
	memory := s.DDR
	s.DDR = 0
	pace, _ := s.Max()
	steps := float64(t.e.Steps)
	var outside, exposed float64
	for _, q := range t.addends {
		outside += float64(q.count * q.bytes * q.streams)
		exposed = max(exposed, t.exposed(q))
	}
	return max(steps*pace, steps*memory+t.e.ddr(outside, 0)-done,
		steps*max(s.Core, s.Stream)+exposed)
}

// exposed returns the seconds that cores wait for a queue after the last step: its
// objects pass the channel of a core one by one, and those that a mem tile does not
// hold by then come from outside.
func (t *tiles) exposed(q queue) float64 {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	if q.count == 0 {
		return 0
	}
	bytes := float64(q.bytes)
	channel := (bytes/m.Core.ChannelRate.Value + m.Stream.BDSetup.Value) / m.Clock.Value
	shim := bytes / m.Shim.ChannelRate.Value / m.Clock.Value
	outside := max(shim, e.ddr(bytes*float64(q.streams), 0))
	late := q.count
	if m.Grid.MemRows > 0 {
		late = max(0, q.count-int64(g.Depth))
	}
	return max(float64(q.count)*channel, float64(late)*outside)
}

// excess adds what the rounds take longer, or less, than their steps at the usual
// pace.
func (t *tiles) excess() {
	e, g := t.e, &t.e.mapping
	usual, _ := e.Step.Max()
	usual *= float64(e.Steps)
	rounds := float64(e.Rounds)
	if g.OutRows > 0 {
		// The first strip of a set was the fill; its last round fetches none.
		sets, first := float64(t.sets), t.without()
		if e.Rounds > t.sets {
			e.addendTime += sets * (t.round(first, 0) - usual)
			e.addendTime += (rounds - sets) * max(0, t.burst()-usual)
			rounds -= sets
			first = e.Step
		}
		e.addendTime += sets * (t.round(first, t.ahead) - usual)
		rounds -= sets
	}
	e.addendTime += rounds * (t.round(e.Step, 0) - usual)
}
