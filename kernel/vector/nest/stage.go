package nest

import "github.com/go-acap/acap/kernel/vector"

// stageOutside writes a stage for vectors of outer points.
func (g *generator) stageOutside(at *place, number int) {
	s := &g.Nest.Stages[number]
	if s.Once || len(g.Nest.Inner) == 0 {
		var turns turns
		for n := range at.copies {
			turns.next(g.b, n)
			l := g.body(at, n, number)
			g.keepOnce(l, number)
			acc := g.start(s, 1)
			if len(s.Reduce) > 0 {
				g.finish(number, g.foldAll(l, s, acc), n, at.copies)
			}
			turns.done(g.b, n)
		}
		return
	}
	g.reciprocals(at, number, at.copies)
	acc := g.start(s, at.copies)
	acc = g.loops(at, s, 0, acc, func(at *place, acc []vector.Val) []vector.Val {
		var out []vector.Val
		width := len(acc) / max(at.copies, 1)
		var turns turns
		for n := range at.copies {
			turns.next(g.b, n)
			l := g.body(at, n, number)
			out = append(out, g.foldAll(l, s, acc[n*width:(n+1)*width])...)
			turns.done(g.b, n)
		}
		return out
	})
	if width := len(acc) / max(at.copies, 1); width > 0 {
		for n := range at.copies {
			g.finish(number, acc[n*width:(n+1)*width], n, at.copies)
		}
	}
}

// keepOnce notes what a once stage keeps.
func (g *generator) keepOnce(l *lowering, number int) {
	s := &g.Nest.Stages[number]
	if !s.Once && len(g.Nest.Inner) > 0 {
		return
	}
	for k, n := range s.Keep {
		g.set(g.kept(number, k), g.leftIndex(l), max(l.at.copies, mostRows), l.value(n))
	}
}

// stageInside writes a stage whose lanes run along an inner loop.
func (g *generator) stageInside(at *place, number, rows int) {
	s := &g.Nest.Stages[number]
	if s.Once {
		one := *at
		one.single, one.count, one.copies = true, 1, 1
		l := g.body(&one, 0, number)
		g.keepOnce(l, number)
		if len(s.Reduce) > 0 {
			unsupported()
		}
		return
	}
	g.reciprocals(at, number, 1)
	acc := g.start(s, g.Unroll)
	width := g.width(s)
	extent, step := g.Nest.Extent(g.Lane), g.Unroll*g.Lanes
	ahead := g.nextRows(number, rows)
	acc = g.loops(at, s, 0, acc, func(at *place, acc []vector.Val) []vector.Val {
		turn := func(at *place, copies, count int, acc []vector.Val) []vector.Val {
			at.copies, at.count = copies, count
			out := append([]vector.Val(nil), acc...)
			var turns turns
			for n := range copies {
				turns.next(g.b, n)
				l := g.body(at, n, number)
				copy(out[n*width:], g.foldAll(l, s, acc[n*width:(n+1)*width]))
				g.prefetch(ahead, at, n)
				turns.done(g.b, n)
			}
			return out
		}
		whole := extent / step * step
		if whole > 0 {
			acc = g.sums(at, s, turning{g.Lane, whole, step, g.InnerPoints() / step}, acc, func(at *place, acc []vector.Val) []vector.Val {
				return turn(at, g.Unroll, 0, acc)
			})
		}
		singles := (extent - whole) / g.Lanes
		if singles > 0 {
			acc = turn(g.along(at, g.Lane, g.b.Word(whole)), singles, 0, acc)
		}
		if tail := extent % g.Lanes; tail > 0 {
			acc = turn(g.along(at, g.Lane, g.b.Word(extent-tail)), 1, tail, acc)
		}
		return acc
	})
	if width > 0 {
		g.finishLanes(number, at.row, acc)
	}
}

// turns has two copies of a body after the other take turns.
type turns struct{ first, second int }

// next notes where a copy begins.
func (t *turns) next(b *vector.Builder, copy int) {
	if copy%2 == 0 {
		t.first = b.Mark()
	} else {
		t.second = b.Mark()
	}
}

// done has a copy that is written take turns with the one before.
func (t *turns) done(b *vector.Builder, copy int) {
	if copy%2 == 1 {
		b.Interleave(t.first, t.second)
	}
}
