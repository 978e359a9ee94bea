package function

// erfFit is erf(x)/x - 1 in x² for |x| ≤ 0.84375, to 5.6e-9; erfcFit is log₂(erfc(x))
// from there to 3.93, to 3.1e-9 of erf.
var (
	erfFit = []float64{0.1283791065216064, -0.3761257529258728, 0.11282775551080704,
		-0.026805102825164795, 0.005055620800703764, -0.0006342910346575081}
	erfcFit = []float64{-0.0001410734112141654, -1.6274902820587158, -0.9182279706001282,
		-0.15086767077445984, 0.032522644847631454, -0.004507120233029127, 0.00029479587101377547}
)

// erfDoubleFit is erf(x)/x - 1 in x² for |x| ≤ 1, to 1.7e-17; erfcDoubleFit is
// (1+2x)·exp(x²)·erfc(x) in (x-4)/(x+4) for 0 ≤ x ≤ 27.5, to 5.4e-17.
var (
	erfDoubleFit = []float64{0.1283791670955126, -0.3761263890318375, 0.11283791670954885,
		-0.026866170645077812, 0.005223977624827801, -0.0008548326981388208,
		0.00012055331131552907, -1.4925595737498176e-05, 1.646100790633682e-06,
		-1.6350390010114507e-07, 1.4660285937374744e-08,
		-1.1374786659581595e-09, 5.960393341174184e-11}
	erfcDoubleFit = []float64{1.2329951186255526, -0.13962111684056286, 0.015379652102620035,
		0.06809705425473445, -0.1010390660363173, 0.0937328349968877,
		-0.0663303658121862, 0.03716751556104528, -0.016197734052942832,
		0.005031969768464514, -0.0007577733737831195, -0.00019925557363301415,
		0.00015062234217776322, -2.440295235514631e-05, -1.12249549336823e-05,
		5.717443590097819e-06, 3.0147265030041203e-07, -8.346176113910977e-07,
		6.274067307695192e-08, 1.1498786458034119e-07, -7.821946161467462e-09,
		-1.3573141069244527e-08, -1.7762812605776939e-09}
)

// erf of f32 is, without tables, 1 - erfc(x) for |x| > 0.84375 and a polynomial below; beyond 3.93 it rounds to 1.
func (s *sequence) erf(x operand) operand {
	a := s.lesser(s.Float(f32, 3.93), s.abs(x))
	q := s.polynomial(a, erfcFit...)
	n := s.round(q, nearestEven)
	big := s.minus(s.Float(f32, 1), s.smallExp2(n, s.minus(q, n)))
	small := s.fma(s.polynomial(s.times(a, a), erfFit...), a, a)
	return s.copySign(s.when(less, a, s.Float(f32, 0.84375), big, small), x)
}

// erfDouble is 1 - erfc(x) for |x| > 1 and a polynomial below.
func (s *sequence) erfDouble(x operand) operand {
	a := s.abs(x)
	big := s.minus(s.Float(f64, 1), s.erfcPositive(a))
	small := s.fma(s.polynomial(s.times(a, a), erfDoubleFit...), a, a)
	return s.copySign(s.when(less, a, s.Float(f64, 1), big, small), x)
}

// erfcPositive is erfc(a) for a ≥ 0; beyond 28 it is 0.
func (s *sequence) erfcPositive(a operand) operand {
	a = s.lesser(s.Float(f64, 28), a)
	four := s.Float(f64, 4)
	p := s.polynomial(s.over(s.minus(a, four), s.plus(a, four)), erfcDoubleFit...)
	square, low := s.exactProduct(a, a)
	e := s.exp(s.negate(square))
	e = s.fnma(e, low, e)
	one := s.Float(f64, 1)
	return s.over(s.times(e, p), s.plus(s.plus(a, a), one))
}

// erfc is 1 - erf(x), for negative x 2 - erfc(-x).
func (s *sequence) erfc(x operand) operand {
	y := s.erfcPositive(s.abs(x))
	return s.bySign(x, y, s.minus(s.Float(f64, 2), y))
}
