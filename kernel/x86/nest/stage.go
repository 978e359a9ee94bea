package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// stage is a lowered stage: the sequence of its body with the folding of its
// reductions, and one that makes the results of the reductions.
type stage struct {
	once    bool
	seq     *sequence
	accs    []accumulator
	reduce  []*reduction
	finish  *sequence
	flushes bool
}

// accumulator is a register that lives over the inner loops, once for each copy
// of the body.
type accumulator struct {
	kind    kind
	start   operand
	partial int // slot of a sum of partial sums, -1 if none
}

type reduction struct {
	kernel.Reduction
	first  int // its first accumulator; an arg kind has a second
	kind   kind
	plain  bool // a minimum or maximum of which neither NaN nor the sign of a zero matters
	noted  bool // a minimum or maximum with accumulators that tell of NaNs
	result int  // scratch slot of the result, one for each copy of the body
}

// generator builds the code of a nest.
type generator struct {
	*plan
	*memory
	ports    []*port
	kept     []keptValue
	stages   []*stage
	results  map[[2]int]slotValue // accumulators and once-kept values
	slots    int                  // scratch slots given away
	gathered []int                // ports that are read at offsets
	ahead    []coming             // what the running loop prefetches
	apart    bool                 // copies of bodies are not interleaved
}

// slotValue is a value that later stages find in a scratch slot.
type slotValue struct {
	slot  int
	dtype dtype.DType
}

// keptValue is a buffer of kept values.
type keptValue struct {
	stage, number int
	port          *port
	bytes         int
	offset        int // in scratch memory
}

func (g *generator) newSlots(n int) int {
	g.slots += n
	return g.slots - n
}

func (g *generator) lowerStage(number int) *stage {
	src := &g.Nest.Stages[number]
	s := &stage{once: src.Once, seq: g.newSequence(g.isa)}
	l := &lowering{sequence: s.seq, body: src.Body}
	l.leaf = func(l *lowering, i *kernel.Instr) operand { return g.leaf(l, i, src) }
	l.loadAt = func(l *lowering, i *kernel.Instr, offset operand) operand {
		return g.gather(l.sequence, i.Port, offset)
	}
	l.store = func(l *lowering, i *kernel.Instr, v operand) {
		p := g.ports[i.Port]
		if !src.Once && len(g.Nest.Inner) > 0 && g.Invariant(i.Port) || (p.lane == 0 && g.LaneOuter) {
			unsupported() // every inner point writes one element
		}
		s.seq.store(p, v)
	}
	l.notPositive = func(value int) bool { return g.NotPositive(number, value) }
	l.lower()
	for k, n := range src.Keep {
		g.keep(l, s, number, k, n)
	}
	for i := range src.Reduce {
		s.reduce = append(s.reduce, g.reduction(l, s, number, i))
	}
	s.seq.prune(nil)
	s.seq.settle(&g.numbers)
	s.seq.twins = g.interleaves(s.seq)
	if len(s.reduce) > 0 {
		s.finish = g.finishSequence(s)
		s.finish.settle(&g.numbers)
	}
	return s
}

// leaf lowers the instructions that bring values into a body.
func (g *generator) leaf(l *lowering, i *kernel.Instr, src *kernel.Stage) operand {
	before := !src.Once && !g.spreads()
	switch i.Op {
	case kernel.Load:
		return l.load(g.ports[i.Port], before && g.Invariant(i.Port))
	case kernel.Index:
		return g.index(l.sequence, i.Port, before)
	case kernel.Acc:
		return g.fromSlot(l.sequence, g.results[[2]int{i.Port, int(i.Imm)}], before)
	case kernel.Kept:
		if g.Nest.Stages[i.Port].Once {
			return g.fromSlot(l.sequence, g.results[[2]int{i.Port, -1 - int(i.Imm)}], before)
		}
		for _, k := range g.kept {
			if k.stage == i.Port && k.number == int(i.Imm) {
				return l.load(k.port, false)
			}
		}
	}
	unsupported()
	return operand{}
}

func (g *generator) fromSlot(s *sequence, v slotValue, before bool) operand {
	return s.add(kindOf(v.dtype), instr{before: before, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VMOVUPS, r.d, e.spillAt(v.slot+e.copyOf(g)))
	}})
}

// copyOf says which slot of a value belongs to the code being emitted.
func (e *emitter) copyOf(g *generator) int {
	if g.LaneOuter {
		return e.unroll
	}
	return e.rowCopy
}

func (g *generator) toSlot(s *sequence, v operand, slot int) {
	if v.constant() {
		v = s.splat(v)
	}
	s.do(instr{src: s.sources(v, dummy), emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VMOVUPS, e.spillAt(slot+e.copyOf(g)), r.s[0])
	}})
}

// keep stores value n for later stages.
func (g *generator) keep(l *lowering, s *stage, number, k, n int) {
	t := l.body[n].Type
	v := l.value(n)
	if s.once {
		slot := g.newSlots(max(g.Unroll, 2))
		g.results[[2]int{number, -1 - k}] = slotValue{slot, t}
		g.toSlot(s.seq, v, slot)
		return
	}
	p := g.keptPort(kindOf(t))
	p.copyBytes = (g.keptElements()*p.size() + 127) &^ 63
	bytes := p.copyBytes
	if g.pairs {
		bytes *= 2
	}
	g.kept = append(g.kept, keptValue{stage: number, number: k, port: p, bytes: bytes})
	s.seq.store(p, v)
}

// keptPort is a buffer for a value of kind k at every inner point: the lane loop
// is innermost, the other inner loops follow.
func (g *generator) keptPort(k kind) *port {
	types := [...]dtype.DType{f32: dtype.F32, f64: dtype.F64, i32: dtype.I32, i64: dtype.I64}
	p := &port{dtype: types[k], lane: 1, local: g.LaneOuter,
		strides: make([]int, len(g.Nest.Outer)+len(g.Nest.Inner))}
	step := g.Extent(g.Lane)
	if g.LaneOuter {
		step = g.Unroll * g.Lanes
	}
	for i := len(g.Seq) - 1; i >= 0; i-- {
		p.strides[g.Seq[i]] = step
		step *= g.Extent(g.Seq[i])
	}
	g.ports = append(g.ports, p)
	return p
}

func (g *generator) keptElements() int {
	n := g.InnerPoints()
	if g.LaneOuter {
		n *= g.Unroll * g.Lanes
	}
	return n
}

// index is the i64 index of a loop.
func (g *generator) index(s *sequence, loop int, hoist bool) operand {
	word := g.indexWord(loop)
	if loop != g.Lane {
		before := hoist && loop < len(g.Nest.Outer)
		return s.add(i64, instr{before: before, emit: func(e *emitter, r *registers) {
			if e.single && loop >= len(g.Nest.Outer) {
				e.zero(r.d)
				return
			}
			e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, word))
			if loop == g.Row && e.rowCopy > 0 {
				e.a.Emit(asm.ADD, asm.RAX, asm.Imm(e.rowCopy))
			}
			e.broadcast64(r.d)
		}})
	}
	before := hoist && g.LaneOuter && len(g.Nest.Inner) > 0
	first := s.add(i64, instr{before: before, emit: func(e *emitter, r *registers) {
		if e.single {
			e.zero(r.d)
			return
		}
		e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, word))
		e.a.Emit(asm.ADD, asm.RAX, indexReg)
		if e.unroll > 0 {
			e.a.Emit(asm.ADD, asm.RAX, asm.Imm(e.unroll*e.lanes))
		}
		e.broadcast64(r.d)
	}})
	return s.add(i64, instr{src: s.sources(first, dummy), emit: func(e *emitter, r *registers) {
		var iota []uint64
		for i := range r.d.Bytes() / 8 {
			if e.single {
				i = 0
			}
			iota = append(iota, uint64(i))
		}
		e.a.Emit(asm.VPADDQ, r.d, r.reg(0), e.a.ConstU64(iota...))
	}})
}

// broadcast64 copies RAX to all lanes of d.
func (e *emitter) broadcast64(d asm.Reg) {
	e.a.Emit(asm.VMOVQ, d.As(16), asm.RAX)
	e.a.Emit(asm.VPBROADCASTQ, d, d.As(16))
}

// identity is the value that does not change the result of a reduction.
func identity(r *kernel.Reduction, t dtype.DType) operand {
	k := kindOf(t)
	if t == dtype.Bool {
		switch r.Kind {
		case kernel.ReduceProd, kernel.ReduceMin, kernel.ReduceMinNum, kernel.ReduceAnd:
			return cBits(i32, 0xffffffff)
		}
		return cBits(i32, 0)
	}
	switch r.Kind {
	case kernel.ReduceProd:
		if t.IsFloat() {
			return cFloat(k, 1)
		}
		return cBits(k, 1)
	case kernel.ReduceMin, kernel.ReduceArgMin:
		return lowest(k, false)
	case kernel.ReduceMax, kernel.ReduceArgMax:
		return lowest(k, true)
	case kernel.ReduceMinNum, kernel.ReduceMaxNum:
		if t.IsFloat() {
			return cFloat(k, math.NaN())
		}
		return lowest(k, r.Kind == kernel.ReduceMaxNum)
	case kernel.ReduceAnd:
		return cBits(k, math.MaxUint64>>(64-8*k.size()))
	}
	return cBits(k, 0)
}

// lowest is the least value of a kind, or the greatest.
func lowest(k kind, least bool) operand {
	sign := 1
	if least {
		sign = -1
	}
	switch k {
	case f32, f64:
		return cFloat(k, math.Inf(sign))
	case i32:
		if least {
			return cBits(i32, 1<<31)
		}
		return cBits(i32, 1<<31-1)
	}
	if least {
		return cBits(i64, 1<<63)
	}
	return cBits(i64, 1<<63-1)
}
