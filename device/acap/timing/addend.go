package timing

// queue is objects that come after the last slice of K on the streams of an operand.
type queue struct{ count, bytes, streams int64 }

// load returns the objects of a block that come from outside, but for some that are
// there.
func (q queue) load(there int) load {
	n := float64(max(0, q.count-int64(there)))
	return reads(float64(q.streams), n*float64(q.bytes), n, 1)
}

// countAddends counts the objects in which cores take the inputs of the epilogue. They come
// on the stream of an operand, after the last slice of K, each in whole objects
// of that stream (package program): arrays along N, and all of a convolution, on
// that of B, the others on that of A. A tile of an array that varies in both
// directions passes by every core that shares the stream.
func (t *tiles) countAddends() {
	g, c := &t.e.mapping, t.c
	objectA := int(t.slice) * g.TK * g.TM * c.A.DType.Size()
	objectB := int(t.slice) * g.TK * g.TN * c.B.DType.Size()
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

// exposed returns the seconds that cores wait for addends after the last step: the
// objects pass the channel of a core one by one, and those that the buffers do not
// hold by then come from outside, on both streams at once. The first operand of the
// next block comes behind them; fewer is 1 where there is none.
func (t *tiles) exposed(fewer int64) float64 {
	e, m, g := t.e, t.e.machine, &t.e.mapping
	if t.addendTime == 0 {
		return 0
	}
	ahead := g.Depth - 1 // the last operands lie in a buffer of the core
	if m.Grid.MemRows > 0 {
		ahead = g.Depth
	}
	var longest float64
	for _, q := range t.addends {
		channel := float64(q.bytes)/m.Core.ChannelRate.Value + m.Stream.BDSetup.Value
		longest = max(longest, float64(q.count-fewer)*channel/m.Clock.Value)
	}
	late := t.addends[0].load(ahead).and(t.addends[1].load(ahead))
	early := float64(ahead) * t.slice * max(e.Step.Core, e.Step.Stream)
	return max(longest, t.slowest(late), t.addendTime-early)
}
