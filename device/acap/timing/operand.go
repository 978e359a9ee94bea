package timing

// The operands by number.
const (
	operandA = iota
	operandB
)

// operands returns the streams of A and B.
func (t *tiles) operands() [2]stream {
	g, c, steps := &t.e.mapping, t.c, t.e.Steps
	shareA, shareB := Shares(t.e.machine, c, g)
	a := stream{bytes: float64(g.TM * g.TK * c.A.DType.Size()), parts: 1, pieces: t.slice,
		cost:    t.outsideA / float64(t.stepA) / shareA / float64(min(int64(g.StageN), t.blocksN)),
		streams: g.PartsM * g.Cascade, depth: g.Depth, sets: t.sets,
		objects: t.e.Rounds * t.perBlockA(), plain: int(t.perBlockA()), added: int(t.addedA)}
	if t.strip > 0 {
		// A strip serves all windows of a block.
		a.pieces, a.whole = int(steps), float64(t.strip)
		a.cost = 1 / ConvolutionShare(t.e.machine, t.e.convolution, g)
	}
	b := stream{bytes: float64(g.TN * g.TK * c.B.DType.Size()), parts: 1, pieces: t.slice,
		cost: 1 / shareB, streams: g.PartsN * g.Cascade, depth: g.Depth, sets: t.sets,
		objects: t.e.Rounds * t.perBlockB(), plain: int(t.perBlockB()), added: int(t.addedB)}
	if t.holdsB() {
		b.objects, b.sets = int64(c.Batch), int64(c.Batch)
	} else {
		b.cost /= float64(min(int64(g.StageM), t.blocksM))
	}
	return [2]stream{a, b}
}

// perBlockA and perBlockB are the objects from outside for the steps of a block.
func (t *tiles) perBlockA() int64 {
	if t.strip > 0 {
		return 1
	}
	return t.e.Steps / int64(t.slice)
}

func (t *tiles) perBlockB() int64 { return t.e.Steps / int64(t.slice) }

// holdsB reports whether B stays in the cores: then its only tiles come first, and again
// for every matrix of a batch.
func (t *tiles) holdsB() bool { return t.onceB > 1 }

// results returns the stream of output tiles. Those of a column of cores join where there
// are mem tiles; several results of a core are a task each.
func (t *tiles) results() stream {
	g := &t.e.mapping
	kinds := len(t.c.Epilogue.Also)
	s := stream{bytes: float64(t.tileOut), parts: 1, streams: g.PartsM * g.PartsN, depth: g.OutDepth,
		objects: t.e.Rounds}
	if t.e.machine.Grid.MemRows > 0 {
		s.parts = g.PartsM
		if g.Across(t.e.machine.Grid.VerticalCascade) {
			s.parts = g.PartsN
		}
		s.streams /= s.parts
	}
	if kinds > 0 {
		s.tasks = s.parts * (1 + kinds)
	}
	return s
}

// ports deals the channels of the interface tiles to the streams, in the order in which
// package program does.
func (t *tiles) ports(operands *[2]stream, results *stream) (in, out busiest) {
	g, grid := &t.e.mapping, &t.e.machine.Grid
	leftwards := func(row int) bool { return grid.CoreRow(row)%2 == 1 }
	column := func(m, n, k int) int {
		col, _ := g.Place(m, n, k, grid.VerticalCascade, leftwards)
		return col
	}
	across, streams := g.Across(grid.VerticalCascade), results.streams
	into, from := t.e.deal((g.PartsM+g.PartsN)*g.Cascade, true), t.e.deal(streams, false)
	if into == nil && from == nil {
		return in, out
	}
	for i := range g.PartsM * g.Cascade {
		into.add(0, column(i/g.Cascade, 0, i%g.Cascade))
	}
	for i := range g.PartsN * g.Cascade {
		into.add(1, column(0, i/g.Cascade, i%g.Cascade))
	}
	columns := g.PartsN
	if across {
		columns = g.PartsM
	}
	for i := range streams {
		at := i * columns / streams
		if across {
			from.add(0, column(at, 0, g.Cascade-1))
		} else {
			from.add(0, column(0, at, g.Cascade-1))
		}
	}
	return into.busiest(operands[0].moves(), operands[1].moves()), from.busiest(results.moves())
}
