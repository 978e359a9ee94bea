package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// complexArc gives the real part of asin z, that of acos z, and the size of the imaginary part of both (Hull,
// Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using exception handling", 1997). With
// the distances r and s of (|x|, |y|) from -1 and 1, and a = (r+s)/2, the size is log(a + √(a²-1)), and the real part
// of asin z atan(x/b) with b = √(a²-x²).
func complexArc(e Emit, re, im Value) (asin, acos, size Value) {
	x, y := e.Call("abs", re), e.Call("abs", im)
	large, ratio, isFar := e.scales(x, y)
	up, down := e.Add(x, 1), e.Sub(x, 1)
	r, s := e.Call("hypot", up, y), e.Call("hypot", down, y)
	a := e.Mul(e.Add(r, s), 0.5)
	right := e.Compare("ge", x, 1)

	// a - 1 is y²/2(r+x+1) + y²/2(s+1-x). The second term is (s+x-1)/2 where x ≥ 1; its root has no square of y.
	half := e.Number(0.5, x)
	first, second := e.Div(half, e.Add(r, up)), e.Div(half, e.Sub(s, down))
	left := e.Mul(y, e.Call("sqrt", e.Mul(e.Add(first, second), e.Add(a, 1))))
	beyond := e.Add(e.Mul(e.Square(y), first), e.Mul(e.Add(s, down), 0.5))
	above := e.Where(right, beyond, e.Mul(e.Square(y), e.Add(first, second)))
	root := e.Where(right, e.Call("sqrt", e.Mul(beyond, e.Add(a, 1))), left)
	distant := e.Add(e.Add(e.Call("log", large), math.Ln2), e.Mul(e.Call("log1p", e.Square(ratio)), 0.5))
	size = e.Where(isFar, distant, e.Call("log1p", e.Add(above, root)))

	sum := e.Mul(e.Add(a, x), 0.5)
	inner := e.Call("sqrt", e.Mul(sum, e.Add(e.Mul(y, e.Div(y, e.Add(r, up))), e.Sub(s, down))))
	outer := e.Mul(y, e.Call("sqrt", e.Add(e.Div(sum, e.Add(r, up)), e.Div(sum, e.Add(s, down)))))
	b := e.Where(isFar, y, e.Where(e.Compare("gt", x, 1), outer, inner))
	size = e.Where(e.Or(e.Call("isinf", x), e.Call("isinf", y)), e.Number(math.Inf(1), x), size) // beside a NaN, too
	axis := e.Compare("eq", x, 0)
	return e.Where(axis, re, e.Call("atan2", re, b)), e.Where(axis, e.Number(math.Pi/2, x), e.Call("atan2", b, re)), size
}

// scales returns the larger of two sizes, the ratio of the smaller to it, and whether 1 is negligible beside the
// larger, whose square may overflow.
func (e Emit) scales(x, y Value) (large, ratio, isFar Value) {
	large = e.Call("maximum", x, y)
	isFar = e.Compare("ge", large, farOf(x))
	ratio = e.Where(e.Call("isinf", large), e.Number(0, x), e.Div(e.Call("minimum", x, y), large))
	return large, ratio, isFar
}

// farOf is a size beside which 1 is nothing, and whose square the type of x has.
func farOf(x Value) float64 {
	if x.Type().DType == dtype.F64 {
		return 1e150
	}
	return 1e15
}

func complexAsin(e Emit, x, y Value) (re, im Value) {
	asin, _, size := complexArc(e, x, y)
	return asin, e.Call("copysign.Tensor", size, y)
}

func complexAcos(e Emit, x, y Value) (re, im Value) {
	_, acos, size := complexArc(e, x, y)
	return acos, e.Neg(e.Call("copysign.Tensor", size, y))
}

func complexAcosh(e Emit, x, y Value) (re, im Value) {
	_, acos, size := complexArc(e, x, y)
	return size, e.Call("copysign.Tensor", acos, y)
}

// complexAsinh is i·asin(-iz), in which the parts change their places.
func complexAsinh(e Emit, x, y Value) (re, im Value) {
	im, re = complexAsin(e, y, x)
	return re, im
}

// complexAtanh is log1p(4x/((1-x)²+y²))/4 + i·atan2(2y, (1-x)(1+x)-y²)/2 for x ≥ 0.
func complexAtanh(e Emit, x, y Value) (re, im Value) {
	size := e.Call("abs", x)
	large, ratio, isFar := e.scales(size, e.Call("abs", y))
	q := e.Call("hypot", e.OneMinus(size), y)
	re = e.Mul(e.Call("log1p", e.Div(e.Div(e.Mul(size, 4), q), q)), 0.25)
	pole := e.Mul(e.Sub(e.Number(math.Ln2, x), e.Call("log", q)), 0.5) // beside 1
	re = e.Where(e.Compare("lt", q, 1/farOf(x)), pole, re)
	im = e.Mul(e.Call("atan2", e.Mul(y, 2), e.Sub(e.Mul(e.OneMinus(size), e.Add(size, 1)), e.Square(y))), 0.5)
	distant := e.Div(e.Div(e.Div(size, large), e.Add(e.Square(ratio), 1)), large)
	distant = e.Where(e.Call("isinf", large), e.Number(0, x), distant)
	infinite := e.Or(e.Call("isinf", x), e.Call("isinf", y)) // beside a NaN, too
	re = e.Where(e.Or(infinite, e.Compare("eq", x, 0)), e.Number(0, x), e.Where(isFar, distant, re))
	turned := e.Or(isFar, e.Call("isinf", y))
	return e.Call("copysign.Tensor", re, x), e.Where(turned, e.Call("copysign.Tensor", e.Number(math.Pi/2, y), y), im)
}

// complexAtan is -i·atanh(iz), in which the parts change their places.
func complexAtan(e Emit, x, y Value) (re, im Value) {
	im, re = complexAtanh(e, y, x)
	return re, im
}
