package function

import (
	"math"

	"github.com/go-acap/acap/kernel/vector"
)

// logFit is (log(1+f) - f + f²/2)/f³ for -¼ ≤ f ≤ ½, to 9.1e-10 of log(1+f).
var logFit = []float64{0.33333340287208557, -0.2500016391277313, 0.19999603927135468,
	-0.16655294597148895, 0.14276248216629028, -0.1272781491279602, 0.11700616776943207,
	-0.09115909039974213, 0.03767029196023941}

// atanhFit is (2·atanh(s)/s - 2)/s² in s² for |s| ≤ ⅕, to 2.3e-19 of 2·atanh(s).
var atanhFit = []float64{0.666666666666666, 0.4000000000005693, 0.28571428555773637,
	0.22222224302215704, 0.1818166554946699, 0.15391122181808484,
	0.13173432407277774, 0.13844143226626174}

// mantissa splits x into m·2ᵉ with ¾ ≤ m < 1½ and returns e and m - 1.
func (s *sequence) mantissa(x operand) (e, f operand, done bool) {
	k := x.Kind
	if s.Has(vector.Mantissa, k, vector.None) { // NaN for negative x, and an infinite e for zeros and infinities
		m := s.Op(vector.Mantissa, x)
		return s.Op(vector.Sub, s.Op(vector.Exponent, x), s.Op(vector.Exponent, m)), s.minus(m, s.Float(k, 1)), true
	}
	bits, least, up, integer := 23, 0x1p-126, 23.0, i32
	offset, bias, high := uint64(0x3f400000), uint64(127<<23), uint64(0x4b000000)
	if k == f64 {
		bits, least, up, integer = 52, 0x1p-1022, 54, i64
		offset, bias, high = 0x3fe8<<48, 1023<<52, 0x4330<<48
	}
	tiny := s.Compare(vector.Less, x, s.Float(k, least))
	x = s.blend(tiny, x, s.times(x, s.Float(k, float64(uint64(1)<<uint(up)))))
	// The exponent with its bias is not negative; put into the low bits of a large float it needs no conversion.
	b := s.shiftRight(s.plus(as(integer, x), s.Bits(integer, bias-offset)), bits)
	m := as(k, s.minus(as(integer, x), s.minus(s.shiftLeft(b, bits), s.Bits(integer, bias))))
	large := float64(uint64(1)<<bits) + exponentials[k].bias
	e = s.minus(as(k, s.or(b, s.Bits(integer, high))), s.Float(k, large))
	e = s.blend(tiny, e, s.minus(e, s.Float(k, up)))
	return e, s.minus(m, s.Float(k, 1)), false
}

// logMantissa is log(1+f) - f. In f64 log(1+f) is 2·atanh(s) with s = f/(2+f).
func (s *sequence) logMantissa(f operand) operand {
	if f.Kind == f32 {
		y := s.times(f, f)
		p := s.times(s.polynomial(f, logFit...), f)
		return s.times(y, s.plus(p, s.Float(f32, -0.5)))
	}
	half := s.times(s.times(f, s.Float(f64, 0.5)), f)
	q := s.over(f, s.plus(f, s.Float(f64, 2)))
	z := s.times(q, q)
	p := s.fma(s.polynomial(z, atanhFit...), z, half)
	return s.fms(q, p, half)
}

// logSpecial puts in the logarithms of 0, negative numbers and +Inf, where the
// instructions have not given them already.
func (s *sequence) logSpecial(x, y operand, done bool) operand {
	if done {
		return y
	}
	zero := s.Float(x.Kind, 0)
	y = s.when(equal, x, zero, y, s.minusInfinity(x.Kind))
	y = s.when(less, x, zero, y, s.notNumber(x.Kind))
	return s.when(notLess, x, s.infinity(x.Kind), y, s.plus(x, x))
}

func (s *sequence) log(x operand) operand {
	// Both parts of ln 2 are positive, so that an infinite exponent gives no NaN.
	high, low := 0.693145751953125, 1.42860682030941723212e-6
	if x.Kind == f64 {
		high, low = exponentials[f64].ln2High, exponentials[f64].ln2Low
	}
	e, f, done := s.mantissa(x)
	t := s.fma(e, s.Float(x.Kind, low), s.logMantissa(f))
	return s.logSpecial(x, s.fma(e, s.Float(x.Kind, high), s.plus(t, f)), done)
}

// log2 is exact for powers of two.
func (s *sequence) log2(x operand) operand {
	// log₂ e in two parts; the small terms go first.
	high, low := 1.4426950216293335, log2E-1.4426950216293335
	if x.Kind == f64 {
		high, low = 1.4426950408889634, 2.0355273740931033e-17
	}
	e, f, done := s.mantissa(x)
	t := s.logMantissa(f)
	y := s.fma(t, s.Float(x.Kind, log2E), s.times(f, s.Float(x.Kind, low)))
	y = s.fma(f, s.Float(x.Kind, high), y)
	return s.logSpecial(x, s.plus(y, e), done)
}

func (s *sequence) log10(x operand) operand {
	const log10E, log10Two = 0.43429448190325182765, 0.30102999566398119521
	high, low := 0.4342944920063019, log10E-0.4342944920063019
	twoHigh, twoLow := 0.301025390625, log10Two-0.301025390625
	if x.Kind == f64 {
		high, low = 0.4342944819032518, 1.098319650216765e-17
		twoHigh, twoLow = 0.30102999566398114, 5.270742310347266e-17
	}
	e, f, done := s.mantissa(x)
	t := s.logMantissa(f)
	y := s.fma(e, s.Float(x.Kind, twoLow), s.times(f, s.Float(x.Kind, low)))
	y = s.fma(t, s.Float(x.Kind, high), y)
	y = s.fma(f, s.Float(x.Kind, high), y)
	return s.logSpecial(x, s.fma(e, s.Float(x.Kind, twoHigh), y), done)
}

// log1p is log(u) + (x - (u - 1))/u with u = 1 + x rounded.
func (s *sequence) log1p(x operand) operand {
	one := s.Float(x.Kind, 1)
	u := s.plus(x, one)
	lost := s.over(s.minus(x, s.minus(u, one)), u)
	lost = s.when(unordered, lost, lost, lost, s.Float(x.Kind, 0))
	return s.copySignZero(s.plus(s.log(u), lost), x)
}

// logOnly is the size from which asinh and acosh are log(2x).
const logOnly = 0x1p28

// logTwice is log(1 + u), or log(2x) for large x.
func (s *sequence) logTwice(x, u operand) operand {
	large := s.Float(x.Kind, logOnly)
	y := s.log1p(s.when(greaterThan, x, large, u, s.minus(x, s.Float(x.Kind, 1))))
	return s.plus(y, s.when(greaterThan, x, large, s.Float(x.Kind, 0), s.Float(x.Kind, ln2)))
}

// asinh is log(1 + x + x²/(1 + √(1+x²))).
func (s *sequence) asinh(x operand) operand {
	a := s.abs(x)
	one := s.Float(x.Kind, 1)
	b := s.times(a, a)
	root := s.root(s.plus(b, one))
	return s.copySign(s.logTwice(a, s.plus(a, s.over(b, s.plus(root, one)))), x)
}

// acosh is log(1 + t + √(t·(t+2))) with t = x - 1.
func (s *sequence) acosh(x operand) operand {
	one := s.Float(x.Kind, 1)
	t := s.minus(x, one)
	root := s.root(s.times(t, s.plus(t, s.Float(x.Kind, 2))))
	y := s.logTwice(x, s.plus(t, root))
	return s.when(less, x, one, y, s.notNumber(x.Kind))
}

// atanh is ½·log(1 + 2x/(1-x)).
func (s *sequence) atanh(x operand) operand {
	a := s.abs(x)
	one := s.Float(x.Kind, 1)
	y := s.log1p(s.over(s.plus(a, a), s.minus(one, a)))
	return s.copySign(s.times(y, s.Float(x.Kind, 0.5)), x)
}

func (s *sequence) infinity(k kind) operand      { return s.Float(k, math.Inf(1)) }
func (s *sequence) minusInfinity(k kind) operand { return s.Float(k, math.Inf(-1)) }
func (s *sequence) notNumber(k kind) operand     { return s.Float(k, math.Float64frombits(0x7ff8<<48)) }
