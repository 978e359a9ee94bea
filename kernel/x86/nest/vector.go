package nest

import (
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// The vocabulary of vector code: each method appends one operation.

func cF32(x float64) operand {
	return operand{v: noValue, kind: f32, bits: uint64(math.Float32bits(float32(x)))}
}

func cBits(k kind, bits uint64) operand { return operand{v: noValue, kind: k, bits: bits} }

func cFloat(k kind, x float64) operand {
	if k == f64 {
		return cBits(f64, math.Float64bits(x))
	}
	return cF32(x)
}

// pick chooses an instruction by kind: f32, f64, i32, i64.
func pick(k kind, ops ...asm.Op) asm.Op {
	if k == mask {
		k = i32
	}
	return ops[k]
}

// rvm appends d = op(a, b); b may be a constant in memory.
func (s *sequence) rvm(op asm.Op, k kind, a, b operand) operand {
	return s.add(k, instr{src: s.sources(a, b), emit: func(e *emitter, r *registers) {
		e.a.Emit(op, r.d, r.s[0], r.s[1])
	}})
}

// commute is rvm with a constant moved to the end.
func (s *sequence) commute(op asm.Op, k kind, a, b operand) operand {
	if a.constant() {
		a, b = b, a
	}
	return s.rvm(op, k, a, b)
}

// rm appends d = op(a), with further immediates.
func (s *sequence) rm(op asm.Op, k kind, a operand, imm ...asm.Operand) operand {
	return s.add(k, instr{src: s.sources(a, dummy), emit: func(e *emitter, r *registers) {
		e.a.Emit(op, append([]asm.Operand{r.d, r.s[0]}, imm...)...)
	}})
}

// dummy fills the last place among the sources, so that none is left in memory.
var dummy = operand{v: noValue, kind: 255}

func (s *sequence) plus(a, b operand) operand {
	k := a.kind
	return s.commute(pick(k, asm.VADDPS, asm.VADDPD, asm.VPADDD, asm.VPADDQ), k, a, b)
}

func (s *sequence) minus(a, b operand) operand {
	k := a.kind
	return s.rvm(pick(k, asm.VSUBPS, asm.VSUBPD, asm.VPSUBD, asm.VPSUBQ), k, a, b)
}

func (s *sequence) times(a, b operand) operand {
	k := a.kind
	return s.commute(pick(k, asm.VMULPS, asm.VMULPD, asm.VPMULLD, asm.VPMULLQ), k, a, b)
}

func (s *sequence) over(a, b operand) operand {
	if a.kind == f32 && !s.exact && s.invariant(b) && !s.invariant(a) {
		return s.overInvariant(a, b)
	}
	return s.rvm(pick(a.kind, asm.VDIVPS, asm.VDIVPD), a.kind, a, b)
}

// lesser is min(a, b) as the hardware does it: b if either is NaN, or if both are zero.
func (s *sequence) lesser(a, b operand) operand {
	return s.rvm(pick(a.kind, asm.VMINPS, asm.VMINPD, asm.VPMINSD, asm.VPMINSQ), a.kind, a, b)
}

func (s *sequence) greater(a, b operand) operand {
	return s.rvm(pick(a.kind, asm.VMAXPS, asm.VMAXPD, asm.VPMAXSD, asm.VPMAXSQ), a.kind, a, b)
}

func (s *sequence) root(a operand) operand {
	return s.rm(pick(a.kind, asm.VSQRTPS, asm.VSQRTPD), a.kind, a)
}

// logic picks an operation on bits of any kind.
func (s *sequence) logic(op512, op512q, op2 asm.Op, a, b operand) operand {
	op := op2
	if s.avx512 {
		if op = op512; a.kind.size() == 8 {
			op = op512q
		}
	}
	return s.rvm(op, a.kind, a, b)
}

func (s *sequence) and(a, b operand) operand {
	if a.constant() {
		a, b = b, a
	}
	return s.logic(asm.VPANDD, asm.VPANDQ, asm.VPAND, a, b)
}

func (s *sequence) or(a, b operand) operand {
	if a.constant() {
		a, b = b, a
	}
	return s.logic(asm.VPORD, asm.VPORQ, asm.VPOR, a, b)
}

func (s *sequence) xor(a, b operand) operand {
	if a.constant() {
		a, b = b, a
	}
	return s.logic(asm.VPXORD, asm.VPXORQ, asm.VPXOR, a, b)
}

// as reads the bits of a as another kind of the same width; it costs nothing.
func as(k kind, a operand) operand {
	a.kind = k
	return a
}

func (s *sequence) shiftLeft(a operand, n int) operand {
	return s.rm(pick(a.kind, asm.VPSLLD, asm.VPSLLQ, asm.VPSLLD, asm.VPSLLQ), a.kind, a, asm.Imm(n))
}

func (s *sequence) shiftRight(a operand, n int) operand {
	return s.rm(pick(a.kind, asm.VPSRLD, asm.VPSRLQ, asm.VPSRLD, asm.VPSRLQ), a.kind, a, asm.Imm(n))
}

func (s *sequence) shiftSigned(a operand, n int) operand {
	return s.rm(pick(a.kind, asm.VPSRAD, asm.VPSRAQ, asm.VPSRAD, asm.VPSRAQ), a.kind, a, asm.Imm(n))
}

// fma appends a·b + c.
func (s *sequence) fma(a, b, c operand) operand { return s.fused(fmaOps[0], a, b, c) }

// fnma appends c - a·b.
func (s *sequence) fnma(a, b, c operand) operand { return s.fused(fmaOps[1], a, b, c) }

// fms appends a·b - c.
func (s *sequence) fms(a, b, c operand) operand { return s.fused(fmaOps[2], a, b, c) }

// fmaOps are the 132, 213 and 231 forms, for f32 and f64.
var fmaOps = [...][2][3]asm.Op{
	{{asm.VFMADD132PS, asm.VFMADD213PS, asm.VFMADD231PS},
		{asm.VFMADD132PD, asm.VFMADD213PD, asm.VFMADD231PD}},
	{{asm.VFNMADD132PS, asm.VFNMADD213PS, asm.VFNMADD231PS},
		{asm.VFNMADD132PD, asm.VFNMADD213PD, asm.VFNMADD231PD}},
	{{asm.VFMSUB132PS, asm.VFMSUB213PS, asm.VFMSUB231PS},
		{asm.VFMSUB132PD, asm.VFMSUB213PD, asm.VFMSUB231PD}},
}

// fused appends a multiply-add. One of the factors or the addend may be a
// constant in memory; it stands last among the sources.
func (s *sequence) fused(ops [2][3]asm.Op, a, b, c operand) operand {
	forms := ops[0]
	if a.kind == f64 {
		forms = ops[1]
	}
	if a.constant() {
		a, b = b, a
	}
	if b.constant() && !c.constant() { // a·const + c
		return s.add(a.kind, instr{src: s.sources(a, c, b), emit: func(e *emitter, r *registers) {
			emitFused(e, r, forms, r.s[0], r.s[2], r.s[1])
		}})
	}
	return s.add(a.kind, instr{src: s.sources(a, b, c), emit: func(e *emitter, r *registers) {
		emitFused(e, r, forms, r.s[0], r.s[1], r.s[2])
	}})
}

// emitFused emits d = a·b + c in the form that fits where d is.
func emitFused(e *emitter, r *registers, forms [3]asm.Op, a, b, c asm.Operand) {
	same := func(o asm.Operand) bool { x, ok := o.(asm.Reg); return ok && x == r.d }
	switch {
	case same(c) && !same(a) && !same(b):
		e.a.Emit(forms[2], r.d, a, b) // d += a·b
	case same(c) && same(a) && same(b):
		e.a.Emit(forms[1], r.d, b, c)
	case same(b) && isReg(a):
		a, b = b, a
		fallthrough
	case same(a):
		if isReg(b) {
			e.a.Emit(forms[1], r.d, b, c) // d = d·b + c
		} else {
			e.a.Emit(forms[0], r.d, c, b) // d = d·b + c with b in memory
		}
	case isReg(b):
		e.a.Emit(asm.VMOVAPS, r.d, a)
		e.a.Emit(forms[1], r.d, b, c)
	default:
		e.a.Emit(asm.VMOVAPS, r.d, a)
		e.a.Emit(forms[0], r.d, c, b)
	}
}

func isReg(o asm.Operand) bool { _, ok := o.(asm.Reg); return ok }

// predicate is the immediate of a comparison of floats.
type predicate int

const (
	equal        predicate = 0
	less         predicate = 1
	lessEqual    predicate = 2
	unordered    predicate = 3
	notEqual     predicate = 4
	notLess      predicate = 5 // or unordered
	notLessEqual predicate = 6 // or unordered
	greaterEqual predicate = 13
	greaterThan  predicate = 14
)

// compare appends a mask of a ? b.
func (s *sequence) compare(p predicate, a, b operand) operand {
	switch {
	case a.kind == f32 || a.kind == f64:
		return s.compareFloat(p, a, b)
	case s.avx512:
		imm := map[predicate]asm.Imm{equal: 0, less: 1, lessEqual: 2, notEqual: 4, greaterEqual: 5,
			greaterThan: 6}[p]
		op := pick(a.kind, 0, 0, asm.VPCMPD, asm.VPCMPQ)
		return s.add(mask, instr{src: s.sources(a, b), emit: func(e *emitter, r *registers) {
			e.a.Emit(op, r.d, r.s[0], r.s[1], imm)
		}})
	}
	return s.compareIntAVX2(p, a, b)
}

func (s *sequence) compareFloat(p predicate, a, b operand) operand {
	op := pick(a.kind, asm.VCMPPS, asm.VCMPPD)
	if s.avx512 || a.kind == f32 {
		return s.add(mask, instr{src: s.sources(a, b), emit: func(e *emitter, r *registers) {
			e.a.Emit(op, r.d, r.s[0], r.s[1], asm.Imm(p))
		}})
	}
	return s.narrowMask(s.add(f64, instr{src: s.sources(a, b), emit: func(e *emitter, r *registers) {
		e.a.Emit(op, r.d, r.s[0], r.s[1], asm.Imm(p))
	}}))
}

func (s *sequence) compareIntAVX2(p predicate, a, b operand) operand {
	k := a.kind
	eq := pick(k, 0, 0, asm.VPCMPEQD, asm.VPCMPEQQ)
	gt := pick(k, 0, 0, asm.VPCMPGTD, asm.VPCMPGTQ)
	var m operand
	invert := false
	switch p {
	case equal, notEqual:
		m, invert = s.rvm(eq, k, a, b), p == notEqual
	case greaterThan, lessEqual:
		m, invert = s.rvm(gt, k, a, b), p == lessEqual
	default:
		m, invert = s.rvm(gt, k, b, a), p == greaterEqual
	}
	if k == i64 {
		m = s.narrowMask(m)
	}
	if invert {
		m = s.xor(as(i32, m), cBits(i32, 0xffffffff))
	}
	return as(mask, m)
}

// narrowMask takes a vector of 8-byte masks to one of 4-byte masks, on AVX2.
func (s *sequence) narrowMask(a operand) operand {
	return s.add(mask, instr{src: s.sources(a, dummy), temps: 1, early: true, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VEXTRACTF128, r.t[0].As(16), r.reg(0).As(32), asm.Imm(1))
		e.a.Emit(asm.VSHUFPS, r.d.As(16), r.reg(0).As(16), r.t[0].As(16), asm.Imm(0x88))
	}})
}

// blend appends m ? yes : no.
func (s *sequence) blend(m, no, yes operand) operand {
	k := no.kind
	if s.avx512 {
		op := pick(k, asm.VBLENDMPS, asm.VBLENDMPD, asm.VPBLENDMD, asm.VPBLENDMQ)
		return s.add(k, instr{src: s.sources(m, no, yes), emit: func(e *emitter, r *registers) {
			e.a.Emit(op, r.d.Mask(r.reg(0)), r.s[1], r.s[2])
		}})
	}
	if k.size() == 8 {
		m = s.rm(asm.VPMOVSXDQ, k, as(i32, m))
	}
	op := pick(k, asm.VBLENDVPS, asm.VBLENDVPD, asm.VBLENDVPS, asm.VBLENDVPD)
	return s.add(k, instr{src: s.sources(m, no, yes), emit: func(e *emitter, r *registers) {
		e.a.Emit(op, r.d, r.s[1], r.s[2], r.s[0])
	}})
}

// toVector turns a mask into a vector of 0 and -1.
func (s *sequence) toVector(m operand) operand {
	if !s.avx512 {
		return as(i32, m)
	}
	return s.rm(asm.VPMOVM2D, i32, m)
}

// toMask is the inverse of toVector.
func (s *sequence) toMask(a operand) operand {
	if !s.avx512 {
		return as(mask, a)
	}
	return s.add(mask, instr{src: s.sources(a, dummy), emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VPTESTMD, r.d, r.s[0], r.s[0])
	}})
}

// The rounding modes of round.
const (
	nearestEven = 0
	floor       = 1
	ceil        = 2
	truncate    = 3
)

func (s *sequence) round(a operand, mode int) operand {
	if s.avx512 {
		return s.rm(pick(a.kind, asm.VRNDSCALEPS, asm.VRNDSCALEPD), a.kind, a, asm.Imm(mode|8))
	}
	return s.rm(pick(a.kind, asm.VROUNDPS, asm.VROUNDPD), a.kind, a, asm.Imm(mode|8))
}

// copySign appends the size of a with the sign of b.
func (s *sequence) copySign(a, b operand) operand {
	sign := uint64(1) << (8*a.kind.size() - 1)
	return s.or(s.and(a, cBits(a.kind, sign-1)), s.and(b, cBits(a.kind, sign)))
}

func (s *sequence) abs(a operand) operand {
	return s.and(a, cBits(a.kind, uint64(1)<<(8*a.kind.size()-1)-1))
}

func (s *sequence) negate(a operand) operand {
	return s.xor(a, cBits(a.kind, uint64(1)<<(8*a.kind.size()-1)))
}

// splat appends a constant in a register.
func (s *sequence) splat(c operand) operand {
	return s.add(c.kind, instr{before: true, emit: func(e *emitter, r *registers) {
		e.loadConst(r.d, c)
	}})
}

// both appends the conjunction of two masks.
func (s *sequence) both(a, b operand) operand {
	if !s.avx512 {
		return as(mask, s.and(as(i32, a), as(i32, b)))
	}
	return s.rvm(asm.KANDW, mask, a, b)
}

// either appends the disjunction of two masks.
func (s *sequence) either(a, b operand) operand {
	if !s.avx512 {
		return as(mask, s.or(as(i32, a), as(i32, b)))
	}
	return s.rvm(asm.KORW, mask, a, b)
}
