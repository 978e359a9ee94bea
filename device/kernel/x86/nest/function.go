package nest

import "github.com/go-acap/acap/device/kernel/x86/asm"

// The functions of f32. The coefficients are minimax fits of our own (weighted
// least squares with Lawson's weights, at Chebyshev points, in 50 digits);
// the comments give the relative error of the fit alone. The test of this
// package measures the error of the whole sequence in ULP.

// ln2High has 9 bits, so that its product with an exponent is exact.
const (
	log2E   = 1.44269504088896340736
	ln2High = 0.693359375
	ln2Low  = -2.12194440054690583e-4
	// magic pushes the fraction out of a float: adding and subtracting it rounds
	// to an integer.
	magic = 12582912 // 1.5·2²³
)

// reduce splits x into n·ln 2 + r with integral n and |r| ≤ ½·ln 2.
func (s *sequence) reduce(x operand) (n, r operand) {
	n = s.minus(s.fma(x, cF32(log2E), cF32(magic)), cF32(magic))
	r = s.fnma(n, cF32(ln2High), x)
	return n, s.fnma(n, cF32(ln2Low), r)
}

// clamp limits x to [lo, hi]; a NaN stays.
func (s *sequence) clamp(x operand, lo, hi float64) operand {
	return s.lesser(cF32(hi), s.greater(cF32(lo), x))
}

// expFit is (eʳ - 1 - r)/r² to 3.1e-9 of eʳ.
var expFit = []float64{0.4999999403953552, 0.1666652113199234, 0.04166838899254799,
	0.008368710987269878, 0.0013814601115882397}

// expZero is where eˣ has come to less than half of the least float.
const expZero = -104

// exp is eˣ. VSCALEFPS makes the limits from an infinite exponent even if the
// polynomial is NaN, and the polynomial, of even degree, is positive for every
// remainder, so that x need not be clamped above. Below, where the polynomial of
// a huge number would overflow, the result is zero by a mask, which is not waited
// for as a clamp before the polynomial would be.
func (s *sequence) exp(x operand) operand {
	if !s.avx512 {
		n, r := s.reduce(s.clamp(x, expZero, 89))
		return s.scale(s.polynomial(r, append([]float64{1, 1}, expFit...)...), n)
	}
	m := s.compare(notLess, x, cF32(expZero))
	n, r := s.reduce(x)
	p := s.polynomial(r, append([]float64{1, 1}, expFit...)...)
	return s.add(f32, instr{src: []operand{p, n, m, dummy}, emit: func(e *emitter, q *registers) {
		e.a.Emit(asm.VSCALEFPS, q.d.ZeroMask(q.reg(2)), q.s[0], q.s[1])
	}})
}

// exp2 is 2ˣ: the fraction of x is exact, so one step reduces it.
func (s *sequence) exp2(x operand) operand {
	x = s.clamp(x, -151, 129)
	n := s.round(x, nearestEven)
	f := s.minus(x, n)
	r := s.times(f, cF32(0.6931471824645996))
	r = s.fma(f, cF32(-1.904654299957768e-09), r)
	return s.scale(s.polynomial(r, append([]float64{1, 1}, expFit...)...), n)
}

// scale is p·2ⁿ for integral n, with overflow and underflow.
func (s *sequence) scale(p, n operand) operand {
	if s.avx512 {
		return s.rvm(asm.VSCALEFPS, f32, p, n)
	}
	i := s.rm(asm.VCVTPS2DQ, i32, n)
	half := s.shiftSigned(i, 1)
	rest := s.minus(i, half)
	return s.times(s.times(p, s.powerOfTwo(half)), s.powerOfTwo(rest))
}

// powerOfTwo is 2ⁱ for i from -126 to 127.
func (s *sequence) powerOfTwo(i operand) operand {
	return as(f32, s.shiftLeft(s.plus(i, cBits(i32, 127)), 23))
}

// expm1 is eˣ - 1: with e = eʳ - 1 it is 2·(2ⁿ⁻¹·e + 2ⁿ⁻¹ - ½).
func (s *sequence) expm1(x operand) operand {
	n, r := s.reduce(s.clamp(x, -88, 89))
	p := s.polynomial(r, append([]float64{1}, expFit...)...)
	p = s.times(p, r)
	half := s.scale(s.splat(cF32(0.5)), n)
	y := s.fma(p, half, s.minus(half, cF32(0.5)))
	return s.copySign(s.plus(y, y), x)
}

// logFit is (log(1+f) - f + f²/2)/f³ for -¼ ≤ f ≤ ½, to 9.1e-10 of log(1+f).
var logFit = []float64{0.33333340287208557, -0.2500016391277313, 0.19999603927135468,
	-0.16655294597148895, 0.14276248216629028, -0.1272781491279602, 0.11700616776943207,
	-0.09115909039974213, 0.03767029196023941}

// mantissa splits x into m·2ᵉ with ¾ ≤ m < 1½ and returns e and m - 1.
func (s *sequence) mantissa(x operand) (e, f operand) {
	if s.avx512 {
		m := s.rm(asm.VGETMANTPS, f32, x, asm.Imm(2<<2|3)) // NaN for x < 0
		e = s.minus(s.rm(asm.VGETEXPPS, f32, x), s.rm(asm.VGETEXPPS, f32, m))
		return e, s.minus(m, cF32(1))
	}
	tiny := s.compare(less, x, cF32(0x1p-126))
	x = s.blend(tiny, x, s.times(x, cF32(0x1p+23)))
	b := s.minus(as(i32, x), cBits(i32, 0x3f400000))
	i := s.shiftSigned(b, 23)
	m := as(f32, s.minus(as(i32, x), s.shiftLeft(i, 23)))
	e = s.rm(asm.VCVTDQ2PS, f32, i)
	e = s.minus(e, s.and(as(f32, tiny), cF32(23)))
	return e, s.minus(m, cF32(1))
}

// logMantissa is log(1+f) - f.
func (s *sequence) logMantissa(f operand) operand {
	y := s.times(f, f)
	p := s.times(s.polynomial(f, logFit...), f)
	return s.times(y, s.plus(p, cF32(-0.5)))
}

// logSpecial puts in the logarithms of 0, negative numbers and +Inf, where the
// instructions have not given them already.
func (s *sequence) logSpecial(x, y operand) operand {
	if s.avx512 {
		return y
	}
	y = s.blend(s.compare(equal, x, cF32(0)), y, s.splat(cBits(f32, 0xff800000)))
	y = s.blend(s.compare(less, x, cF32(0)), y, s.splat(cBits(f32, 0x7fc00000)))
	big := s.compare(notLess, x, cBits(f32, 0x7f800000))
	return s.blend(big, y, s.plus(x, x))
}

func (s *sequence) log(x operand) operand {
	// Both parts of ln 2 are positive, so that an infinite exponent gives no NaN.
	const high, low = 0.693145751953125, 1.42860682030941723212e-6
	e, f := s.mantissa(x)
	t := s.fma(e, cF32(low), s.logMantissa(f))
	return s.logSpecial(x, s.fma(e, cF32(high), s.plus(t, f)))
}

// log2 is exact for powers of two.
func (s *sequence) log2(x operand) operand {
	e, f := s.mantissa(x)
	t := s.logMantissa(f)
	// log₂ e = 1.4427 in two parts; the small terms go first.
	y := s.fma(t, cF32(log2E), s.times(f, cF32(log2E-1.4426950216293335)))
	y = s.fma(f, cF32(1.4426950216293335), y)
	return s.logSpecial(x, s.plus(y, e))
}

func (s *sequence) log10(x operand) operand {
	e, f := s.mantissa(x)
	t := s.logMantissa(f)
	const log10E, log10E1 = 0.43429448190325182765, 0.4342944920063019
	const log10Two, log10Two1 = 0.30102999566398119521, 0.301025390625
	y := s.fma(e, cF32(log10Two-log10Two1), s.times(f, cF32(log10E-log10E1)))
	y = s.fma(t, cF32(log10E1), y)
	y = s.fma(f, cF32(log10E1), y)
	return s.logSpecial(x, s.fma(e, cF32(log10Two1), y))
}

// log1p is log(u) + (x - (u - 1))/u with u = 1 + x rounded.
func (s *sequence) log1p(x operand) operand {
	u := s.plus(x, cF32(1))
	lost := s.over(s.minus(x, s.minus(u, cF32(1))), u)
	lost = s.blend(s.compare(unordered, lost, lost), lost, s.splat(cF32(0)))
	return s.copySignZero(s.plus(s.log(u), lost), x)
}

// copySignZero gives y, or x where that is zero.
func (s *sequence) copySignZero(y, x operand) operand {
	return s.blend(s.compare(equal, x, cF32(0)), y, x)
}

// sigmoid is 1/(1+e⁻ˣ); where that is below 2⁻¹²⁶, it may be 0.
func (s *sequence) sigmoid(x operand) operand {
	e := s.exp(s.negate(x))
	return s.over(s.splat(cF32(1)), s.plus(e, cF32(1)))
}

// exp2Fit is (2ᶠ - 1)/f for |f| ≤ ½, to 9.1e-8 of 2ᶠ.
var exp2Fit = []float64{0.6931470036506653, 0.24022242426872253, 0.05550733953714371,
	0.009671513922512531, 0.0013264708686619997}

// smallExp2 is 2ⁿ⁺ᶠ for integral n and |f| ≤ ½, without overflow or underflow.
func (s *sequence) smallExp2(n, f operand) operand {
	p := s.polynomial(f, append([]float64{1}, exp2Fit...)...)
	if s.avx512 {
		return s.scale(p, n)
	}
	return s.times(p, s.powerOfTwo(s.rm(asm.VCVTPS2DQ, i32, n)))
}

// tanhFit is (tanh(x)/x - 1)/x² in x² for |x| ≤ 0.55, to 3.7e-8.
var tanhFit = []float64{-0.3333294689655304, 0.13320723176002502, -0.05267174914479256,
	0.016437476500868797}

// tanh is 1 - 2/(1 + e²ˣ) for |x| > 0.55 and a polynomial below; beyond 9.02 it
// rounds to 1.
func (s *sequence) tanh(x operand) operand {
	a := s.lesser(cF32(9.02), s.abs(x))
	n := s.minus(s.fma(a, cF32(2*log2E), cF32(magic)), cF32(magic))
	e := s.smallExp2(n, s.fms(a, cF32(2*log2E), n))
	big := s.minus(s.splat(cF32(1)), s.over(s.splat(cF32(2)), s.plus(e, cF32(1))))
	t := s.times(a, a)
	small := s.fma(s.times(s.polynomial(t, tanhFit...), t), a, a)
	return s.orSign(s.blend(s.compare(less, a, cF32(0.55)), big, small), x)
}

// erfFit is erf(x)/x - 1 in x² for |x| ≤ 0.84375, to 5.6e-9; erfcFit is log₂(erfc(x))
// from there to 3.93, to 3.1e-9 of erf.
var (
	erfFit = []float64{0.1283791065216064, -0.3761257529258728, 0.11282775551080704,
		-0.026805102825164795, 0.005055620800703764, -0.0006342910346575081}
	erfcFit = []float64{-0.0001410734112141654, -1.6274902820587158, -0.9182279706001282,
		-0.15086767077445984, 0.032522644847631454, -0.004507120233029127, 0.00029479587101377547}
)

// erf is 1 - erfc(x) for |x| > 0.84375 and a polynomial below; beyond 3.93 it
// rounds to 1.
func (s *sequence) erf(x operand) operand {
	a := s.lesser(cF32(3.93), s.abs(x))
	q := s.polynomial(a, erfcFit...)
	n := s.round(q, nearestEven)
	big := s.minus(s.splat(cF32(1)), s.smallExp2(n, s.minus(q, n)))
	small := s.fma(s.polynomial(s.times(a, a), erfFit...), a, a)
	return s.orSign(s.blend(s.compare(less, a, cF32(0.84375)), big, small), x)
}

// orSign gives y, which is not negative, the sign of x.
func (s *sequence) orSign(y, x operand) operand {
	sign := cBits(f32, 1<<31)
	if !s.avx512 {
		return s.or(y, s.and(x, sign))
	}
	return s.add(f32, instr{src: []operand{y, x, sign}, early: true, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VMOVAPS, r.d, r.s[0])
		e.a.Emit(asm.VPTERNLOGD, r.d, r.s[1], r.s[2], asm.Imm(0xf8)) // a | b&c
	}})
}
