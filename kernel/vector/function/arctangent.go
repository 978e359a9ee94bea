package function

import "math"

// atanFit is (atan(t)/t - 1)/t² for |t| ≤ √2 - 1 and asinFit (asin(t)/t - 1)/t² for
// |t| ≤ ½, both in t², to 3.2e-18 and 1.6e-18 of the functions.
var (
	atanFit = []float64{-0.33333333333333326, 0.19999999999997678, -0.14285714285388953,
		0.11111111088235195, -0.09090908146555038, 0.07692282803709845,
		-0.06666227413879543, 0.058770281609881035, -0.0521844501762287,
		0.045037135630771594, -0.03347825801486594, 0.015198996824406298}
	asinFit = []float64{0.16666666666666763, 0.07499999999970079, 0.04464285717530305,
		0.030381942674521892, 0.022372215925694664, 0.017351595172281967,
		0.013981022139692248, 0.011397266127115514, 0.010789458388025445,
		0.003671715200090502, 0.02179167994474139, -0.021118034649908315,
		0.03270289903895754}
)

const (
	piLow          = 1.2246467991473532e-16 // π less its f64
	piHalfLow      = piLow / 2
	threeForthsLow = 9.184850993605148e-17 // ¾π less its f64
)

// arctangent is atan(a/b) for a, b ≥ 0, by the octant: of a/b, of (a-b)/(a+b) beside
// π/4, or of -b/a beside π/2. If it is mirrored, it is π less that where x has a sign.
func (s *sequence) arctangent(a, b, x operand, mirrored bool) operand {
	const tan = math.Sqrt2 - 1 // π/8
	low := s.times(b, s.Float(f64, tan))
	high := s.times(b, s.Float(f64, 1/tan))
	choose := func(first, second, third operand) operand {
		y := s.when(greaterThan, a, low, first, second)
		return s.when(greaterThan, a, high, y, third)
	}
	either := func(y, mirror float64) operand {
		if !mirrored {
			return s.Float(f64, y)
		}
		return s.bySign(x, s.Float(f64, y), s.Float(f64, mirror))
	}
	t := s.over(choose(a, s.minus(a, b), s.negate(b)), choose(b, s.plus(a, b), a))
	z := s.times(t, t)
	if mirrored {
		t = s.xor(t, s.and(x, s.signBit(f64)))
	}
	p := s.times(s.polynomial(z, atanFit...), s.times(z, t))
	base := choose(either(0, math.Pi), either(math.Pi/4, 3*math.Pi/4), s.Float(f64, math.Pi/2))
	rest := choose(either(0, piLow), either(piLow/4, threeForthsLow), s.Float(f64, piHalfLow))
	return s.plus(base, s.plus(t, s.plus(p, rest)))
}

func (s *sequence) atan(x operand) operand {
	return s.copySign(s.arctangent(s.abs(x), s.Float(f64, 1), x, false), x)
}

// atan2 is the angle of the point (x, y).
func (s *sequence) atan2(y, x operand) operand {
	one := s.Float(f64, 1)
	a, b, _ := s.balance(s.abs(y), s.abs(x))
	// Two infinities are as two ones, and no number divides by two zeros.
	least := s.lesser(a, b)
	inf := s.infinity(f64)
	a, b = s.when(equal, least, inf, a, one), s.when(equal, least, inf, b, one)
	b = s.when(equal, s.greater(a, b), s.Float(f64, 0), b, one)
	r := s.copySign(s.arctangent(a, b, x, true), y)
	return s.when(unordered, x, y, r, s.plus(x, y))
}

// arcsine gives the root and the tail of asin(√z) = root + tail where |x| ≤ ½ and z is
// x², or else z is (1-|x|)/2, whose arcsine is half of the arccosine of |x|.
func (s *sequence) arcsine(x operand) (a, root, tail operand) {
	a = s.abs(x)
	half := s.Float(f64, 0.5)
	z := s.when(greaterThan, a, half, s.times(x, x), s.fnma(a, half, half))
	root = s.when(greaterThan, a, half, a, s.root(z))
	return a, root, s.times(s.times(root, z), s.polynomial(z, asinFit...))
}

func (s *sequence) asin(x operand) operand {
	a, root, tail := s.arcsine(x)
	y := s.plus(root, tail)
	twice := s.minus(s.plus(y, y), s.Float(f64, piHalfLow))
	large := s.minus(s.Float(f64, math.Pi/2), twice)
	return s.copySign(s.when(greaterThan, a, s.Float(f64, 0.5), y, large), x)
}

func (s *sequence) acos(x operand) operand {
	a, root, tail := s.arcsine(x)
	y := s.plus(root, tail)
	twice := s.plus(y, y)
	// π less a small angle for negative x.
	other := s.minus(s.Float(f64, math.Pi), s.minus(twice, s.Float(f64, piLow)))
	large := s.bySign(x, twice, other)
	angle := s.xor(y, s.and(x, s.signBit(f64)))
	small := s.minus(s.Float(f64, math.Pi/2), s.minus(angle, s.Float(f64, piHalfLow)))
	return s.when(greaterThan, a, s.Float(f64, 0.5), small, large)
}
