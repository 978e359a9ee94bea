package expand

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// far is a size from which on 1 is nothing beside a number, and its square would overflow.
const far = 1e150

// arc gives the real part of asin z, that of acos z, and the size of the imaginary part of both (Hull, Fairgrieve and
// Tang, "Implementing the complex arcsine and arccosine functions using exception handling", 1997). With the distances
// r and s of (|x|, |y|) from -1 and 1, and a = (r+s)/2, the size is log(a + √(a²-1)), and the real part of asin z
// atan(x/b) with b = √(a²-x²).
func (e emitter) arc(z complexNumber) (asin, acos, size *mlir.Value) {
	x, y := e.abs(z.re), e.abs(z.im)
	number := func(v float64) *mlir.Value { return e.number(x, v) }
	one, half := number(1), number(0.5)
	large, small := e.bounds(x, y)
	up, down := e.add(x, one), e.sub(x, one)
	r, s := e.hypot(up, y), e.hypot(down, y)
	a := e.mul(half, e.add(r, s))
	right := e.compare("GE", x, one)

	// a - 1 is y²/2(r+x+1) + y²/2(s+1-x). The second term is (s+x-1)/2 where x ≥ 1; its root has no square of y.
	first, second := e.div(half, e.add(r, up)), e.div(half, e.sub(s, down))
	left := e.mul(y, e.same("sqrt", e.mul(e.add(first, second), e.add(a, one))))
	above := e.mul(e.mul(y, y), e.add(first, second))
	beyond := e.add(e.mul(e.mul(y, y), first), e.mul(half, e.add(s, down)))
	above = e.sel(right, beyond, above)
	root := e.sel(right, e.same("sqrt", e.mul(beyond, e.add(a, one))), left)
	size = e.same("log_plus_one", e.add(above, root))
	ratio := e.div(small, large)
	distant := e.add(e.add(e.same("log", large), number(math.Ln2)), e.mul(half, e.same("log_plus_one", e.mul(ratio, ratio))))
	isFar := e.compare("GE", large, number(far))
	size = e.sel(e.infinite(large), large, e.sel(isFar, distant, size))

	sum := e.mul(half, e.add(a, x))
	inner := e.same("sqrt", e.mul(sum, e.add(e.mul(y, e.div(y, e.add(r, up))), e.sub(s, down))))
	outer := e.mul(y, e.same("sqrt", e.add(e.div(sum, e.add(r, up)), e.div(sum, e.add(s, down)))))
	b := e.sel(e.compare("GT", x, one), outer, inner)
	b = e.sel(isFar, y, b)
	return e.same("atan2", z.re, b), e.same("atan2", b, z.re), size
}

// signed gives a size the sign of y, also of -0.
func (e emitter) signed(size, y *mlir.Value) *mlir.Value {
	down := e.compare("LT", e.same("atan2", y, e.number(y, -1)), e.number(y, 0))
	return e.sel(down, e.neg(size), size)
}

func (e emitter) asin(z complexNumber) complexNumber {
	asin, _, size := e.arc(z)
	return complexNumber{asin, e.signed(size, z.im)}
}

func (e emitter) acos(z complexNumber) complexNumber {
	_, acos, size := e.arc(z)
	return complexNumber{acos, e.neg(e.signed(size, z.im))}
}

func (e emitter) acosh(z complexNumber) complexNumber {
	_, acos, size := e.arc(z)
	return complexNumber{size, e.signed(acos, z.im)}
}

// asinh z is i·asin(-iz), in which the parts change their places.
func (e emitter) asinh(z complexNumber) complexNumber {
	r := e.asin(complexNumber{z.im, z.re})
	return complexNumber{r.im, r.re}
}

// atanh is log1p(4x/((1-x)²+y²))/4 + i·atan2(2y, (1-x)(1+x)-y²)/2 for x ≥ 0.
func (e emitter) atanh(z complexNumber) complexNumber {
	x, y := e.abs(z.re), z.im
	number := func(v float64) *mlir.Value { return e.number(x, v) }
	one := number(1)
	large, small := e.bounds(x, y)
	q := e.hypot(e.sub(one, x), y)
	re := e.mul(number(0.25), e.same("log_plus_one", e.div(e.div(e.mul(number(4), x), q), q)))
	pole := e.mul(number(0.5), e.sub(number(math.Ln2), e.same("log", q))) // beside 1
	re = e.sel(e.compare("LT", q, number(1/far)), pole, re)
	im := e.mul(number(0.5), e.same("atan2", e.add(y, y), e.sub(e.mul(e.sub(one, x), e.add(one, x)), e.mul(y, y))))
	ratio := e.div(small, large)
	part := e.div(e.div(x, large), e.add(one, e.mul(ratio, ratio)))
	isFar := e.compare("GE", large, number(far))
	re = e.sel(isFar, e.sel(e.infinite(large), number(0), e.div(part, large)), re)
	im = e.sel(isFar, e.signed(number(math.Pi/2), y), im)
	return complexNumber{e.signed(re, z.re), im}
}
