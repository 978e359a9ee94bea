package function

import "github.com/go-acap/acap/kernel/vector"

// expSingle is eˣ of f32 where no instruction scales by a power of two. Of a clamped x and its parts few are needed
// until the end, so that the registers suffice for two vectors at a time.
func (s *sequence) expSingle(x operand) operand {
	const least = -150 // an exponent below half of the least float
	e := exponentials[f32]
	n, r := s.expParts(s.clamp(x, e.zero, e.infinite), e.magic)
	// A product that underflows takes a hundred cycles on some processors: 2ⁿ becomes 0 where there is nothing else.
	exponent := n
	n = s.minus(as(i32, n), as(i32, s.Float(f32, e.magic)))
	half := s.shiftSigned(n, 1)
	power := func(n operand) operand {
		return as(f32, s.plus(s.shiftLeft(n, mantissa), as(i32, s.Float(f32, 1))))
	}
	scale := s.orZero(notLessEqual, exponent, s.Float(f32, e.magic+least), power(half)) // 2ⁿ may be no float, and is two factors
	return s.times(s.fma(scale, r, scale), power(s.minus(n, half)))
}

// ExpOfDifference is eˣ of f32 for the x of a softmax, which are not positive: what is below 2⁻¹²⁵ may
// be 0 there, as it is beside a 1. Whatever a far smaller x gives is masked.
func ExpOfDifference(b *vector.Builder, x vector.Val) vector.Val {
	s := sequenceOf(b)
	const least = -126 // from which on neither 2ⁿ nor eˣ is normal
	e := exponentials[f32]
	magic := e.magic + e.bias
	n, r := s.expParts(x, magic)
	scale := as(f32, s.shiftLeft(as(i32, n), mantissa))
	return s.orZero(notLessEqual, n, s.Float(f32, magic+least), s.fma(scale, r, scale))
}

// mantissa is the bits of an f32 behind the exponent.
const mantissa = 23

// expParts splits x into n·ln 2 + r and gives n, in the low bits of a float that magic makes, and eʳ - 1.
// The terms are added in pairs, for sums that wait for each other as little as they can.
func (s *sequence) expParts(x operand, magic float64) (n, p operand) {
	e := exponentials[f32]
	n = s.fma(x, s.Float(f32, log2E), s.Float(f32, magic))
	whole := s.minus(n, s.Float(f32, magic))
	r := s.fnma(whole, s.Float(f32, e.ln2High), x)
	r = s.fnma(whole, s.Float(f32, e.ln2Low), r)
	square := s.times(r, r)
	p = s.fma(r, s.Float(f32, e.fit[3]), s.Float(f32, e.fit[2]))
	p = s.fma(square, s.Float(f32, e.fit[4]), p)
	p = s.fma(p, square, s.fma(r, s.Float(f32, e.fit[1]), s.Float(f32, e.fit[0])))
	return n, s.fma(p, square, r)
}
