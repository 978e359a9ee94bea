package nest

import (
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// longDivision takes multiples of d from r until |r| < d. A quotient may be rounded
// up, so the remainder may be negative. In each step the divisor is d·2ᵏ, where k
// leaves a quotient of 52 bits; that of a product with FMA is then exact. NaN and
// infinity end it as NaN.
func (s *sequence) longDivision(r, d operand) operand {
	limit := s.plus(s.shiftRight(as(i64, d), 52), cBits(i64, 52))
	return s.add(f64, instr{src: s.sources(r, d, limit, dummy), temps: 2, masks: 1, early: true,
		emit: func(e *emitter, r *registers) { e.longDivision(r) }})
}

func (e *emitter) longDivision(r *registers) {
	constant := func(bits uint64) asm.Mem { return e.constMemory(cBits(i64, bits)) }
	d, k, q := r.s[1], r.t[0].As(e.bytes(f64)), r.t[1].As(e.bytes(f64))
	size := constant(math.MaxInt64)
	bias := constant(1023)
	e.a.Emit(asm.VMOVAPS, r.d, r.s[0])
	step := e.a.Here()
	e.a.Emit(asm.VANDPD, k, r.d, size)
	e.a.Emit(asm.VPSRLQ, k, k, asm.Imm(52))
	e.a.Emit(asm.VPSUBQ, k, k, r.s[2])
	e.zero(q)
	e.a.Emit(asm.VPMAXSD, k, k, q) // the high half of a negative number is -1
	e.a.Emit(asm.VPSRLQ, q, k, asm.Imm(1))
	e.a.Emit(asm.VPSUBQ, k, k, q)
	for _, t := range []asm.Reg{k, q} {
		e.a.Emit(asm.VPADDQ, t, t, bias)
		e.a.Emit(asm.VPSLLQ, t, t, asm.Imm(52))
	}
	e.a.Emit(asm.VMULPD, k, k, d)
	e.a.Emit(asm.VMULPD, k, k, q)
	e.a.Emit(asm.VDIVPD, q, r.d, k)
	round := asm.VROUNDPD
	if e.avx512 {
		round = asm.VRNDSCALEPD
	}
	e.a.Emit(round, q, q, asm.Imm(truncate|8))
	e.a.Emit(asm.VFNMADD231PD, r.d, q, k)
	e.a.Emit(asm.VANDPD, k, r.d, size)
	if e.avx512 {
		e.a.Emit(asm.VCMPPD, r.k[0], k, d, asm.Imm(greaterEqual))
		e.a.Emit(asm.KORTESTB, r.k[0], r.k[0])
	} else {
		e.a.Emit(asm.VCMPPD, k, k, d, asm.Imm(greaterEqual))
		e.a.Emit(asm.VTESTPD, k, k)
	}
	e.a.Emit(asm.JNE, step)
}
