package ops

import (
	"fmt"
	"math"
)

// The orthogonal polynomials of degree n by their three-term recurrences (DLMF
// 18.9), and the Chebyshev polynomials of high degree inside (-1, 1) by their
// trigonometric definitions (DLMF 18.5). A negative degree gives 0, as in PyTorch.

// MaxPolynomialRecurrence bounds the recurrences: a step takes some nanoseconds, and each its rounding.
// MaxPolynomialDegree bounds what has a value without them: greater whole numbers are not all numbers of f64.
const (
	MaxPolynomialRecurrence = 1 << 20
	MaxPolynomialDegree     = 1 << 53
)

// recur returns polynomial n of those that start with 1 and first and go on with
// next(k, p_k, p_{k-1}) = p_{k+1}. It ends where a value is beyond numbers, and refuses a
// degree above [MaxPolynomialRecurrence] for which it does not.
func recur(n int, first float64, next func(k, q, p float64) float64) float64 {
	switch {
	case n < 0:
		return 0
	case n == 0:
		return 1
	}
	p, q := 1.0, first
	for k := 1; k < n && !math.IsNaN(q); k++ {
		if k > MaxPolynomialRecurrence {
			panic(&ArgError{Detail: fmt.Sprintf("degree %d is above %d", n, MaxPolynomialRecurrence)})
		}
		p, q = q, next(float64(k), q, p)
	}
	return q
}

// alternate is 1 for x > 0 or even n, else -1.
func alternate(x float64, n int) float64 {
	if x > 0 || n%2 == 0 {
		return 1
	}
	return -1
}

// chebyshev is the recurrence p_{k+1} = 2x·p_k - p_{k-1}.
func chebyshev(n int, x, first float64) float64 {
	return recur(n, first, func(_, q, p float64) float64 { return 2*x*q - p })
}

func chebyshevT(x float64, n int) float64 {
	switch {
	case n < 0:
		return 0
	case math.Abs(x) == 1:
		return alternate(x, n)
	case n > 6 && math.Abs(x) < 1:
		return math.Cos(float64(n) * math.Acos(x))
	}
	return chebyshev(n, x, x)
}

func chebyshevU(x float64, n int) float64 {
	switch {
	case n < 0:
		return 0
	case math.Abs(x) == 1:
		return alternate(x, n) * float64(n+1)
	case n > 8 && math.Abs(x) < 1:
		t := math.Acos(x)
		return math.Sin(float64(n+1)*t) / math.Sin(t)
	}
	return chebyshev(n, x, 2*x)
}

func chebyshevV(x float64, n int) float64 {
	switch {
	case n < 0:
		return 0
	case x == 1:
		return 1
	case x == -1:
		return alternate(x, n) * float64(2*n+1)
	case n > 8 && math.Abs(x) < 1:
		t := math.Acos(x)
		return math.Cos((float64(n)+0.5)*t) / math.Cos(t/2)
	}
	return chebyshev(n, x, 2*x-1)
}

func chebyshevW(x float64, n int) float64 {
	switch {
	case n < 0:
		return 0
	case x == 1:
		return float64(2*n + 1)
	case x == -1:
		return alternate(x, n)
	case n > 8 && math.Abs(x) < 1:
		t := math.Acos(x)
		return math.Sin((float64(n)+0.5)*t) / math.Sin(t/2)
	}
	return chebyshev(n, x, 2*x+1)
}

// shifted maps (0, 1) to (-1, 1).
func shifted(f func(x float64, n int) float64) func(x float64, n int) float64 {
	return func(x float64, n int) float64 { return f(2*x-1, n) }
}

func hermiteH(x float64, n int) float64 {
	return recur(n, 2*x, func(k, q, p float64) float64 { return 2*x*q - 2*k*p })
}

func hermiteHe(x float64, n int) float64 {
	return recur(n, x, func(k, q, p float64) float64 { return x*q - k*p })
}

// laguerre is 1 at 0 for every degree.
func laguerre(x float64, n int) float64 {
	if x == 0 && n >= 0 {
		return 1
	}
	return recur(n, 1-x, func(k, q, p float64) float64 { return ((2*k+1-x)*q - k*p) / (k + 1) })
}

// legendre is 1 or -1 at the ends of its interval for every degree.
func legendre(x float64, n int) float64 {
	if math.Abs(x) == 1 && n >= 0 {
		return alternate(x, n)
	}
	return recur(n, x, func(k, q, p float64) float64 { return ((2*k+1)*x*q - k*p) / (k + 1) })
}
