package nest

import (
	"math/bits"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// gathered is a port that is read at offsets.
type gathered struct {
	*port
	word   int // in the call block: where the port begins
	length int
	aimed  bool // the loop finds the pointer at the row, unless it is careful
}

// gather appends the read of a port at the current point plus an offset in every
// lane. An element outside the port sets the fault and gives 0. If the offset is one
// for all lanes, elements that lie side by side are loaded so. AVX-512 has gathers that
// pass elements by; without it they are read one by one.
func (g *generator) gather(s *sequence, number int, offset operand) operand {
	if !g.inside(number) {
		unsupported()
	}
	g.gathered = append(g.gathered, number)
	p := gathered{port: g.ports[number], word: 8 * (wordBase + number), length: g.Nest.Access[number].Len}
	i := instr{src: s.sources(offset, dummy), temps: 2, early: true, moves: !g.Invariant(number)}
	uniform := s.invariant(offset) && (!g.LaneOuter || len(g.Nest.Inner) == 0)
	switch {
	case uniform && p.lane == 1:
		p.aimed = g.aims(number)
		if p.aimed {
			s.guards = append(s.guards, p.guard(g, number, offset))
		}
		i.emit = p.row
	case s.avx512:
		i.emit, i.masks = p.vector, 2
	default:
		i.emit = p.elements
	}
	v := s.add(kindOf(p.dtype), i)
	if p.dtype == dtype.Bool { // 0 and 1 to 0 and -1
		return s.minus(s.splat(cBits(i32, 0)), v)
	}
	return v
}

// places emits the element numbers of all lanes.
func (p gathered) places(e *emitter, offset asm.Operand, at asm.Reg) {
	e.a.Emit(asm.LEA, asm.RAX, e.element(p.port))
	p.number(e)
	e.broadcast64(at)
	e.a.Emit(asm.VPADDQ, at, at, offset)
	if p.lane != 0 && !e.single {
		e.a.Emit(asm.VPADDQ, at, at, e.a.ConstU64(steps(p.lane, e.lanes)...))
	}
}

// number turns an address in RAX into the number of the element.
func (p gathered) number(e *emitter) {
	e.a.Emit(asm.SUB, asm.RAX, asm.Ptr(argsReg, p.word))
	if p.size() > 1 {
		e.a.Emit(asm.SAR, asm.RAX, asm.Imm(bits.TrailingZeros(uint(p.size()))))
	}
}

// vector emits a gather under a mask.
func (p gathered) vector(e *emitter, r *registers) {
	at := r.t[0]
	p.places(e, r.s[0], at)
	limit := e.a.ConstU64(uint64(p.length)).Bcast()
	good, bad := r.k[0], r.k[1]
	if e.tail > 0 && !e.single {
		good, bad = good.Mask(tailMask), bad.Mask(tailMask)
	}
	fine := e.a.Label()
	e.a.Emit(asm.VPCMPUQ, good, at, limit, asm.Imm(1))
	e.a.Emit(asm.VPCMPUQ, bad, at, limit, asm.Imm(5))
	e.a.Emit(asm.KORTESTB, r.k[1], r.k[1])
	e.a.Emit(asm.JE, fine)
	e.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1))
	e.a.Emit(asm.MOV, asm.Ptr(argsReg, 8*wordFault), asm.RAX)
	e.a.Bind(fine)
	e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, p.word))
	e.zero(r.d)
	if p.size() < 4 {
		p.narrow(e, r, at)
		return
	}
	op := asm.VPGATHERQD
	if p.size() == 8 {
		op = asm.VPGATHERQQ
	}
	e.a.Emit(op, r.d.Mask(r.k[0]), asm.At(asm.RAX, at, p.size(), 0))
}

// narrow emits a gather of elements of 1 or 2 bytes, whose numbers are given and whose port
// begins at RAX: of the words of 4 bytes, on their boundaries, in which they are. Those end
// in no other page than the elements.
func (p gathered) narrow(e *emitter, r *registers, at asm.Reg) {
	a, word := e.a, r.t[1].As(at.Bytes())
	e.broadcast64(word)
	if p.size() == 2 {
		a.Emit(asm.VPADDQ, at, at, at)
	}
	a.Emit(asm.VPADDQ, at, at, word)
	a.Emit(asm.VPANDQ, word, at, a.ConstU64(^uint64(3)).Bcast())
	a.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	a.Emit(asm.VPGATHERQD, r.d.Mask(r.k[0]), asm.At(asm.RAX, word, 1, 0))
	place := r.t[1].As(r.d.Bytes())
	a.Emit(asm.VPMOVQD, place, at)
	e.cutOut(p.dtype, r.d, place)
}

// row emits a load of elements that lie side by side, if all are inside the port.
func (p gathered) row(e *emitter, r *registers) {
	switch {
	case e.single || p.length < e.count():
		p.elements(e, r)
		return
	case p.aimed && !e.careful:
		e.loadContiguous(p.port, e.contiguous(p.port), r)
		return
	}
	some, done := e.a.Label(), e.a.Label()
	e.a.Emit(asm.LEA, asm.RAX, e.contiguous(p.port))
	p.number(e)
	e.a.Emit(asm.VMOVQ, asm.R11, r.reg(0).As(16))
	e.a.Emit(asm.ADD, asm.RAX, asm.R11)
	e.a.Emit(asm.CMP, asm.RAX, e.a.ConstU64(uint64(p.length-e.count())))
	e.a.Emit(asm.JA, some)
	e.a.Emit(asm.MOV, asm.R11, asm.Ptr(argsReg, p.word))
	e.loadContiguous(p.port, asm.At(asm.R11, asm.RAX, p.size(), 0), r)
	e.a.Emit(asm.JMP, done)
	e.a.Bind(some)
	p.elements(e, r)
	e.a.Bind(done)
}

// aims reports whether a loop may find the pointer of a port moved to the row that it
// reads at an offset: nothing else reads the port, or moves its pointer.
func (g *generator) aims(number int) bool {
	reads := 0
	for _, s := range g.Nest.Stages {
		for _, i := range s.Body {
			if (i.Op == kernel.Load || i.Op == kernel.LoadAt) && i.Port == number {
				reads++
			}
		}
	}
	return reads == 1 && len(g.Seq) == 0 && number < len(pointerRegs) &&
		g.Nest.Access[number].Len >= g.Extent(g.Lane)
}

// guard makes sure that the whole row at an offset is inside the port, and points there
// while the loop runs.
func (p gathered) guard(g *generator, number int, offset operand) guard {
	saved := asm.Ptr(argsReg, 8*(wordMoving+number))
	step := func(e *emitter, of operand) {
		e.locked = 0
		e.a.Emit(asm.VMOVQ, asm.R11, e.fetch(of, -1).As(16))
	}
	return guard{of: offset, check: func(e *emitter, of operand, careful asm.Label) {
		step(e, of)
		e.a.Emit(asm.LEA, asm.RAX, asm.Ptr(p.reg, p.disp))
		p.number(e)
		e.a.Emit(asm.ADD, asm.RAX, asm.R11)
		if g.LaneOuter { // the call may begin inside the row
			e.a.Emit(asm.SUB, asm.RAX, asm.Ptr(argsReg, g.indexWord(g.Lane)))
		}
		e.a.Emit(asm.CMP, asm.RAX, e.a.ConstU64(uint64(p.length-g.Extent(g.Lane))))
		e.a.Emit(asm.JA, careful)
	}, enter: func(e *emitter, of operand) {
		step(e, of)
		e.a.Emit(asm.MOV, saved, p.reg)
		e.a.Emit(asm.LEA, p.reg, asm.At(p.reg, asm.R11, p.size(), 0))
	}, leave: func(e *emitter, _ operand) {
		e.a.Emit(asm.MOV, p.reg, saved)
	}}
}

// elements emits a load for each lane. The element numbers lie in scratch memory,
// where the elements take their places.
func (p gathered) elements(e *emitter, r *registers) {
	at := r.t[0].As(8 * e.lanes)
	p.places(e, r.s[0], at)
	e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, e.scratchWord()))
	e.a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 0), at)
	e.a.Emit(asm.MOV, asm.R11, asm.Ptr(argsReg, p.word))
	e.a.Emit(asm.MOV, asm.Ptr(argsReg, e.savedWord()), laneReg)
	for i := range e.lanes {
		if i < e.count() {
			p.checked(e, asm.Ptr(asm.RAX, 8*i), r.t[1])
		} else {
			e.a.Emit(asm.XOR, laneReg.Dword(), laneReg.Dword())
		}
		e.putLane(p.port, i)
	}
	e.a.Emit(asm.MOV, laneReg, asm.Ptr(argsReg, e.savedWord()))
	e.a.Emit(asm.VMOVUPS, r.d, asm.Ptr(asm.RAX, 0))
}

// checked emits the load of the element whose number is in memory.
func (p gathered) checked(e *emitter, number asm.Mem, temp asm.Reg) {
	fine, done := e.a.Label(), e.a.Label()
	e.a.Emit(asm.MOV, laneReg, number)
	e.a.Emit(asm.CMP, laneReg, e.a.ConstU64(uint64(p.length)))
	e.a.Emit(asm.JB, fine)
	e.a.Emit(asm.MOV, laneReg.Dword(), asm.Imm(1))
	e.a.Emit(asm.MOV, asm.Ptr(argsReg, 8*wordFault), laneReg)
	e.a.Emit(asm.XOR, laneReg.Dword(), laneReg.Dword())
	e.a.Emit(asm.JMP, done)
	e.a.Bind(fine)
	e.loadElement(p.port, asm.At(asm.R11, laneReg, p.size(), 0), temp)
	e.a.Bind(done)
}

// steps are the multiples of stride.
func steps(stride, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i * stride)
	}
	return out
}

// inside reports whether the affine part of an access stays within its port, so
// that its addresses are addresses of the buffer.
func (g *generator) inside(number int) bool {
	a := &g.Nest.Access[number]
	lo, hi := a.Offset, a.Offset
	for loop := range len(g.Nest.Outer) + len(g.Nest.Inner) {
		if reach := g.Stride(number, loop) * (g.Extent(loop) - 1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return lo >= 0 && hi < a.Len
}
