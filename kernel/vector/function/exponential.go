package function

import (
	"github.com/go-acap/acap/kernel/vector"
)

// exponential has the constants of the exponential functions for a kind.
type exponential struct {
	// ln2High·n is exact, or its difference from x is.
	ln2High, ln2Low float64
	// magic pushes the fraction out of a float: adding and subtracting it rounds
	// to an integer, and before it is subtracted the integer is in the low bits.
	magic float64
	bias  float64 // of the exponent
	// zero is where eˣ has come to less than half of the least float; from whole on
	// it is no float any more, from infinite on not even its half is.
	zero, whole, infinite float64
	fit                   []float64 // of (eʳ - 1 - r)/r²
}

// The fits are to 3.1e-9 and 7e-19 of eʳ.
var exponentials = [vector.Kinds]*exponential{
	f32: {ln2High: 0.693359375, ln2Low: -2.12194440054690583e-4, magic: 0x1.8p23, bias: 127,
		zero: -104, whole: 89, infinite: 90,
		fit: []float64{0.4999999403953552, 0.1666652113199234, 0.04166838899254799,
			0.008368710987269878, 0.0013814601115882397}},
	f64: {ln2High: 0.6931471805599453, ln2Low: 2.3190468138462996e-17, magic: 0x1.8p52, bias: 1023,
		zero: -746, whole: 710, infinite: 712,
		fit: []float64{0.5, 0.16666666666666682, 0.041666666666666095, 0.008333333333317035,
			0.001388888888911599, 0.00019841269896381063, 2.4801586926150322e-05,
			2.7557234864539483e-06, 2.75575821454324e-07, 2.5112035936996394e-08,
			2.082655768969732e-09}},
}

const (
	log2E = 1.44269504088896340736
	ln2   = 0.69314718055994530942
)

// integral rounds x·factor to an integer. It holds for |x·factor| < 2²² or 2⁵¹.
func (s *sequence) integral(x operand, factor float64) operand {
	magic := s.Float(x.Kind, exponentials[x.Kind].magic)
	return s.minus(s.fma(x, s.Float(x.Kind, factor), magic), magic)
}

// reduce splits x into n·ln 2 + r with integral n and |r| ≤ ½·ln 2.
func (s *sequence) reduce(x operand) (n, r operand) {
	e := exponentials[x.Kind]
	n = s.integral(x, log2E)
	r = s.fnma(n, s.Float(x.Kind, e.ln2High), x)
	return n, s.fnma(n, s.Float(x.Kind, e.ln2Low), r)
}

// expPolynomial is eʳ for |r| ≤ ½·ln 2.
func (s *sequence) expPolynomial(r operand) operand {
	return s.polynomial(r, append([]float64{1, 1}, exponentials[r.Kind].fit...)...)
}

// exp is eˣ. Where that is less than half of the least number, 0 is scaled: products that underflow are slow on some
// processors.
func (s *sequence) exp(x operand) operand {
	if x.Kind == f32 && !s.scales(f32) {
		return s.expSingle(x)
	}
	return s.expScaled(x)
}

// expScaled is eˣ as a polynomial by a power of two.
func (s *sequence) expScaled(x operand) operand {
	limits := exponentials[x.Kind]
	some := func(p operand) operand { return s.orZero(notLess, x, s.Float(x.Kind, limits.zero), p) }
	if s.scales(x.Kind) { // the polynomial, of even degree, is positive or NaN wherever n is large
		n, r := s.reduce(x)
		return s.scale(some(s.expPolynomial(r)), n)
	}
	n, r := s.reduce(s.clamp(x, limits.zero, limits.infinite))
	return s.scale(some(s.expPolynomial(r)), n)
}

// exp2 is 2ˣ: the fraction of x is exact, so one step reduces it.
func (s *sequence) exp2(x operand) operand {
	high, low := 0.6931471824645996, -1.904654299957768e-09
	if x.Kind == f32 {
		x = s.clamp(x, -151, 129)
	} else {
		x = s.clamp(x, -1076, 1025)
		high, low = exponentials[f64].ln2High, exponentials[f64].ln2Low
	}
	n := s.round(x, nearestEven)
	f := s.minus(x, n)
	r := s.times(f, s.Float(x.Kind, high))
	r = s.fma(f, s.Float(x.Kind, low), r)
	return s.scale(s.expPolynomial(r), n)
}

// scale is p·2ⁿ for integral n, with overflow and underflow.
func (s *sequence) scale(p, n operand) operand {
	if s.scales(n.Kind) {
		return s.Op(vector.Scale, p, n) // 0 or infinity if n is infinite, though p is NaN
	}
	half := s.round(s.times(n, s.Float(n.Kind, 0.5)), floor)
	rest := s.minus(n, half)
	return s.times(s.times(p, s.powerOfTwo(half)), s.powerOfTwo(rest))
}

// powerOfTwo is 2ⁿ for integral n within the range of exponents.
func (s *sequence) powerOfTwo(n operand) operand {
	e := exponentials[n.Kind]
	bits := 23
	if n.Kind == f64 {
		bits = 52
	}
	return s.shiftLeft(s.plus(n, s.Float(n.Kind, e.magic+e.bias)), bits)
}

// expm1Low is below where eˣ - 1 rounds to -1.
const expm1Low = -50

// halfExpm1 is (eˣ - 1)/2: with e = eʳ - 1 it is 2ⁿ⁻¹·e + 2ⁿ⁻¹ - ½.
func (s *sequence) halfExpm1(x operand) operand {
	e := exponentials[x.Kind]
	n, r := s.reduce(s.clamp(x, expm1Low, e.whole))
	p := s.polynomial(r, append([]float64{1}, e.fit...)...)
	p = s.times(p, r)
	half := s.scale(s.Float(x.Kind, 0.5), n)
	return s.fma(p, half, s.minus(half, s.Float(x.Kind, 0.5)))
}

// expm1 is eˣ - 1.
func (s *sequence) expm1(x operand) operand {
	y := s.halfExpm1(x)
	return s.copySign(s.plus(y, y), x)
}

// halfExp is eˣ/2 for x ≥ 0, which overflows later than eˣ.
func (s *sequence) halfExp(x operand) operand {
	n, r := s.reduce(s.lesser(s.Float(x.Kind, exponentials[x.Kind].infinite), x))
	return s.scale(s.expPolynomial(r), s.minus(n, s.Float(x.Kind, 1)))
}

// sinh is h + h/(2h + 1) with h = (eˣ - 1)/2, and eˣ/2 for large x.
func (s *sequence) sinh(x operand) operand {
	a := s.abs(x)
	h := s.halfExpm1(a)
	y := s.plus(h, s.over(h, s.plus(s.plus(h, h), s.Float(x.Kind, 1))))
	return s.copySign(s.when(greaterThan, a, s.Float(x.Kind, 22), y, s.halfExp(a)), x)
}

// cosh is h + 1/(4h) with h = eˣ/2.
func (s *sequence) cosh(x operand) operand {
	h := s.halfExp(s.abs(x))
	return s.plus(h, s.over(s.Float(x.Kind, 0.25), h))
}

// sigmoid is 1/(1+e⁻ˣ) of f32; where that is below 2⁻¹²⁶, it may be 0.
func (s *sequence) sigmoid(x operand) operand {
	e := s.exp(s.negate(x))
	return s.over(s.Float(f32, 1), s.plus(e, s.Float(f32, 1)))
}

// sigmoidDouble is 1/(1+e⁻ˣ) or, for negative x, eˣ/(1+eˣ).
func (s *sequence) sigmoidDouble(x operand) operand {
	one := s.Float(f64, 1)
	e := s.exp(s.or(x, s.signBit(f64)))
	return s.over(s.bySign(x, one, e), s.plus(e, one))
}

// exp2Fit is (2ᶠ - 1)/f for |f| ≤ ½, to 9.1e-8 of 2ᶠ.
var exp2Fit = []float64{0.6931470036506653, 0.24022242426872253, 0.05550733953714371,
	0.009671513922512531, 0.0013264708686619997}

// smallExp2 is 2ⁿ⁺ᶠ of f32 for integral n and |f| ≤ ½, without overflow or underflow.
func (s *sequence) smallExp2(n, f operand) operand {
	p := s.polynomial(f, append([]float64{1}, exp2Fit...)...)
	return s.times(p, s.powerOfTwo(n))
}

// tanhFit is (tanh(x)/x - 1)/x² in x² for |x| ≤ 0.55, to 3.7e-8.
var tanhFit = []float64{-0.3333294689655304, 0.13320723176002502, -0.05267174914479256,
	0.016437476500868797}

// tanh of f32 is, without tables, 1 - 2/(1 + e²ˣ) for |x| > 0.55 and a polynomial below; beyond 9.02 it rounds to 1.
func (s *sequence) tanh(x operand) operand {
	a := s.lesser(s.Float(f32, 9.02), s.abs(x))
	n := s.integral(a, 2*log2E)
	e := s.smallExp2(n, s.fms(a, s.Float(f32, 2*log2E), n))
	big := s.minus(s.Float(f32, 1), s.over(s.Float(f32, 2), s.plus(e, s.Float(f32, 1))))
	t := s.times(a, a)
	small := s.fma(s.times(s.polynomial(t, tanhFit...), t), a, a)
	return s.copySign(s.when(less, a, s.Float(f32, 0.55), big, small), x)
}

// tanhDouble is h/(h + 1) with h = (e²ˣ - 1)/2; beyond 22 it rounds to 1.
func (s *sequence) tanhDouble(x operand) operand {
	a := s.lesser(s.Float(f64, 22), s.abs(x))
	h := s.halfExpm1(s.plus(a, a))
	return s.copySign(s.over(h, s.plus(h, s.Float(f64, 1))), x)
}
