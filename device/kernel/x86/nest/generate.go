package nest

import (
	"sort"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
)

// The call block: what the code finds at argsReg, in words of 8 bytes.
const (
	maxPorts    = 24
	maxLoops    = 16
	wordRows    = maxPorts + iota - 2 // outer points (or pairs of them), counted down
	wordOdd                           // whether one more follows the pairs
	wordBlocks                        // unrolled steps of the lane loop
	wordSingles                       // further full vectors
	wordTail                          // whether the tail follows
	wordScratch
	wordSaved
	wordIndex   // of each loop
	wordCounter = wordIndex + maxLoops
	wordMoving  = wordCounter + maxLoops // addresses of ports without a register
	wordBase    = wordMoving + maxPorts  // addresses of the ports' first elements
	wordFault   = wordBase + maxPorts
	blockWords  = wordFault + 1
)

func (g *generator) indexWord(loop int) int { return 8 * (wordIndex + loop) }
func (e *emitter) scratchWord() int         { return 8 * wordScratch }
func (e *emitter) savedWord() int           { return 8 * wordSaved }

// generate emits the whole code for a plan with a given unrolling, twice: the
// second time with the busiest constants in the registers that were left.
func generate(p *plan) (g *generator, entry, streamEntry int) {
	first := build(p, nil)
	first.emit(false)
	spare := first.e.lowest
	consts := make([]operand, 0, len(first.e.uses))
	for o := range first.e.uses {
		consts = append(consts, o)
	}
	sort.Slice(consts, func(i, j int) bool {
		a, b := consts[i], consts[j]
		if x, y := first.e.uses[a], first.e.uses[b]; x != y {
			return x > y
		}
		return a.kind < b.kind || a.kind == b.kind && a.bits < b.bits
	})
	g = build(p, consts[:min(spare, len(consts))])
	entry = g.emit(false)
	streamEntry = -1
	if g.streams() {
		streamEntry = g.emit(true)
	}
	return g, entry, streamEntry
}

func build(p *plan, promote []operand) *generator {
	g := &generator{plan: p, results: make(map[[2]int]slotValue)}
	for i, a := range p.n.Access {
		q := &port{dtype: a.DType, lane: p.stride(i, p.lane),
			strides: append(append([]int(nil), a.Outer...), a.Inner...)}
		g.ports = append(g.ports, q)
	}
	for i := range p.n.Stages {
		g.stages = append(g.stages, g.lowerStage(i))
	}
	if len(g.ports) > maxPorts || len(p.n.Outer)+len(p.n.Inner) > maxLoops {
		unsupported()
	}
	for i, q := range g.ports {
		if i < len(pointerRegs) {
			q.reg = pointerRegs[i]
		} else {
			q.slot = wordMoving + i
		}
	}
	g.e = newEmitter(p.isa)
	g.e.slots = g.slots
	g.e.promoted = make(map[operand]asm.Reg)
	g.e.spillAt = func(slot int) asm.Mem {
		g.e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, 8*wordScratch))
		return asm.Ptr(asm.RAX, 64*(1+slot))
	}
	for _, o := range promote {
		g.e.promoted[o] = g.e.pin(o.kind)
	}
	return g
}

// streams reports whether non-temporal stores are worth a variant of the code:
// whether the memory that a run touches is larger than caches are.
func (g *generator) streams() bool {
	if len(g.n.Inner) > 0 || !g.avx512() {
		return false
	}
	bytes, written := 0, 0
	for i, a := range g.n.Access {
		n := a.DType.Size()
		for loop, e := range g.n.Outer {
			if a.Outer[loop] != 0 {
				n *= e
			}
		}
		bytes += n
		if a.Write {
			if g.stride(i, g.lane) != 1 || a.DType.Size() < 4 {
				return false
			}
			written++
		}
	}
	return written > 0 && bytes > streamBytes
}

// streamBytes is the memory beyond which stores go past the caches.
const streamBytes = 40 << 20

func (g *generator) avx512() bool { return g.isa.avx512 }

// emit emits the function and returns where it starts.
func (g *generator) emit(stream bool) int {
	e := g.e
	e.a.Align(64)
	entry := e.a.Len()
	e.stream = stream
	g.enter()
	switch {
	case g.row < 0:
		g.point(1)
	case g.pairs:
		odd, done := e.a.Label(), e.a.Label()
		e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, 8*wordRows))
		e.a.Emit(asm.TEST, asm.RAX, asm.RAX)
		e.a.Emit(asm.JE, odd)
		g.rowLoop(2)
		e.a.Bind(odd)
		e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, 8*wordOdd))
		e.a.Emit(asm.TEST, asm.RAX, asm.RAX)
		e.a.Emit(asm.JE, done)
		g.point(1)
		e.a.Bind(done)
	default:
		g.rowLoop(1)
	}
	if stream {
		e.a.Emit(asm.SFENCE)
	}
	e.a.Emit(asm.VZEROUPPER)
	e.a.Emit(asm.RET)
	return entry
}

// rowLoop emits the loop over rows, of which it takes several at a time.
func (g *generator) rowLoop(rows int) {
	again := g.e.a.Here()
	g.point(rows)
	g.advanceAll(g.row, rows)
	g.step(g.row, rows)
	g.countDown(asm.Ptr(argsReg, 8*wordRows), again)
}

// enter loads addresses and constants.
func (g *generator) enter() {
	e := g.e
	for i, p := range g.ports {
		if p.reg != asm.None {
			e.a.Emit(asm.MOV, p.reg, asm.Ptr(argsReg, 8*i))
			continue
		}
		e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, 8*i))
		e.a.Emit(asm.MOV, asm.Ptr(argsReg, 8*p.slot), asm.RAX)
	}
	consts := make([]operand, 0, len(e.promoted))
	for o := range e.promoted {
		consts = append(consts, o)
	}
	sort.Slice(consts, func(i, j int) bool { return e.promoted[consts[i]].Num() < e.promoted[consts[j]].Num() })
	for _, o := range consts {
		e.loadConst(e.promoted[o], o)
	}
	if t := g.tail(); t > 0 && e.avx512 {
		e.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<t-1))
		e.a.Emit(asm.KMOVW, tailMask, asm.RAX.Dword())
	}
}

// tail is the number of lanes past the last full vector.
func (g *generator) tail() int { return g.extent(g.lane) % g.isa.lanes }

// point emits the work of one outer point, of one row of them, or of two points.
// Two points go through each stage one after the other, so that one is under way
// while the other's reductions combine their lanes.
func (g *generator) point(rows int) {
	switch {
	case len(g.n.Inner) == 0:
		g.pointwise()
	case g.laneOuter:
		g.lanes(func(copies int) {
			for _, s := range g.stages {
				g.stageOutside(s, copies)
			}
		})
	default:
		for _, s := range g.stages {
			for c := range rows {
				g.takeRow(c)
				g.stageInside(s, rows)
			}
			g.takeRow(0)
		}
	}
}

// takeRow says which of two rows the code that follows works on.
func (g *generator) takeRow(c int) {
	g.e.rowCopy = c
	for _, p := range g.ports {
		p.disp = c * p.copyBytes
		if g.row >= 0 {
			p.disp += c * p.strides[g.row] * p.size()
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
		e.run(true)
		e.reserve(g.wantFree())
		g.guarded(func() { g.lanes(func(copies int) { g.copies(copies) }) })
		e.end()
	}
}

// copies emits the loop part of the running sequence.
func (g *generator) copies(n int) {
	e := g.e
	e.counted = true
	for e.unroll = range n {
		e.run(false)
		g.prefetch()
	}
	e.unroll, e.counted = 0, false
}

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
	if g.unroll > 1 {
		loop(wordBlocks, g.unroll)
	}
	loop(wordSingles, 1)
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
	e.a.Emit(asm.ADD, indexReg, asm.Imm(copies*g.isa.lanes))
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
	vectors := g.extent(g.lane) / g.isa.lanes
	blocks := vectors / g.unroll
	if s.flushes && blocks > longSum {
		word := asm.Ptr(argsReg, 8*(wordCounter+g.lane))
		e.a.Emit(asm.MOV, asm.RAX, asm.Imm(blocks/longSum))
		e.a.Emit(asm.MOV, word, asm.RAX)
		chunk := e.a.Here()
		steps(longSum, g.unroll)
		g.flush(s, g.unroll)
		g.countDown(word, chunk)
		blocks %= longSum
	}
	steps(blocks, g.unroll)
	steps(vectors%g.unroll, 1)
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
		if g.laneOuter {
			n = copies
		}
		for e.unroll = range n {
			e.begin(s.finish)
			e.run(true)
			e.run(false)
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
		e.run(true)
		e.run(false)
		e.end()
		e.single = false
		return
	}
	e.begin(s.seq)
	e.run(true)
	g.startAccumulators(s, g.unroll)
	e.reserve(g.wantFree())
	g.ahead = g.comingPorts(s, rows)
	defer func() { g.ahead = nil }()
	g.guarded(func() {
		g.loops(s, 0, func() { g.laneRun(s, func(copies int) { g.copies(copies) }) })
	})
	e.end()
	g.finishAccumulators(s, g.unroll)
}

// stageOutside emits a stage for copies vectors of outer points.
func (g *generator) stageOutside(s *stage, copies int) {
	e := g.e
	if s.once {
		for e.unroll = range copies {
			e.begin(s.seq)
			g.startAccumulators(s, g.unroll)
			e.run(true)
			e.run(false)
			e.end()
			e.unroll = 0
			g.finishAccumulators(s, g.unroll)
		}
		return
	}
	e.begin(s.seq)
	e.run(true)
	g.startAccumulators(s, copies)
	e.reserve(g.wantFree())
	g.guarded(func() { g.loops(s, 0, func() { g.copies(copies) }) })
	e.end()
	g.finishAccumulators(s, copies)
}

// loops emits the inner loops other than the lane loop.
func (g *generator) loops(s *stage, depth int, body func()) {
	if depth == len(g.seq) {
		body()
		return
	}
	if depth == 0 && g.flat(s) {
		g.straight(body)
		return
	}
	e := g.e
	loop := g.seq[depth]
	n := g.extent(loop)
	if depth < len(g.seq)-1 {
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
	if !g.laneOuter || s.flushes {
		return false
	}
	points, reach := 1, 0
	for _, loop := range g.seq {
		points *= g.extent(loop)
		if g.indexed(loop) || points > maxFlat {
			return false
		}
		for _, p := range g.ports {
			reach += abs(p.strides[loop]) * p.size() * g.extent(loop)
		}
	}
	return points*len(s.seq.instrs) <= maxFlat && reach < 1<<30
}

func abs(x int) int { return max(x, -x) }

// straight emits the body for every inner point, each with its own displacements.
func (g *generator) straight(body func()) {
	index := make([]int, len(g.seq))
	for more := true; more; {
		for _, p := range g.ports {
			p.disp = 0
			for i, loop := range g.seq {
				p.disp += index[i] * p.strides[loop] * p.size()
			}
		}
		body()
		more = false
		for i := len(index) - 1; i >= 0 && !more; i-- {
			if index[i]++; index[i] < g.extent(g.seq[i]) {
				more = true
			} else {
				index[i] = 0
			}
		}
	}
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
		if s.flushes && !g.laneOuter {
			g.flush(s, copies)
		}
		g.advanceAll(loop, 1)
		g.step(loop, 1)
		e.a.Emit(asm.SUB, loopReg, asm.Imm(1))
		e.a.Emit(asm.JNE, again)
	}
	if !s.flushes || !g.laneOuter {
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
	for _, s := range g.n.Stages {
		for _, i := range s.Body {
			if i.Op == kernel.Index && i.Port == loop {
				return true
			}
		}
	}
	return false
}
