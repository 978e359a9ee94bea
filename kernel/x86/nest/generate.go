package nest

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/kernel/x86/asm"
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

// generate emits the whole code for a plan with a given unrolling, twice: first to learn how many registers are
// left, then with the busiest constants in them. Who asked for it releases the generator.
func generate(p *plan, a *asm.Assembler) (g *generator, entry, streamEntry int) {
	g = build(p)
	g.rehearse()
	g.start(a, g.e.busiest())
	entry = g.emit(false)
	streamEntry = -1
	if g.streams() {
		streamEntry = g.emit(true)
	}
	return g, entry, streamEntry
}

// rehearse emits the code for nothing. If copies of bodies in turn need more registers than there are, it does so again
// without.
func (g *generator) rehearse() {
	twins := slices.ContainsFunc(g.stages, func(s *stage) bool { return s.seq.twins })
	if twins && g.fits() {
		return
	}
	g.apart = true
	g.start(asm.Rehearsal(), nil)
	g.emitOnce()
}

// fits emits the code and reports whether nothing had to go to memory for lack of registers.
func (g *generator) fits() (ok bool) {
	var err error
	func() {
		defer catch(&err)
		g.start(asm.Rehearsal(), nil)
		g.emitOnce()
	}()
	return err == nil && g.e.slots == g.slots
}

// emitOnce emits the code for one row, which stands for all: what a rehearsal is for is the same in each.
func (g *generator) emitOnce() {
	rows := 1
	if g.pairs {
		rows = 3 // two together and the odd one
	}
	g.enter()
	g.e.rehearsal = true
	g.e.times(rows, func(int) { g.point(1) })
	g.e.rehearsal = false
}

// busiest returns the constants that loops read most often, as many as registers have been left.
func (e *emitter) busiest() []operand {
	consts := make([]operand, 0, len(e.uses))
	for n, o := range e.numbers.list {
		if e.uses[n] > 0 {
			o.number = uint16(n)
			consts = append(consts, o)
		}
	}
	slices.SortFunc(consts, func(a, b operand) int {
		return cmp.Or(cmp.Compare(e.uses[b.number], e.uses[a.number]), cmp.Compare(a.kind, b.kind), cmp.Compare(a.bits, b.bits))
	})
	return consts[:min(e.lowest, len(consts))]
}

func build(p *plan) *generator {
	g := &generator{plan: p, results: make(map[[2]int]slotValue), memory: newMemory()}
	for i, a := range p.Nest.Access {
		q := &port{dtype: a.DType, lane: p.Stride(i, p.Lane),
			strides: append(append([]int(nil), a.Outer...), a.Inner...)}
		g.ports = append(g.ports, q)
	}
	for i := range p.Nest.Stages {
		g.stages = append(g.stages, g.lowerStage(i))
	}
	if len(g.ports) > maxPorts || len(p.Nest.Outer)+len(p.Nest.Inner) > maxLoops {
		unsupported()
	}
	for i, q := range g.ports {
		if i < len(pointerRegs) {
			q.reg = pointerRegs[i]
		} else {
			q.slot = wordMoving + i
		}
	}
	return g
}

// start starts on the code anew, with some constants in registers.
func (g *generator) start(a *asm.Assembler, promote []operand) {
	e := g.e
	e.restart(g.isa, a, &g.numbers)
	e.slots, e.promoted = g.slots, promote
	e.spillAt = func(slot int) asm.Mem {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, 8*wordScratch))
		return asm.Ptr(asm.RAX, 64*(1+slot))
	}
	for _, o := range promote {
		e.ownReg[o.number] = e.pin(o.kind)
	}
}

// streams reports whether non-temporal stores are worth a variant of the code.
func (g *generator) streams() bool {
	if len(g.Nest.Inner) > 0 || !g.avx512() {
		return false
	}
	written := 0
	for i, a := range g.Nest.Access {
		if a.Write {
			if g.Stride(i, g.Lane) != 1 || a.DType.Size() < 4 {
				return false
			}
			written++
		}
	}
	return written > 0 && g.traffic() > streamBytes
}

// traffic is the memory that a run touches.
func (g *generator) traffic() int {
	bytes := 0
	for _, a := range g.Nest.Access {
		n := a.DType.Size()
		for loop, e := range g.Nest.Outer {
			if a.Outer[loop] != 0 {
				n *= e
			}
		}
		for loop, e := range g.Nest.Inner {
			if a.Inner[loop] != 0 {
				n *= e
			}
		}
		bytes += n
	}
	return bytes
}

// streamBytes is the traffic beyond which stores go past the caches.
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
	case g.Row < 0:
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
		g.folds(0, 1)
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
	for _, o := range e.promoted {
		e.loadConst(e.ownReg[o.number], o)
	}
	if t := g.tail(); t > 0 && e.avx512 {
		e.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<t-1))
		e.a.Emit(asm.KMOVW, tailMask, asm.RAX.Dword())
	}
}
