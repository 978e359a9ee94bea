package nest

import "github.com/go-acap/acap/kernel/x86/asm"

// point emits the work of one outer point, of one row of them, or of two points.
// Two points go through each stage one after the other, so that one is under way
// while the other's reductions combine their lanes.
func (g *generator) point(rows int) {
	switch {
	case len(g.Nest.Inner) == 0:
		g.pointwise()
	case g.LaneOuter:
		g.lanes(func(copies int) {
			for _, s := range g.stages {
				g.stageOutside(s, copies)
			}
		})
	default:
		for _, s := range g.stages {
			g.e.times(rows, func(c int) {
				g.takeRow(c)
				g.stageInside(s, rows)
			})
			g.takeRow(0)
		}
	}
}

// takeRow says which of two rows the code that follows works on.
func (g *generator) takeRow(c int) {
	g.e.rowCopy = c
	for _, p := range g.ports {
		p.disp = c * p.copyBytes
		if g.Row >= 0 {
			p.disp += c * p.strides[g.Row] * p.size()
		}
	}
}

// wantFree is how many registers a loop gets when hoisted values fill them.
func (g *generator) wantFree() int {
	if g.isa.avx512 {
		return 12
	}
	return 7
}

func (g *generator) pointwise() {
	e := g.e
	for _, s := range g.stages {
		if len(s.reduce) > 0 || s.once {
			unsupported()
		}
		e.begin(s.seq)
		e.run(hoisted)
		e.reserve(g.wantFree())
		g.ahead = g.pageAhead()
		g.guarded(func() { g.lanes(func(copies int) { g.copies(copies) }) })
		g.ahead = nil
		e.end()
	}
}

// copies emits the loop part of the running sequence.
func (g *generator) copies(n int) {
	e := g.e
	e.counted = true
	if e.seq.twins && n%2 == 0 && !g.apart {
		e.times(n/2, func(c int) {
			e.unroll = 2 * c
			e.runTwins()
			for range 2 {
				g.prefetch()
				e.unroll++
			}
		})
	} else {
		e.times(n, func(c int) {
			e.unroll = c
			e.run(looped)
			g.prefetch()
		})
	}
	e.unroll, e.counted = 0, false
}

// flush adds accumulators of sums to their partial sums.
func (g *generator) flush(s *stage, copies int) {
	e := g.e
	for n, acc := range s.accs {
		if acc.partial < 0 {
			continue
		}
		for c := range copies {
			r := e.accs[n][c]
			e.a.Emit(pick(acc.kind, asm.VADDPS, asm.VADDPD), r, r, e.spillAt(acc.partial+c))
			e.a.Emit(asm.VMOVUPS, e.spillAt(acc.partial+c), r)
			e.zero(r)
		}
	}
}

// startAccumulators gives every copy of the accumulators a register.
func (g *generator) startAccumulators(s *stage, copies int) {
	e := g.e
	e.accs = nil
	for _, acc := range s.accs {
		var regs []asm.Reg
		for c := range copies {
			r := e.pin(acc.kind)
			e.loadConst(r, acc.start)
			if acc.partial >= 0 {
				e.a.Emit(asm.VMOVUPS, e.spillAt(acc.partial+c), r)
			}
			regs = append(regs, r)
		}
		e.accs = append(e.accs, regs)
	}
}

func (g *generator) finishAccumulators(s *stage, copies int) {
	e := g.e
	if s.finish != nil {
		n := 1
		if g.LaneOuter {
			n = copies
		}
		for e.unroll = range n {
			e.begin(s.finish)
			e.run(hoisted)
			e.run(looped)
			e.end()
		}
		e.unroll = 0
	}
	for _, regs := range e.accs {
		for _, r := range regs {
			e.release(r)
		}
	}
	e.accs = nil
}

// stageInside emits a stage whose lanes run along an inner loop.
func (g *generator) stageInside(s *stage, rows int) {
	e := g.e
	if s.once {
		if len(s.reduce) > 0 {
			unsupported()
		}
		e.single = true
		e.begin(s.seq)
		e.run(hoisted)
		e.run(looped)
		e.end()
		e.single = false
		return
	}
	e.begin(s.seq)
	e.run(hoisted)
	g.startAccumulators(s, g.Unroll)
	e.reserve(g.wantFree())
	g.ahead = g.comingPorts(s, rows)
	defer func() { g.ahead = nil }()
	g.guarded(func() {
		g.loops(s, 0, func() { g.laneRun(s, func(copies int) { g.copies(copies) }) })
	})
	e.end()
	g.finishAccumulators(s, g.Unroll)
}

// stageOutside emits a stage for copies vectors of outer points.
func (g *generator) stageOutside(s *stage, copies int) {
	e := g.e
	if s.once {
		for e.unroll = range copies {
			e.begin(s.seq)
			g.startAccumulators(s, g.Unroll)
			e.run(hoisted)
			e.run(looped)
			e.end()
			e.unroll = 0
			g.finishAccumulators(s, g.Unroll)
		}
		return
	}
	e.begin(s.seq)
	e.run(hoisted)
	g.startAccumulators(s, copies)
	e.reserve(g.wantFree())
	g.guarded(func() { g.loops(s, 0, func() { g.copies(copies) }) })
	e.end()
	g.finishAccumulators(s, copies)
}
