package function

// sinNarrowFit is sin(πr/2)/r and cosNarrowFit cos(πr/2) in r² for |r| ≤ ½, to 6.8e-12 and 6.6e-14.
var (
	sinNarrowFit = []float64{1.5707963267880993, -0.6459640961463142, 0.07969258270762125,
		-0.004681266087125334, 0.00015820585506921828}
	cosNarrowFit = []float64{0.9999999999999342, -1.2337005501181393, 0.25366950708984665,
		-0.020863467292694678, 0.0009191585106127695, -2.4845820015697553e-05}
)

// sinFit is (sin(r)/r - 1)/r² and cosFit (cos(r) - 1 + r²/2)/r⁴ in r² for
// |r| ≤ π/4, to 5.6e-18 and 5e-19 of the functions.
var (
	sinFit = []float64{-0.16666666666666632, 0.008333333333322422, -0.0001984126982981439,
		2.755731369428031e-06, -2.5050758498690068e-08, 1.5896818641543494e-10}
	cosFit = []float64{0.04166666666666665, -0.0013888888888882833, 2.4801587294624867e-05,
		-2.7557315737924057e-07, 2.0875897676605416e-09, -1.1367980288006328e-11}
)

// sinCosNarrow gives the quadrant of x, an f32 held in f64, with the sine and the cosine of the angle in it.
func (s *sequence) sinCosNarrow(x operand) (n, sin, cos operand) {
	n, r := s.quadrantNarrow(x)
	z := s.times(r, r)
	return n, s.times(r, s.polynomial(z, sinNarrowFit...)), s.polynomial(z, cosNarrowFit...)
}

// sinCos gives the quadrant of x with the sine and the cosine of the angle in it.
func (s *sequence) sinCos(x operand) (n, sin, cos operand) {
	n, r, low := s.quadrant(x)
	z := s.times(r, r)
	half := s.times(z, s.Float(f64, 0.5))
	one := s.Float(f64, 1)
	t := s.fnma(low, half, low)
	t = s.fma(s.times(z, r), s.polynomial(z, sinFit...), t)
	sin = s.plus(r, t)
	w := s.minus(one, half)
	u := s.minus(s.minus(one, w), half)
	u = s.plus(u, s.fms(s.times(z, z), s.polynomial(z, cosFit...), s.times(r, low)))
	return n, sin, s.plus(w, u)
}

// inQuadrant is sin(n·π/2 + r).
func (s *sequence) inQuadrant(n, sin, cos operand) operand {
	y := s.bySign(as(f64, s.shiftLeft(n, 63)), sin, cos)
	return s.xor(y, as(f64, s.and(s.shiftLeft(n, 62), s.signBit(i64))))
}

func (s *sequence) sinNarrow(x operand) operand {
	n, sin, cos := s.sinCosNarrow(x)
	return s.inQuadrant(n, sin, cos)
}

func (s *sequence) cosNarrow(x operand) operand {
	n, sin, cos := s.sinCosNarrow(x)
	return s.inQuadrant(s.plus(n, s.Bits(i64, 1)), sin, cos)
}

func (s *sequence) tanNarrow(x operand) operand { return s.tangent(s.sinCosNarrow(x)) }

func (s *sequence) sin(x operand) operand {
	n, sin, cos := s.sinCos(x)
	return s.copySignZero(s.inQuadrant(n, sin, cos), x)
}

func (s *sequence) cos(x operand) operand {
	n, sin, cos := s.sinCos(x)
	return s.inQuadrant(s.plus(n, s.Bits(i64, 1)), sin, cos)
}

func (s *sequence) tan(x operand) operand { return s.copySignZero(s.tangent(s.sinCos(x)), x) }

// tangent is sin/cos, or -cos/sin in an odd quadrant.
func (s *sequence) tangent(n, sin, cos operand) operand {
	odd := as(f64, s.shiftLeft(n, 63))
	y := s.over(s.bySign(odd, sin, cos), s.bySign(odd, cos, sin))
	return s.xor(y, odd)
}
