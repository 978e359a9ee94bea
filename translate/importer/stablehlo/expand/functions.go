package expand

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

type function func(e emitter, z []complexNumber) complexNumber

// exactFunctions compute in the type of the parts, complexFunctions in f64.
var exactFunctions, complexFunctions map[string]function

func init() {
	exactFunctions = map[string]function{
		"add":      func(e emitter, z []complexNumber) complexNumber { return e.plus(z[0], z[1]) },
		"subtract": func(e emitter, z []complexNumber) complexNumber { return e.minus(z[0], z[1]) },
		"multiply": func(e emitter, z []complexNumber) complexNumber { return e.times(z[0], z[1]) },
		"negate": func(e emitter, z []complexNumber) complexNumber {
			return complexNumber{e.neg(z[0].re), e.neg(z[0].im)}
		},
		"conj":    func(e emitter, z []complexNumber) complexNumber { return complexNumber{z[0].re, e.neg(z[0].im)} },
		"square":  func(e emitter, z []complexNumber) complexNumber { return e.square(z[0]) },
		"maximum": func(e emitter, z []complexNumber) complexNumber { return e.later("GT", z[0], z[1]) },
		"minimum": func(e emitter, z []complexNumber) complexNumber { return e.later("LT", z[0], z[1]) },
	}
	complexFunctions = map[string]function{
		"divide":      func(e emitter, z []complexNumber) complexNumber { return e.over(z[0], z[1]) },
		"exponential": func(e emitter, z []complexNumber) complexNumber { return e.exp(z[0]) },
		"exponential_minus_one": func(e emitter, z []complexNumber) complexNumber {
			x, y := z[0].re, z[0].im
			half := e.same("sine", e.mul(y, e.number(y, 0.5)))
			re := e.sub(e.mul(e.same("exponential_minus_one", x), e.same("cosine", y)),
				e.mul(e.number(x, 2), e.mul(half, half)))
			return complexNumber{re, e.exp(z[0]).im}
		},
		"log":          func(e emitter, z []complexNumber) complexNumber { return e.log(z[0]) },
		"log_plus_one": func(e emitter, z []complexNumber) complexNumber { return e.log1p(z[0]) },
		"logistic": func(e emitter, z []complexNumber) complexNumber {
			one := e.real(z[0].re, 1)
			return e.over(one, e.plus(one, e.exp(e.negative(z[0]))))
		},
		"sqrt": func(e emitter, z []complexNumber) complexNumber { return e.root(z[0]) },
		"rsqrt": func(e emitter, z []complexNumber) complexNumber {
			return e.over(e.real(z[0].re, 1), e.root(z[0]))
		},
		"cbrt": func(e emitter, z []complexNumber) complexNumber {
			x, y := z[0].re, z[0].im
			r := e.same("cbrt", e.hypot(x, y))
			angle := e.div(e.same("atan2", y, x), e.number(x, 3))
			return complexNumber{e.mul(r, e.same("cosine", angle)), e.mul(r, e.same("sine", angle))}
		},
		"sine":   func(e emitter, z []complexNumber) complexNumber { return e.sine(z[0]) },
		"cosine": func(e emitter, z []complexNumber) complexNumber { return e.cosine(z[0]) },
		"sinh": func(e emitter, z []complexNumber) complexNumber {
			return e.unturned(e.sine(e.turned(z[0])))
		},
		"cosh": func(e emitter, z []complexNumber) complexNumber { return e.cosine(e.turned(z[0])) },
		"tanh": func(e emitter, z []complexNumber) complexNumber { return e.tanh(z[0]) },
		"tan": func(e emitter, z []complexNumber) complexNumber {
			return e.unturned(e.tanh(e.turned(z[0])))
		},
		"asinh": func(e emitter, z []complexNumber) complexNumber { return e.asinh(z[0]) },
		"asin":  func(e emitter, z []complexNumber) complexNumber { return e.asin(z[0]) },
		"acos":  func(e emitter, z []complexNumber) complexNumber { return e.acos(z[0]) },
		"acosh": func(e emitter, z []complexNumber) complexNumber { return e.acosh(z[0]) },
		"atanh": func(e emitter, z []complexNumber) complexNumber { return e.atanh(z[0]) },
		"atan": func(e emitter, z []complexNumber) complexNumber {
			return e.unturned(e.atanh(e.turned(z[0])))
		},
		"sign": func(e emitter, z []complexNumber) complexNumber {
			size := e.hypot(z[0].re, z[0].im)
			none := e.compare("EQ", size, e.number(size, 0))
			return complexNumber{e.sel(none, z[0].re, e.div(z[0].re, size)), e.sel(none, z[0].im, e.div(z[0].im, size))}
		},
		"power": func(e emitter, z []complexNumber) complexNumber { return e.power(z[0], z[1]) },
		"atan2": func(e emitter, z []complexNumber) complexNumber { // -i·log((x + iy)/√(x² + y²))
			y, x := z[0], z[1]
			length := e.root(e.plus(e.times(x, x), e.times(y, y)))
			return e.unturned(e.log(e.over(e.plus(x, e.turned(y)), length)))
		},
	}
}

func (e emitter) plus(z, w complexNumber) complexNumber {
	return complexNumber{e.add(z.re, w.re), e.add(z.im, w.im)}
}

func (e emitter) minus(z, w complexNumber) complexNumber {
	return complexNumber{e.sub(z.re, w.re), e.sub(z.im, w.im)}
}

func (e emitter) times(z, w complexNumber) complexNumber {
	return complexNumber{e.sub(e.mul(z.re, w.re), e.mul(z.im, w.im)), e.add(e.mul(z.re, w.im), e.mul(z.im, w.re))}
}

// square is (x-y)(x+y) + 2xyi, whose real part is 0 where both parts are of one finite size.
func (e emitter) square(z complexNumber) complexNumber {
	re, twice := e.mul(e.sub(z.re, z.im), e.add(z.re, z.im)), e.mul(z.re, z.im)
	size := e.abs(z.re)
	even := e.same("and", e.compare("EQ", size, e.abs(z.im)), e.compare("LT", size, e.number(size, math.Inf(1))))
	return complexNumber{e.sel(even, e.number(re, 0), re), e.add(twice, twice)}
}

func (e emitter) negative(z complexNumber) complexNumber {
	return complexNumber{e.neg(z.re), e.neg(z.im)}
}

// turned is iz, and unturned -iz.
func (e emitter) turned(z complexNumber) complexNumber   { return complexNumber{e.neg(z.im), z.re} }
func (e emitter) unturned(z complexNumber) complexNumber { return complexNumber{z.im, e.neg(z.re)} }

// real is a number without an imaginary part, for each element of x.
func (e emitter) real(x *mlir.Value, v float64) complexNumber {
	return complexNumber{e.number(x, v), e.number(x, 0)}
}

// over divides as Smith does, by the larger part first, so that nothing overflows on the way.
func (e emitter) over(z, w complexNumber) complexNumber {
	wide := e.compare("GE", e.abs(w.re), e.abs(w.im))
	large, small := e.sel(wide, w.re, w.im), e.sel(wide, w.im, w.re)
	ratio := e.div(small, large)
	below := e.add(large, e.mul(small, ratio))
	re := e.add(e.sel(wide, z.re, e.mul(z.re, ratio)), e.sel(wide, e.mul(z.im, ratio), z.im))
	im := e.sub(e.sel(wide, z.im, e.mul(z.im, ratio)), e.sel(wide, e.mul(z.re, ratio), z.re))
	none := e.compare("EQ", large, e.number(large, 0))
	return complexNumber{e.sel(none, e.div(z.re, large), e.div(re, below)),
		e.sel(none, e.div(z.im, large), e.div(im, below))}
}

// later is the larger or smaller one of two numbers, by their real parts and then their imaginary ones.
func (e emitter) later(direction string, z, w complexNumber) complexNumber {
	t := e.compare(direction, z.re, w.re)
	tie := e.compare("EQ", z.re, w.re)
	first := e.same("or", t, e.same("and", tie, e.compare(direction, z.im, w.im)))
	first = e.same("or", first, e.compare("NE", z.re, z.re))
	return complexNumber{e.sel(first, z.re, w.re), e.sel(first, z.im, w.im)}
}

// bounds are the larger and the smaller size of two numbers.
func (e emitter) bounds(x, y *mlir.Value) (large, small *mlir.Value) {
	x, y = e.abs(x), e.abs(y)
	return e.same("maximum", x, y), e.same("minimum", x, y)
}

// hypot is √(x² + y²) without overflow on the way; an infinite part makes it infinite.
func (e emitter) hypot(x, y *mlir.Value) *mlir.Value {
	large, small := e.bounds(x, y)
	ratio := e.div(small, large)
	r := e.mul(large, e.same("sqrt", e.add(e.number(x, 1), e.mul(ratio, ratio))))
	plain := e.same("or", e.compare("EQ", large, e.number(x, 0)), e.infinite(large))
	return e.sel(plain, large, r)
}

func (e emitter) infinite(x *mlir.Value) *mlir.Value {
	return e.compare("EQ", x, e.number(x, math.Inf(1)))
}

// exp keeps a real number real, also where its power is infinite.
func (e emitter) exp(z complexNumber) complexNumber {
	r := e.same("exponential", z.re)
	zero := e.compare("EQ", z.im, e.number(z.im, 0))
	return complexNumber{e.sel(zero, r, e.mul(r, e.same("cosine", z.im))),
		e.sel(zero, z.im, e.mul(r, e.same("sine", z.im)))}
}

// log of the size is log(large) + log1p((small/large)²)/2, or near 1 log1p(x² - 1 + y²)/2.
func (e emitter) log(z complexNumber) complexNumber {
	large, small := e.bounds(z.re, z.im)
	one, half := e.number(large, 1), e.number(large, 0.5)
	ratio := e.div(small, large)
	ratio = e.sel(e.compare("EQ", small, e.number(small, 0)), small, ratio)
	far := e.add(e.same("log", large), e.mul(half, e.same("log_plus_one", e.mul(ratio, ratio))))
	near := e.mul(half, e.same("log_plus_one", e.add(e.mul(e.sub(large, one), e.add(large, one)), e.mul(small, small))))
	close := e.same("and", e.compare("GT", large, half), e.compare("LT", large, e.number(large, 2)))
	r := e.sel(e.infinite(large), large, e.sel(close, near, far))
	return complexNumber{r, e.same("atan2", z.im, z.re)}
}

// log1p is log(1 + z), for small z from |1+z|² - 1 = x(x+2) + y².
func (e emitter) log1p(z complexNumber) complexNumber {
	one := e.number(z.re, 1)
	far := e.log(complexNumber{e.add(z.re, one), z.im})
	large, _ := e.bounds(z.re, z.im)
	square := e.add(e.mul(z.re, e.add(z.re, e.number(z.re, 2))), e.mul(z.im, z.im))
	near := e.mul(e.number(z.re, 0.5), e.same("log_plus_one", square))
	return complexNumber{e.sel(e.compare("LT", large, e.number(z.re, 0.5)), near, far.re), far.im}
}

// root is the one with a real part that is not negative: with u = √((|z| + |x|)/2) it is u + iy/2u for x ≥ 0, else
// |y|/2u ± iu. Very large and very small numbers are scaled by an even power of 2, and the root by its half.
func (e emitter) root(z complexNumber) complexNumber {
	half := e.number(z.re, 0.5)
	whole := z
	large, _ := e.bounds(z.re, z.im)
	choose := func(few, many float64) *mlir.Value {
		return e.sel(e.compare("GT", large, e.number(large, 1e300)), e.number(large, few),
			e.sel(e.compare("LT", large, e.number(large, 1e-280)), e.number(large, many), e.number(large, 1)))
	}
	scale, back := choose(0x1p-4, 0x1p+160), choose(0x1p+2, 0x1p-80)
	z = complexNumber{e.mul(z.re, scale), e.mul(z.im, scale)}
	u := e.same("sqrt", e.add(e.mul(e.hypot(z.re, z.im), half), e.mul(e.abs(z.re), half)))
	v := e.sel(e.compare("EQ", u, e.number(u, 0)), z.im, e.div(z.im, e.add(u, u)))
	right := e.compare("GE", z.re, e.number(z.re, 0))
	down := e.compare("LT", e.same("atan2", z.im, e.number(z.re, -1)), e.number(z.re, 0)) // with -0
	re, im := e.sel(right, u, e.abs(v)), e.sel(right, v, e.sel(down, e.neg(u), u))
	all := e.infinite(e.abs(whole.im))
	return complexNumber{e.sel(all, e.abs(whole.im), e.mul(re, back)), e.sel(all, whole.im, e.mul(im, back))}
}

// sinh is (u + u/(u+1))/2 with u = e^|x| - 1, or where that overflows (e^(|x|/2))²/2, with the sign of x.
func (e emitter) sinh(x *mlir.Value) *mlir.Value {
	size := e.abs(x)
	up, one, half := e.same("exponential_minus_one", size), e.number(x, 1), e.number(x, 0.5)
	small := e.mul(half, e.add(up, e.div(up, e.add(up, one))))
	root := e.same("exponential", e.mul(size, half))
	r := e.sel(e.compare("GT", size, e.number(x, 20)), e.mul(e.mul(half, root), root), small)
	return e.sel(e.compare("LT", x, e.number(x, 0)), e.neg(r), e.sel(e.compare("EQ", x, e.number(x, 0)), x, r))
}

func (e emitter) cosh(x *mlir.Value) *mlir.Value {
	half := e.same("exponential", e.mul(e.abs(x), e.number(x, 0.5)))
	down := e.same("exponential", e.neg(e.abs(x)))
	return e.add(e.mul(e.mul(half, e.number(x, 0.5)), half), e.mul(down, e.number(x, 0.5)))
}

func (e emitter) sine(z complexNumber) complexNumber {
	return complexNumber{e.mul(e.same("sine", z.re), e.cosh(z.im)), e.mul(e.same("cosine", z.re), e.sinh(z.im))}
}

func (e emitter) cosine(z complexNumber) complexNumber {
	return complexNumber{e.mul(e.same("cosine", z.re), e.cosh(z.im)),
		e.neg(e.mul(e.same("sine", z.re), e.sinh(z.im)))}
}

// tanh is (t·(1 + u²) + i·u/cosh² x)/(1 + t²u²) with t = tanh x and u = tan y, which does not overflow.
func (e emitter) tanh(z complexNumber) complexNumber {
	one := e.number(z.re, 1)
	t, u, c := e.same("tanh", z.re), e.same("tan", z.im), e.cosh(z.re)
	tu := e.mul(t, u)
	below := e.add(one, e.mul(tu, tu))
	return complexNumber{e.div(e.mul(t, e.add(one, e.mul(u, u))), below), e.div(e.div(e.div(u, c), c), below)}
}

// power is exp(w·log z); 0 to the power of 0 is 1, and of other numbers 0.
func (e emitter) power(z, w complexNumber) complexNumber {
	zero := func(z complexNumber) *mlir.Value {
		return e.same("and", e.compare("EQ", z.re, e.number(z.re, 0)), e.compare("EQ", z.im, e.number(z.im, 0)))
	}
	r := e.exp(e.times(w, e.log(z)))
	none := e.sel(zero(w), e.number(z.re, 1), e.number(z.re, 0))
	return complexNumber{e.sel(zero(z), none, r.re), e.sel(zero(z), e.number(z.im, 0), r.im)}
}
