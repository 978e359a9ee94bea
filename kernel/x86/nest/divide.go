package nest

import (
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// Division of f32 by what a loop does not change: a·h + a·l, where h is the
// reciprocal rounded towards zero and l is what it lacks, with the same sign and
// never zero, so that infinities come out right. The result is the rounded
// quotient but for ties that are decided by digits beyond the 47th. This holds
// for divisors from 2⁻¹⁰⁰ to 2¹⁰⁰, which a guard makes sure of.
const (
	safeLow  = 0x1p-100
	safeHigh = 0x1p100
)

func (s *sequence) overInvariant(a, b operand) operand {
	if b.constant() {
		return s.overConstant(a, b)
	}
	one := cF32(1)
	q := s.rvm(asm.VDIVPS, f32, s.splat(one), b)
	// The sign of what q lacks, in all bits: it is one too large where that is negative.
	large := s.shiftSigned(as(i32, s.fnma(q, b, one)), 31)
	h := as(f32, s.plus(as(i32, q), large))
	l := s.times(s.fnma(h, b, one), q)
	l = as(f32, s.or(as(i32, l), cBits(i32, 1)))
	s.guards = append(s.guards, guard{of: b, check: (*emitter).jumpUnsafe})
	return s.add(f32, instr{src: s.sources(a, b, h, l, dummy), early: true, emit: func(e *emitter, r *registers) {
		if e.careful {
			e.a.Emit(asm.VDIVPS, r.d, r.s[0], r.s[1])
			return
		}
		e.a.Emit(asm.VMULPS, r.d, r.s[0], r.s[3])
		e.a.Emit(asm.VFMADD231PS, r.d, r.s[0], r.s[2])
	}})
}

// overConstant divides by a constant.
func (s *sequence) overConstant(a, b operand) operand {
	x := math.Float32frombits(uint32(b.bits))
	size := math.Abs(float64(x))
	if !(size >= safeLow && size <= safeHigh) {
		return s.rvm(asm.VDIVPS, f32, a, b)
	}
	exact := 1 / float64(x)
	h := float32(exact)
	if float64(h) == exact { // a power of two
		return s.times(a, cF32(exact))
	}
	if math.Abs(float64(h)) > math.Abs(exact) {
		h = math.Nextafter32(h, 0)
	}
	return s.fma(a, cF32(float64(h)), s.times(a, cF32(exact-float64(h))))
}

// jumpUnsafe jumps if a lane of b is outside the safe range.
func (e *emitter) jumpUnsafe(b operand, to asm.Label) {
	e.locked = 0
	r := e.fetch(b, -1)
	t, u := e.take(f32, -1), e.take(f32, -1)
	e.a.Emit(asm.VMOVAPS, t, e.fullConst(cBits(f32, 1<<31-1)))
	e.a.Emit(asm.VANDPS, t, t, r)
	if e.avx512 {
		k, m := e.takeMask(), e.takeMask()
		e.a.Emit(asm.VCMPPS, k, t, e.scalar(cF32(safeHigh)).Bcast(), asm.Imm(6)) // not ≤
		e.a.Emit(asm.VCMPPS, m, t, e.scalar(cF32(safeLow)).Bcast(), asm.Imm(less))
		e.a.Emit(asm.KORTESTW, k, m)
		e.ks |= 1<<k.Num() | 1<<m.Num()
	} else {
		e.a.Emit(asm.VCMPPS, u, t, e.constMemory(cF32(safeHigh)), asm.Imm(6))
		e.a.Emit(asm.VCMPPS, t, t, e.constMemory(cF32(safeLow)), asm.Imm(less))
		e.a.Emit(asm.VORPS, t, t, u)
		e.a.Emit(asm.VTESTPS, t, t)
	}
	e.free |= 1<<t.Num() | 1<<u.Num()
	e.a.Emit(asm.JNE, to)
}
