package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// complexFunctions are functions of x + iy by their real and imaginary parts. They refer to
// the tables themselves, by calls, and are made at start-up.
var complexFunctions map[string]func(e Emit, x, y Value) (re, im Value)

func init() {
	complexFunctions = map[string]func(e Emit, x, y Value) (re, im Value){
		"exp": func(e Emit, x, y Value) (re, im Value) {
			r := e.Call("exp", x)
			return e.turned(r, r, x, y, 1)
		},
		"log": func(e Emit, x, y Value) (re, im Value) {
			return e.logarithm("log", x, y), e.Call("atan2", y, x)
		},
		"log2": func(e Emit, x, y Value) (re, im Value) {
			return e.logarithm("log2", x, y), e.Mul(e.Call("atan2", y, x), math.Log2E)
		},
		"log10": func(e Emit, x, y Value) (re, im Value) {
			return e.logarithm("log10", x, y), e.Mul(e.Call("atan2", y, x), math.Log10E)
		},
		"sqrt": complexRoot,
		"rsqrt": func(e Emit, x, y Value) (re, im Value) {
			u, v := complexRoot(e, x, y)
			return complexReciprocal(e, u, v)
		},
		"reciprocal": complexReciprocal,
		"square": func(e Emit, x, y Value) (re, im Value) {
			return e.Sub(e.Square(x), e.Square(y)), e.Mul(e.Mul(x, y), 2)
		},
		"sgn": func(e Emit, x, y Value) (re, im Value) {
			r := e.Call("hypot", x, y)
			some := e.Compare("ne", r, 0)
			return e.Keep(some, e.Div(x, r)), e.Keep(some, e.Div(y, r))
		},
		"sin": func(e Emit, x, y Value) (re, im Value) { // -i·sinh(iz)
			u, v := complexSinh(e, e.Neg(y), x)
			return v, e.Neg(u)
		},
		"cos":   func(e Emit, x, y Value) (re, im Value) { return complexCosh(e, e.Neg(y), x) }, // cosh(iz)
		"sinh":  complexSinh,
		"cosh":  complexCosh,
		"asin":  complexAsin,
		"acos":  complexAcos,
		"atan":  complexAtan,
		"asinh": complexAsinh,
		"acosh": complexAcosh,
		"atanh": complexAtanh,
		// tanh z = (t·sec² y + i·tan y·sech² x)/(1 + t²·tan² y) with t = tanh x, which does
		// not overflow.
		"tanh": func(e Emit, x, y Value) (re, im Value) {
			t, u := e.Call("tanh", x), e.Call("tan", y)
			d := e.Add(e.Square(e.Mul(t, u)), 1)
			re, im = e.Div(e.Mul(t, e.Add(e.Square(u), 1)), d), e.Div(e.Mul(u, e.OneMinus(e.Square(t))), d)
			far := e.Compare("eq", e.Call("abs", t), 1)
			far = e.And(far, e.Or(e.Call("isinf", x), e.Call("isfinite", y)))
			im = e.Where(far, e.Call("copysign.Tensor", e.Number(0, y), e.Call("sin", e.Mul(y, 2))), im)
			return e.Where(e.Or(far, e.Compare("eq", t, 0)), t, re), e.Where(e.Compare("eq", y, 0), y, im)
		},
	}
}

func complexSinh(e Emit, x, y Value) (re, im Value) {
	return e.turned(e.Call("sinh", x), e.Call("cosh", x), x, y, 0.5)
}

func complexCosh(e Emit, x, y Value) (re, im Value) {
	return e.turned(e.Call("cosh", x), e.Call("sinh", x), x, y, 0.5)
}

// turned is r·cos y + i·s·sin y for functions r and s of x, which are share·exp |x| where they overflow: there the
// product is made before it is as large. As in C, a factor of 0 times a factor that is not finite is 0. Where y is
// infinite or NaN, and so no direction, an exact 0 stays 0, and an exact infinity stays infinite in some direction.
func (e Emit) turned(r, s, x, y Value, share float64) (re, im Value) {
	nowhere, far := e.Call("logical_not", e.Call("isfinite", y)), e.Call("isinf", x)
	exact := e.And(nowhere, e.Or(far, e.Compare("eq", x, 0)))
	root := e.Call("exp", e.Mul(e.Call("abs", x), 0.5))
	product := func(r Value, function string) Value {
		t := e.Call(function, y)
		still := e.And(exact, e.Compare("eq", r, 0))
		over := e.And(e.Compare("ne", t, 0), e.And(e.Call("isinf", r), e.Call("isfinite", x)))
		size := e.Where(e.Compare("eq", t, 0), e.Call("copysign.Tensor", e.Number(1, r), r), r)
		turned := e.Mul(e.Where(over, e.Call("copysign.Tensor", e.Mul(root, share), r), size), t)
		return e.Where(still, r, e.Where(over, e.Mul(turned, root), turned))
	}
	somewhere := e.And(e.And(nowhere, far), e.Call("isinf", r))
	return e.Where(somewhere, e.Call("abs", r), product(r, "cos")), product(s, "sin")
}

func complexReciprocal(e Emit, x, y Value) (re, im Value) {
	return e.quotient(e.Number(1, x), e.Number(0, x), x, y)
}

// quotient is (a + ib)/(x + iy), divided by the greater part of the divisor first, so that no square overflows or
// vanishes. By 0 each part is divided for itself; an infinite divisor leaves 0, unless both of its parts are infinite.
func (e Emit) quotient(a, b, x, y Value) (re, im Value) {
	m := e.Call("maximum", e.Call("abs", x), e.Call("abs", y))
	one := e.Compare("ne", e.Call("isinf", x), e.Call("isinf", y))
	share := func(v Value) Value {
		return e.Where(e.And(one, e.Call("isinf", v)), e.Call("sign", v), e.Div(v, m))
	}
	s, t := share(x), share(y)
	d := e.Add(e.Square(s), e.Square(t))
	zero := e.Compare("eq", m, 0)
	of := func(part, sum Value) Value { return e.Where(zero, e.Div(part, m), e.Div(e.Div(sum, d), m)) }
	return of(a, e.Add(e.Mul(a, s), e.Mul(b, t))), of(b, e.Sub(e.Mul(b, s), e.Mul(a, t)))
}

// complexRoot is the root with a real part that is not negative: with
// u = √((|z| + |x|)/2) it is u + iy/2u for x ≥ 0, else |y|/2u ± iu. It is infinite where y is. Large numbers are a
// quarter and small ones four times as large while u is computed, so that no sum overflows or vanishes.
func complexRoot(e Emit, x, y Value) (re, im Value) {
	size, height := e.Call("abs", x), e.Call("abs", y)
	large := e.Or(e.Compare("ge", size, 1), e.Compare("ge", height, 1))
	scale := e.Where(large, e.Number(0.25, x), e.Number(4, x))
	sum := e.Add(e.Call("hypot", e.Mul(size, scale), e.Mul(height, scale)), e.Mul(size, scale))
	u := e.Mul(e.Call("sqrt", e.Mul(sum, 0.5)), e.Where(large, e.Number(2, x), e.Number(0.5, x)))
	v := e.Where(e.Compare("eq", u, 0), y, e.Div(e.Mul(y, 0.5), u))
	right, infinite := e.Compare("ge", x, 0), e.Call("isinf", y)
	re, im = e.Where(right, u, e.Call("abs", v)), e.Where(right, v, e.Call("copysign.Tensor", u, y))
	return e.Where(infinite, height, re), e.Where(infinite, y, im)
}

// logarithm is log |z| by a logarithm of real numbers. Large numbers are a half as large until then, so that |z| does
// not overflow.
func (e Emit) logarithm(name string, x, y Value) Value {
	large := e.Compare("ge", e.Call("maximum", e.Call("abs", x), e.Call("abs", y)), farOf(x))
	scale := e.Where(large, e.Number(0.5, x), e.Number(1, x))
	size := e.Call(name, e.Call("hypot", e.Mul(x, scale), e.Mul(y, scale)))
	return e.Add(size, e.Keep(large, e.Call(name, e.Number(2, x))))
}

// realFunctions are functions of complex numbers with real results.
var realFunctions map[string]func(e Emit, x, y Value) Value

func init() {
	realFunctions = map[string]func(e Emit, x, y Value) Value{
		"abs":      func(e Emit, x, y Value) Value { return e.Call("hypot", x, y) },
		"absolute": func(e Emit, x, y Value) Value { return e.Call("hypot", x, y) },
		"angle":    func(e Emit, x, y Value) Value { return e.Call("atan2", y, x) },
		"isnan": func(e Emit, x, y Value) Value {
			return e.Or(e.Call("isnan", x), e.Call("isnan", y))
		},
	}
}

// complexProducts are linear in each of their two operands.
var complexProducts = setOf("bmm", "dot", "mm", "mv")

// expandComplexFunction expands a call of one of the functions above, or of a product.
func expandComplexFunction(e Emit, c *Call) []Value {
	name := c.Op.Functional().Name()
	x, y := e.part(c.Tensor(0), 0), e.part(c.Tensor(0), 1)
	if f := realFunctions[name]; f != nil {
		return []Value{f(e, x, y)}
	}
	if f := complexFunctions[name]; f != nil {
		return []Value{e.complex(f(e, x, y))}
	}
	u, v := e.part(c.Tensor(1), 0), e.part(c.Tensor(1), 1)
	re := e.Sub(e.Call(name, x, u), e.Call(name, y, v))
	return []Value{e.complex(re, e.Add(e.Call(name, x, v), e.Call(name, y, u)))}
}

// inferMagnitude gives a complex operand a result of the type of its parts.
func inferMagnitude(infer func(c *Call) error) func(c *Call) error {
	return func(c *Call) error {
		if d := c.DTypeOf(0); d.IsComplex() {
			return c.Result(realOf(d), c.Shape(0))
		}
		return infer(c)
	}
}

// conjugated calls the gradient of a function that is analytic: of complex numbers it is
// the cotangent times the conjugate of the derivative.
func (g *Gradient) conjugated(f func(g *Gradient, dy, x, y Value) Value, dy, x, y Value) Value {
	return g.Conj(f(g, g.Conj(dy), x, y))
}

// complex makes complex numbers of their parts; polar, of magnitude and angle.
func init() {
	composite("complex(Tensor real, Tensor imag) -> Tensor", func(e Emit, c *Call) []Value {
		c.mustBeParts()
		parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
		return []Value{e.complex(parts[0], parts[1])}
	}, Sample{S(3), S(2, 3)})
	composite("polar(Tensor abs, Tensor angle) -> Tensor", func(e Emit, c *Call) []Value {
		c.mustBeParts()
		parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
		r, angle := parts[0], parts[1]
		return []Value{e.complex(e.Mul(r, e.Call("cos", angle)), e.Mul(r, e.Call("sin", angle)))}
	}, Sample{SIn(0.1, 2, 3), S(2, 3)})
}

// mustBeParts refuses operands that are not the parts of complex numbers of one type.
func (c *Call) mustBeParts() {
	re, im := c.DTypeOf(0), c.DTypeOf(1)
	if re != im || re != dtype.F32 && re != dtype.F64 {
		panic(c.DTypeErrorf("takes two tensors of f32, or two of f64, got %v and %v: convert them first; there is no complex type of half precision", re, im))
	}
}
