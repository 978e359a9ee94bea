package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Division of integers, by division of floats: the quotient of numbers below 2²⁴ in
// f32, of those below 2⁵³ in f64, is wrong by less than its distance from the next
// integer, so cutting the fraction gives the integer quotient.

// divide appends a quotient or a remainder; a zero divisor gives 0.
func (s *sequence) divide(op kernel.Op, t dtype.DType, x, y operand) operand {
	var q, r operand
	by := y
	if y.constant() {
		y = s.splat(y)
	}
	switch {
	case x.kind == i64:
		q, r = s.divideLong(x, y, s.quotientBy(by))
	case t == dtype.I32:
		q = s.rvm(asm.VDIVPD, f64, s.convert(f64, x), s.convert(f64, y))
		q = s.convert(i32, q)
		r = s.minus(x, s.times(q, y))
	default:
		q = s.rvm(asm.VDIVPS, f32, s.convert(f32, x), s.convert(f32, y))
		q = s.convert(i32, q)
		r = s.minus(x, s.times(q, y))
	}
	if op == kernel.FloorDiv || op == kernel.Mod {
		q, r = s.roundDown(q, r, y)
	}
	zero := cBits(x.kind, 0)
	if op == kernel.Div || op == kernel.FloorDiv {
		r = q
	}
	return s.blend(s.compare(equal, y, zero), r, s.splat(zero))
}

// roundDown turns the quotient and remainder of truncation into those of rounding
// down: a remainder has the sign of the divisor.
func (s *sequence) roundDown(q, r, y operand) (down, rest operand) {
	apart := s.negative(s.xor(r, y))
	zero := s.compare(equal, r, cBits(r.kind, 0))
	apart = s.blend(zero, apart, s.splat(cBits(r.kind, 0)))
	return s.plus(q, apart), s.plus(r, s.and(apart, y))
}

// quotientBy returns how a float is divided by the size of a divisor: by a product with
// the reciprocal if that is a constant that f64 holds exactly.
func (s *sequence) quotientBy(y operand) func(x, size operand) operand {
	if size := math.Abs(float64(int64(y.bits))); y.constant() && size >= 1 && size < 1<<53 {
		return func(x, _ operand) operand { return s.times(x, cFloat(f64, 1/size)) }
	}
	return func(x, size operand) operand { return s.rvm(asm.VDIVPD, f64, x, size) }
}

// divideLong divides sizes of 64 bits: the quotient of their roundings leaves a
// remainder of few digits, whose quotient leaves one that is wrong by one divisor at
// most, also if quotients are wrong in their last two bits. Differences that wrap are those
// of the exact numbers.
func (s *sequence) divideLong(x, y operand, quotient func(x, size operand) operand) (q, r operand) {
	xm, ym := s.negative(x), s.negative(y)
	a, d := s.negateBy(x, xm), s.negateBy(y, ym)
	f := s.unsignedToDouble(d)
	q = s.doubleToUnsigned(quotient(s.unsignedToDouble(a), f))
	r = s.minus(a, s.product(q, d))
	more := s.round(quotient(s.toDouble(r), f), floor)
	n := s.smallToInteger(more)
	q, r = s.plus(q, n), s.minus(r, s.product(n, d))
	under := s.negative(r)
	q, r = s.plus(q, under), s.plus(r, s.and(under, d))
	rest := s.minus(r, d)
	below := s.negative(rest)
	q = s.plus(q, s.plus(below, cBits(i64, 1)))
	r = s.plus(rest, s.and(below, d))
	return s.negateBy(q, s.xor(xm, ym)), s.negateBy(r, xm)
}

// Conversions between i64 and f64. AVX2 has none; there the halves of an integer are
// put into the low bits of large floats.
const (
	twoTo52 = 0x4330 << 48 // the bits of 2⁵²
	twoTo84 = 0x4530 << 48
)

// unsignedToDouble rounds a number of 64 bits without sign.
func (s *sequence) unsignedToDouble(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTUQQ2PD, f64, x)
	}
	high := as(f64, s.or(s.shiftRight(x, 32), cBits(i64, twoTo84)))
	return s.joinHalves(x, s.minus(high, cFloat(f64, 0x1p84+0x1p52)))
}

// toDouble rounds an i64.
func (s *sequence) toDouble(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTQQ2PD, f64, x)
	}
	high := s.xor(s.shiftRight(x, 32), cBits(i64, twoTo84|1<<31))
	return s.joinHalves(x, s.minus(as(f64, high), cFloat(f64, 0x1p84+0x1p63+0x1p52)))
}

// joinHalves adds the low half of x to its high half, which lacks 2⁵².
func (s *sequence) joinHalves(x, high operand) operand {
	low := s.or(s.and(x, cBits(i64, 1<<32-1)), cBits(i64, twoTo52))
	return s.plus(high, as(f64, low))
}

// smallToInteger converts integral floats below 2⁵¹.
func (s *sequence) smallToInteger(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTTPD2QQ, i64, x)
	}
	magic := cFloat(f64, 0x1.8p52)
	return s.minus(as(i64, s.plus(x, magic)), cBits(i64, magic.bits))
}

// doubleToUnsigned cuts the fraction of a number from 0 to 2⁶⁴.
func (s *sequence) doubleToUnsigned(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTTPD2UQQ, i64, x)
	}
	x = s.round(x, truncate)
	high := s.round(s.times(x, cFloat(f64, 0x1p-32)), truncate)
	low := s.fnma(high, cFloat(f64, 0x1p32), x)
	half := func(f operand) operand {
		return s.xor(as(i64, s.plus(f, cBits(f64, twoTo52))), cBits(i64, twoTo52))
	}
	return s.or(s.shiftLeft(half(high), 32), half(low))
}

// doubleToInteger cuts the fraction of a number. What does not fit an i64, and NaN, is the least i64, as VCVTTPD2QQ has
// it.
func (s *sequence) doubleToInteger(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTTPD2QQ, i64, x)
	}
	cut := s.negateBy(s.doubleToUnsigned(s.abs(x)), s.negative(as(i64, x)))
	return as(i64, s.when(less, s.abs(x), cFloat(f64, 0x1p63), cBits(f64, 1<<63), as(f64, cut)))
}

// longToSingle rounds an i64 to f32 once. On AVX2 the value goes through f64, which must not round it first: the ten
// lowest bits of a large value become one sticky bit.
func (s *sequence) longToSingle(x operand) operand {
	if s.avx512 {
		return s.rm(asm.VCVTQQ2PS, f32, x)
	}
	const lost = 1<<10 - 1
	marked := s.or(x, s.and(s.plus(s.and(x, cBits(i64, lost)), cBits(i64, lost)), cBits(i64, lost+1)))
	marked = s.toDouble(s.and(marked, cBits(i64, ^uint64(lost))))
	exact := s.toDouble(x)
	y := s.when(less, s.abs(exact), cFloat(f64, 0x1p53), marked, exact)
	return s.rm(asm.VCVTPD2PS, f32, y)
}
