package timing

// The operands by number.
const (
	operandA = iota
	operandB
)

// operands returns the streams of A and B.
func (t *tiles) operands() [2]stream {
	g, c, steps := &t.e.mapping, t.c, t.e.Steps
	shareA, shareB := shares(t.e.machine, t.style, c, g)
	fanOutA, fanOutB := g.FanOuts()
	a := stream{bytes: float64(c.A.Bytes(g.TK, g.TM)), parts: fanOutA, pieces: t.sliceA,
		cost:   t.outsideA / float64(t.stepA) / shareA / float64(min(int64(g.StageN), t.blocksN)),
		stages: g.Cascade, streams: g.PartsM / fanOutA * g.Cascade, depth: g.Depth, sets: t.sets,
		objects: t.e.Rounds * t.perBlockA(), plain: int(t.perBlockA()), added: int(t.addedA)}
	if g.Hold > 0 {
		a.held, a.objects = g.Hold, t.e.Rounds/t.again
		a.pieces, a.whole = t.sliceA*int(t.again), a.bytes*float64(t.sliceA*fanOutA)
	}
	if t.strip > 0 {
		// A strip serves all windows of a block.
		a.pieces, a.whole = int(steps/t.channelTiles), float64(t.strip*int64(fanOutA))
		a.cost = 1 / ConvolutionShare(t.e.machine, t.e.convolution, g)
	}
	b := stream{bytes: float64(c.B.Bytes(g.TK, g.TN)), parts: fanOutB, pieces: t.slice,
		cost: 1 / shareB, stages: g.Cascade, streams: g.PartsN / fanOutB * g.Cascade, depth: g.Depth,
		sets:    t.sets,
		objects: t.e.Rounds * t.perBlockB(), plain: int(t.perBlockB()), added: int(t.addedB)}
	if t.holdsB() {
		b.objects, b.sets = int64(c.Batch), min(t.sets, int64(c.Batch))
	} else {
		b.cost /= float64(min(int64(g.StageM), t.blocksM))
	}
	a.resident, b.resident = g.In.Row > 0, g.Resident > 0
	a.alone, b.alone = b.resident, a.resident
	return [2]stream{a, b}
}

// perBlockA and perBlockB are the objects from outside for the steps of a block.
func (t *tiles) perBlockA() int64 {
	if t.strip > 0 {
		return t.channelTiles
	}
	return t.e.Steps / int64(t.sliceA)
}

func (t *tiles) perBlockB() int64 { return t.e.Steps / int64(t.slice) }

// holdsB reports whether B remains in the cores: then its only tiles come first, and again
// for every matrix of a batch.
func (t *tiles) holdsB() bool { return t.onceB > 1 }

// results returns the stream of output tiles. They join where there are mem tiles; several results of a core are a task
// each.
func (t *tiles) results() stream {
	g := &t.e.mapping
	kinds := len(t.c.Epilogue.Also)
	s := stream{bytes: float64(t.tileOut), parts: 1, streams: g.PartsM * g.PartsN, depth: g.OutDepth,
		objects: t.e.Rounds}
	if t.e.machine.Grid.MemRows > 0 {
		s.streams, s.parts = Joined(t.e.machine, g)
	}
	if g.Out.Row > 0 { // each by a channel of its own
		s.resident, s.streams, s.parts = true, g.PartsM*g.PartsN, 1
	}
	if kinds > 0 {
		s.tasks = float64(s.parts * (1 + kinds))
	}
	return s
}
