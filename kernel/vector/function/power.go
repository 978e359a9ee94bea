package function

// logTailFit is (2·atanh(s)/s - 2 - ⅔s²)/s⁴ in s² for |s| ≤ ⅕, to 2.3e-17.
var logTailFit = []float64{0.4, 0.28571428571428487, 0.22222222222279714, 0.1818181816720327,
	0.15384617245875187, 0.1333320034368214, 0.11770271777408663,
	0.10391393024702995, 0.11259436442488022}

// logParts is log(a) of f64 in two parts, to about 2⁻⁶⁴: e·ln 2 + 2·atanh(q) with
// q = f/(2+f), whose first two terms are computed in two parts each.
func (s *sequence) logParts(a operand) (high, low operand) {
	// ln 2 to 42 bits, whose product with an exponent is exact, and the rest.
	const ln2High, ln2Low = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
	const third, thirdLow = 2.0 / 3, 3.700743415417188e-17 // ⅔
	e, f, _ := s.mantissa(a)
	two := s.Float(f64, 2)
	d := s.plus(f, two)
	dLow := s.minus(f, s.minus(d, two))
	q := s.over(f, d)
	qLow := s.over(s.fnma(q, dLow, s.fnma(q, d, f)), d)
	z, zLow := s.exactProduct(q, q)
	zLow = s.fma(s.plus(q, q), qLow, zLow)
	// w = ⅔ + z·…, and v = q³.
	tail := s.times(z, s.polynomial(z, logTailFit...))
	w := s.plus(tail, s.Float(f64, third))
	wLow := s.plus(s.minus(tail, s.minus(w, s.Float(f64, third))), s.Float(f64, thirdLow))
	v, vLow := s.exactProduct(q, z)
	vLow = s.fma(q, zLow, s.fma(qLow, z, vLow))
	p, pLow := s.exactProduct(v, w)
	pLow = s.fma(v, wLow, s.fma(vLow, w, pLow))
	// The sum, largest first.
	q2 := s.plus(q, q)
	sum, lost := s.orderedSum(s.times(e, s.Float(f64, ln2High)), q2)
	sum, lost2 := s.orderedSum(sum, p)
	small := s.plus(s.plus(lost, lost2), s.plus(pLow, s.plus(qLow, qLow)))
	small = s.fma(e, s.Float(f64, ln2Low), small)
	high, low = s.orderedSum(sum, small)
	high = s.when(equal, a, s.Float(f64, 0), high, s.minusInfinity(f64))
	return s.when(notLess, a, s.infinity(f64), high, a), low
}

// power is xʸ of f64, as exp(y·log|x|) with the logarithm in two parts.
func (s *sequence) power(x, y operand) operand {
	high, low := s.logParts(s.abs(x))
	p := s.times(y, high)
	pLow := s.fma(y, low, s.fms(y, high, p))
	// An infinite product has no second part.
	zero := s.Float(f64, 0)
	pLow = s.when(less, s.abs(p), s.Float(f64, 800), zero, pLow)
	p = s.when(equal, high, s.Float(f64, 0), p, zero)
	limits := exponentials[f64]
	n, r := s.reduce(s.clamp(p, limits.zero, limits.infinite))
	return s.powerSpecial(x, y, s.scale(s.expPolynomial(s.plus(r, pLow)), n))
}

// powerNarrow is xʸ of f32 held in f64.
func (s *sequence) powerNarrow(x, y operand) operand {
	l := s.log(s.abs(x))
	p := s.when(equal, l, s.Float(f64, 0), s.times(y, l), s.Float(f64, 0))
	return s.powerSpecial(x, y, s.exp(p))
}

// powerSpecial makes xʸ of |x|ʸ: negative for negative x and odd y, NaN for negative
// x and a fraction, 1 for y = 0. That 1ʸ is 1 the caller has seen to.
func (s *sequence) powerSpecial(x, y, size operand) operand {
	whole := s.round(y, nearestEven)
	half := s.times(y, s.Float(f64, 0.5))
	// A number is odd if it is whole and its half is not.
	sign := s.when(notEqual, half, s.round(half, nearestEven), s.Float(f64, 0),
		s.and(x, s.signBit(f64)))
	sign = s.when(equal, y, whole, s.Float(f64, 0), sign)
	r := s.xor(size, sign)
	fraction := s.when(notEqual, y, whole, r, s.notNumber(f64))
	// A negative number: neither -0 nor -Inf.
	fraction = s.when(less, x, s.Float(f64, 0), r, fraction)
	r = s.when(equal, x, s.minusInfinity(f64), fraction, r)
	return s.when(equal, y, s.Float(f64, 0), r, s.Float(f64, 1))
}

// cbrtFit is ∛x for ¾ ≤ x ≤ 1½, to 1.2e-6.
var cbrtFit = []float64{0.4300506022860409, 1.0153530344396098, -0.7578962027246584,
	0.4366959684961077, -0.14468025078423635, 0.020476948881287253}

// cbrt is a polynomial, improved by a step of Halley's and one of Newton's method.
func (s *sequence) cbrt(x operand) operand {
	const root2, root4 = 1.2599210498948732, 1.5874010519681994
	a := s.abs(x)
	e, f, _ := s.mantissa(a)
	third := 1.0 / 3
	k := s.round(s.times(s.plus(e, s.Float(f64, 0.5)), s.Float(f64, third)), floor)
	j := s.fnma(k, s.Float(f64, 3), e) // 0, 1 or 2
	m := s.plus(f, s.Float(f64, 1))
	y := s.polynomial(m, cbrtFit...)
	factor := s.when(equal, j, s.Float(f64, 1), s.Float(f64, 1), s.Float(f64, root2))
	y = s.times(y, s.when(equal, j, s.Float(f64, 2), factor, s.Float(f64, root4)))
	z := s.times(m, s.powerOfTwo(j))
	cube := s.times(s.times(y, y), y)
	y = s.times(y, s.over(s.fma(z, s.Float(f64, 2), cube), s.fma(cube, s.Float(f64, 2), z)))
	square, squareLow := s.exactProduct(y, y)
	cube, cubeLow := s.exactProduct(square, y)
	wrong := s.plus(s.minus(cube, z), s.fma(squareLow, y, cubeLow))
	y = s.minus(y, s.over(wrong, s.times(square, s.Float(f64, 3))))
	y = s.copySign(s.scale(y, k), x)
	y = s.copySignZero(y, x)
	return s.when(notLess, a, s.infinity(f64), y, s.plus(x, x))
}

// balance scales two sizes so that their squares and sum are normal numbers, and gives the factor that undoes it.
func (s *sequence) balance(a, b operand) (c, d, back operand) {
	const large, small, factor = 0x1p500, 0x1p-450, 0x1p600
	m := s.greater(a, b)
	one := s.Float(f64, 1)
	choose := func(down, up float64) operand {
		v := s.when(greaterThan, m, s.Float(f64, large), one, s.Float(f64, down))
		return s.when(less, m, s.Float(f64, small), v, s.Float(f64, up))
	}
	v := choose(1/factor, factor)
	return s.times(a, v), s.times(b, v), choose(factor, 1/factor)
}

// hypot is √(x² + y²).
func (s *sequence) hypot(x, y operand) operand {
	a, b, back := s.balance(s.abs(x), s.abs(y))
	r := s.times(s.root(s.fma(a, a, s.times(b, b))), back)
	return s.hypotInfinite(x, y, r)
}

func (s *sequence) hypotNarrow(x, y operand) operand {
	return s.hypotInfinite(x, y, s.root(s.fma(x, x, s.times(y, y))))
}

// hypotInfinite gives infinity where x or y is infinite, be the other NaN.
func (s *sequence) hypotInfinite(x, y, r operand) operand {
	inf := s.infinity(f64)
	r = s.when(equal, s.abs(x), inf, r, inf)
	return s.when(equal, s.abs(y), inf, r, inf)
}
