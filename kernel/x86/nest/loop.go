package nest

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// rowLoop emits the loop over rows, of which it takes several at a time.
func (g *generator) rowLoop(rows int) {
	again := g.e.a.Here()
	g.folds(0, rows)
	g.advanceAll(g.Row, rows)
	g.step(g.Row, rows)
	g.countDown(asm.Ptr(argsReg, 8*wordRows), again)
}

// folds emits the outer loops that a call does as a whole.
func (g *generator) folds(depth, rows int) {
	if depth == len(g.Fold) {
		g.point(rows)
		return
	}
	loop := g.Fold[depth]
	word := asm.Ptr(argsReg, 8*(wordCounter+loop))
	g.e.a.Emit(asm.MOV, asm.RAX, asm.Imm(g.Extent(loop)))
	g.e.a.Emit(asm.MOV, word, asm.RAX)
	again := g.e.a.Here()
	g.folds(depth+1, rows)
	g.advanceAll(loop, 1)
	g.step(loop, 1)
	g.countDown(word, again)
	g.advanceAll(loop, -g.Extent(loop))
	g.step(loop, -g.Extent(loop))
}

// tail is the number of lanes past the last full vector.
func (g *generator) tail() int { return g.Extent(g.Lane) % g.Lanes }

// lanes emits the lane loop with counts from the call block.
func (g *generator) lanes(block func(copies int)) {
	e := g.e
	e.a.Emit(asm.XOR, indexReg.Dword(), indexReg.Dword())
	loop := func(word, copies int) {
		done := e.a.Label()
		e.a.Emit(asm.MOV, laneReg, asm.Ptr(argsReg, 8*word))
		e.a.Emit(asm.TEST, laneReg, laneReg)
		e.a.Emit(asm.JE, done)
		g.laneSteps(copies, block)
		e.a.Bind(done)
	}
	// Code for more vectors than there are never runs.
	vectors := g.Extent(g.Lane) / g.Lanes
	if g.Unroll > 1 && vectors >= g.Unroll {
		loop(wordBlocks, g.Unroll)
	}
	if vectors > 0 {
		loop(wordSingles, 1)
	}
	if g.tail() > 0 {
		done := e.a.Label()
		e.a.Emit(asm.MOV, laneReg, asm.Ptr(argsReg, 8*wordTail))
		e.a.Emit(asm.TEST, laneReg, laneReg)
		e.a.Emit(asm.JE, done)
		g.inTail(block)
		e.a.Bind(done)
	}
}

func (g *generator) inTail(block func(copies int)) {
	g.e.tail = g.tail()
	block(1)
	g.e.tail = 0
}

// laneSteps repeats a block laneReg times.
func (g *generator) laneSteps(copies int, block func(copies int)) {
	e := g.e
	e.a.Align(32)
	again := e.a.Here()
	block(copies)
	e.a.Emit(asm.ADD, indexReg, asm.Imm(copies*g.Lanes))
	e.a.Emit(asm.SUB, laneReg, asm.Imm(1))
	e.a.Emit(asm.JNE, again)
}

// laneRun emits the lane loop over its whole extent.
func (g *generator) laneRun(s *stage, block func(copies int)) {
	e := g.e
	e.a.Emit(asm.XOR, indexReg.Dword(), indexReg.Dword())
	steps := func(n, copies int) {
		if n == 0 {
			return
		}
		e.a.Emit(asm.MOV, laneReg.Dword(), asm.Imm(n))
		g.laneSteps(copies, block)
	}
	vectors := g.Extent(g.Lane) / g.Lanes
	blocks := vectors / g.Unroll
	if s.flushes && blocks > longSum {
		word := asm.Ptr(argsReg, 8*(wordCounter+g.Lane))
		e.a.Emit(asm.MOV, asm.RAX, asm.Imm(blocks/longSum))
		e.a.Emit(asm.MOV, word, asm.RAX)
		chunk := e.a.Here()
		steps(longSum, g.Unroll)
		g.flush(s, g.Unroll)
		g.countDown(word, chunk)
		blocks %= longSum
	}
	steps(blocks, g.Unroll)
	steps(vectors%g.Unroll, 1)
	if g.tail() > 0 {
		g.inTail(block)
	}
}

// countDown decrements a counter in memory and jumps while it is not 0.
func (g *generator) countDown(word asm.Mem, to asm.Label) {
	g.e.a.Emit(asm.MOV, asm.RAX, word)
	g.e.a.Emit(asm.SUB, asm.RAX, asm.Imm(1))
	g.e.a.Emit(asm.MOV, word, asm.RAX)
	g.e.a.Emit(asm.JNE, to)
}

// loops emits the inner loops other than the lane loop.
func (g *generator) loops(s *stage, depth int, body func()) {
	if depth == len(g.Seq) {
		body()
		return
	}
	if depth == 0 && g.flat(s) {
		g.straight(body)
		return
	}
	e := g.e
	loop := g.Seq[depth]
	n := g.Extent(loop)
	if depth < len(g.Seq)-1 {
		word := asm.Ptr(argsReg, 8*(wordCounter+loop))
		e.a.Emit(asm.MOV, asm.RAX, asm.Imm(n))
		e.a.Emit(asm.MOV, word, asm.RAX)
		again := e.a.Here()
		g.loops(s, depth+1, body)
		g.advanceAll(loop, 1)
		g.step(loop, 1)
		g.countDown(word, again)
	} else {
		g.innermost(s, loop, n, body)
	}
	g.advanceAll(loop, -n)
	g.step(loop, -n)
}

// maxFlat bounds the instructions that inner loops become when they are unrolled.
const maxFlat = 100

// flat reports whether the inner loops are short enough for straight code.
func (g *generator) flat(s *stage) bool {
	if !g.LaneOuter || s.flushes {
		return false
	}
	points, reach := 1, 0
	for _, loop := range g.Seq {
		points *= g.Extent(loop)
		if g.indexed(loop) || points > maxFlat {
			return false
		}
		for _, p := range g.ports {
			reach += abs(p.strides[loop]) * p.size() * g.Extent(loop)
		}
	}
	return points*len(s.seq.instrs) <= maxFlat && reach < 1<<30
}

func abs(x int) int { return max(x, -x) }

// straight emits the body for every inner point, each with its own displacements.
func (g *generator) straight(body func()) {
	points := 1
	for _, loop := range g.Seq {
		points *= g.Extent(loop)
	}
	g.e.times(points, func(point int) {
		for _, p := range g.ports {
			p.disp = 0
		}
		for i := len(g.Seq) - 1; i >= 0; i-- {
			loop := g.Seq[i]
			n := g.Extent(loop)
			for _, p := range g.ports {
				p.disp += point % n * p.strides[loop] * p.size()
			}
			point /= n
		}
		body()
	})
	for _, p := range g.ports {
		p.disp = 0
	}
}

// innermost emits the last of the loops with its count in a register.
func (g *generator) innermost(s *stage, loop, n int, body func()) {
	e := g.e
	copies := 0
	if len(e.accs) > 0 {
		copies = len(e.accs[0])
	}
	repeat := func(n int) {
		if n == 0 {
			return
		}
		e.a.Emit(asm.MOV, loopReg, asm.Imm(n))
		e.a.Align(32)
		again := e.a.Here()
		body()
		if s.flushes && !g.LaneOuter {
			g.flush(s, copies)
		}
		g.advanceAll(loop, 1)
		g.step(loop, 1)
		e.a.Emit(asm.SUB, loopReg, asm.Imm(1))
		e.a.Emit(asm.JNE, again)
	}
	if !s.flushes || !g.LaneOuter {
		repeat(n)
		return
	}
	if n > longSum {
		word := asm.Ptr(argsReg, 8*(wordCounter+loop))
		e.a.Emit(asm.MOV, asm.RAX, asm.Imm(n/longSum))
		e.a.Emit(asm.MOV, word, asm.RAX)
		chunk := e.a.Here()
		repeat(longSum)
		g.flush(s, copies)
		g.countDown(word, chunk)
		n %= longSum
	}
	repeat(n)
	g.flush(s, copies)
}

// advanceAll moves every port n steps along a loop.
func (g *generator) advanceAll(loop, n int) {
	for _, p := range g.ports {
		g.e.advance(p, n*p.strides[loop]*p.size())
	}
}

// step adds n to the index of a loop if an instruction reads it.
func (g *generator) step(loop, n int) {
	if !g.indexed(loop) {
		return
	}
	word := asm.Ptr(argsReg, g.indexWord(loop))
	g.e.a.Emit(asm.MOV, asm.RAX, asm.Imm(n))
	g.e.a.Emit(asm.ADD, word, asm.RAX)
}

func (g *generator) indexed(loop int) bool {
	for _, s := range g.Nest.Stages {
		for _, i := range s.Body {
			if i.Op == kernel.Index && i.Port == loop {
				return true
			}
		}
	}
	return false
}
