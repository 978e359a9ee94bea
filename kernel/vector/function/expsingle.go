package function

import (
	"math"
	"sync"

	"github.com/go-acap/acap/kernel/vector"
)

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
	power := func(n operand) operand { return as(f32, s.plus(s.shiftLeft(n, mantissa), as(i32, s.Float(f32, 1)))) }
	scale := s.orZero(notLessEqual, exponent, s.Float(f32, e.magic+least), power(half)) // 2ⁿ may be no float, and is two factors
	return s.times(s.fma(scale, r, scale), power(s.minus(n, half)))
}

// ExpOfDifference is eˣ of f32 for the x of a softmax, which are not positive. A result below 2⁻¹²⁵ may be any number
// below that, as it is beside a 1, and is 0 from 2⁻¹²⁷ on.
func ExpOfDifference(b *vector.Builder, x vector.Val) vector.Val {
	s := sequenceOf(b)
	e := exponentials[f32]
	x = s.greater(s.Float(f32, -e.bias*ln2), x) // where 2ⁿ is 0
	if y, ok := s.expByTable(x); ok {
		return y
	}
	n, r := s.expParts(x, e.magic+e.bias)
	scale := as(f32, s.shiftLeft(as(i32, n), mantissa))
	return s.fma(scale, r, scale)
}

// powerBits is how many bits count the pieces.
const powerBits = 5

// powersOfTwo has the bits of 2 to the power of i pieces, less those that i adds to an exponent.
var powersOfTwo = sync.OnceValue(func() *[pieces]float32 {
	t := new([pieces]float32)
	for i := range uint32(pieces) {
		t[i] = math.Float32frombits(math.Float32bits(float32(math.Exp2(float64(i)/pieces))) - i<<(mantissa-powerBits))
	}
	return t
})

// expByTable is eˣ of f32 for |x| ≤ 127·ln 2, within 1.01 ULP: a power of two to n pieces by the first terms of a series,
// whose next one is below 2⁻³⁰. ok is false if the code has no instruction that chooses.
func (s *sequence) expByTable(x operand) (y operand, ok bool) {
	e := exponentials[f32]
	magic := s.Float(f32, e.magic)
	n := s.fma(x, s.Float(f32, pieces*log2E), magic)
	power, ok := s.choose(powersOfTwo(), as(i32, n))
	if !ok {
		return y, false
	}
	scale := as(f32, s.plus(as(i32, power), s.shiftLeft(as(i32, n), mantissa-powerBits)))
	whole := s.minus(n, magic)
	r := s.fnma(whole, s.Float(f32, e.ln2High/pieces), x)
	r = s.fnma(whole, s.Float(f32, e.ln2Low/pieces), r)
	p := s.fma(r, s.Float(f32, 1.0/6), s.Float(f32, 0.5))
	return s.fma(scale, s.fma(p, s.times(r, r), r), scale), true
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
