package nest

import (
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// remainder is x - y·trunc(x/y) of f64, which is exact: long division with digits of
// 52 bits. Most lanes need one.
func (s *sequence) remainder(x, y operand) operand {
	inf := infinity(f64)
	d := s.abs(y)
	// Division by zero is NaN from the start.
	d = s.when(equal, d, cFloat(f64, 0), d, s.splat(notNumber(f64)))
	r := s.longDivision(s.abs(x), d)
	r = s.when(less, r, cFloat(f64, 0), r, s.plus(r, d))
	// An infinite divisor leaves every number.
	r = s.when(equal, d, inf, r, s.abs(s.fma(x, cFloat(f64, 0), x)))
	return s.orSign(r, x)
}

// longDivision takes multiples of d from r until |r| < d. A quotient may be rounded
// up, so the remainder may be negative. In each step the divisor is d·2ᵏ, where k
// leaves a quotient of 52 bits; that of a product with FMA is then exact. NaN and
// infinity end it as NaN.
func (s *sequence) longDivision(r, d operand) operand {
	limit := s.plus(s.shiftRight(as(i64, d), 52), cBits(i64, 52))
	return s.add(f64, instr{src: []operand{r, d, limit, dummy}, temps: 2, masks: 1, early: true,
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

// modulo is the remainder with the sign of the divisor, as Python has it.
func (s *sequence) modulo(x, y operand) operand {
	r := s.remainder(x, y)
	zero := cFloat(f64, 0)
	other := s.bySign(s.xor(r, y), r, s.plus(r, y))
	return s.when(equal, r, zero, other, r)
}

// floorDivide is the quotient that goes with modulo, computed as Python does it: the
// rounded quotient of x less its remainder.
func (s *sequence) floorDivide(x, y operand) operand {
	k := x.kind
	if y.constant() {
		y = s.splat(y)
	}
	divide := pick(k, asm.VDIVPS, asm.VDIVPD)
	wide := func(o operand) operand { return s.convert(f64, o) }
	r := s.convert(k, s.remainder(wide(x), wide(y)))
	zero, one := cFloat(k, 0), cFloat(k, 1)
	q := s.rvm(divide, k, s.minus(x, r), y)
	less1 := s.bySign(s.xor(r, y), q, s.minus(q, one))
	q = s.when(equal, r, zero, less1, q)
	f := s.round(q, floor)
	f = s.when(greaterThan, s.minus(q, f), cFloat(k, 0.5), f, s.plus(f, one))
	exact := s.rvm(divide, k, x, y)
	f = s.when(equal, q, zero, f, s.and(exact, signBit(k)))
	return s.when(equal, y, zero, f, exact)
}

// nextAfter is the number after x towards y.
func (s *sequence) nextAfter(x, y operand) operand {
	integer, zero := i32, cFloat(x.kind, 0)
	if x.kind == f64 {
		integer = i64
	}
	if y.constant() {
		y = s.splat(y)
	}
	up := s.splat(cBits(x.kind, 1))
	down := s.splat(cBits(x.kind, 1<<(8*x.kind.size()-1)<<1-1))
	// Bits grow with the size of a number.
	grow := s.when(less, x, y, s.bySign(x, down, up), s.bySign(x, up, down))
	z := as(x.kind, s.plus(as(integer, x), as(integer, grow)))
	z = s.when(equal, x, zero, z, s.or(s.and(y, signBit(x.kind)), up))
	z = s.when(equal, x, y, z, y)
	return s.when(unordered, x, y, z, s.plus(x, y))
}
