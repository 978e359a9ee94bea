package ops

import "math"

// The modified Bessel functions, by their integral representations: the
// trapezoidal rule converges geometrically on them, because the integrands are
// periodic or decay doubly exponentially (Trefethen and Weideman, "The
// exponentially convergent trapezoidal rule", 2014).

// besselIe is exp(-|x|)·I_n(|x|) = (1/π)·∫₀^π exp(|x|·(cos θ - 1))·cos nθ dθ; for
// large |x| it is the asymptotic series (DLMF 10.40.1).
func besselIe(n int, x float64) float64 {
	x = math.Abs(x)
	switch {
	case math.IsNaN(x):
		return x
	case math.IsInf(x, 0):
		return 0
	case x > 100:
		sum, term, mu := 1.0, 1.0, float64(4*n*n)
		for k := 1; k < 12; k++ {
			odd := float64(2*k - 1)
			term *= -(mu - odd*odd) / (float64(k) * 8 * x)
			sum += term
		}
		return sum / (math.Sqrt(2*math.Pi) * math.Sqrt(x))
	}
	// The error of m points on the circle is of the order of I_m(x)·exp(-x).
	m := 32 + int(9*math.Sqrt(x))
	sum := 0.0
	for k := range m {
		t := 2 * math.Pi * float64(k) / float64(m)
		s := math.Sin(t / 2)
		sum += math.Exp(-2*x*s*s) * math.Cos(float64(n)*t)
	}
	return sum / float64(m)
}

func besselI0e(x float64) float64 { return besselIe(0, x) }

func besselI1e(x float64) float64 {
	if math.Abs(x) < 1e-5 { // the sum would cancel
		return x / 2 * math.Exp(-math.Abs(x))
	}
	return math.Copysign(besselIe(1, x), x)
}

func besselI0(x float64) float64 { return grown(besselI0e(x), x) }
func besselI1(x float64) float64 { return grown(besselI1e(x), x) }

// grown multiplies by exp(|x|) in two steps, so that it overflows late.
func grown(v, x float64) float64 {
	h := math.Exp(math.Abs(x) / 2)
	return v * h * h
}

// besselKe is exp(x)·K_n(x) = ∫₀^∞ exp(-x·(cosh t - 1))·cosh nt dt.
func besselKe(n int, x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(1)
	case !(x > 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	}
	h := min(0.2, 0.7/math.Sqrt(x))
	sum := 0.5
	for k := 1; ; k++ {
		t := float64(k) * h
		s := math.Sinh(t / 2)
		v := math.Exp(-2*x*s*s) * math.Cosh(float64(n)*t)
		sum += v
		if v < sum*1e-18 || math.IsInf(sum, 0) {
			return sum * h
		}
	}
}

// besselK is K_n(x); beyond 750 it underflows.
func besselK(n int, x float64) float64 {
	if x > 750 {
		return 0
	}
	return besselKe(n, x) * math.Exp(-x)
}

// ofOrder fixes the order of a function.
func ofOrder(n int, f func(n int, x float64) float64) func(x float64) float64 {
	return func(x float64) float64 { return f(n, x) }
}

// oscillating is a Bessel function of the first or the second kind, which has no value at infinity: NaN, as in PyTorch.
// At 0 one of the first kind of odd order is x itself.
func oscillating(odd bool, f func(x float64) float64) func(x float64) float64 {
	return func(x float64) float64 {
		switch {
		case math.IsInf(x, 0):
			return math.NaN()
		case odd && x == 0:
			return x
		}
		return f(x)
	}
}
