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
			return e.turned(r, r, x, y)
		},
		"log": func(e Emit, x, y Value) (re, im Value) {
			return e.Call("log", e.Call("hypot", x, y)), e.Call("atan2", y, x)
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
			zero := e.Number(0, re)
			far := e.Compare("eq", e.Call("abs", t), 1)
			far = e.And(far, e.Or(e.Call("isinf", x), e.Compare("lt", e.Call("abs", y), math.Inf(1))))
			return e.Where(e.Or(far, e.Compare("eq", t, 0)), t, re), e.Where(far, zero, im)
		},
	}
}

func complexSinh(e Emit, x, y Value) (re, im Value) {
	return e.turned(e.Call("sinh", x), e.Call("cosh", x), x, y)
}

func complexCosh(e Emit, x, y Value) (re, im Value) {
	return e.turned(e.Call("cosh", x), e.Call("sinh", x), x, y)
}

// turned is r·cos y + i·s·sin y for functions r and s of x. As in C, a factor of 0 times an infinite factor is 0. Where
// y is infinite and so has no direction, an exact 0 stays 0, and an exact infinity stays infinite in some direction.
func (e Emit) turned(r, s, x, y Value) (re, im Value) {
	nowhere, far := e.Call("isinf", y), e.Call("isinf", x)
	exact := e.And(nowhere, e.Or(far, e.Compare("eq", x, 0)))
	product := func(r Value, function string) Value {
		t := e.Call(function, y)
		none := e.Or(e.Compare("eq", t, 0), e.And(exact, e.Compare("eq", r, 0)))
		return e.Where(none, e.Number(0, r), e.Mul(r, t))
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
// u = √((|z| + |x|)/2) it is u + iy/2u for x ≥ 0, else |y|/2u ± iu. It is infinite where y is.
func complexRoot(e Emit, x, y Value) (re, im Value) {
	u := e.Call("sqrt", e.Mul(e.Add(e.Call("hypot", x, y), e.Call("abs", x)), 0.5))
	v := e.Keep(e.Compare("ne", u, 0), e.Div(y, e.Mul(u, 2)))
	right, infinite := e.Compare("ge", x, 0), e.Call("isinf", y)
	re, im = e.Where(right, u, e.Call("abs", v)), e.Where(right, v, e.Call("copysign.Tensor", u, y))
	return e.Where(infinite, e.Call("abs", y), re), e.Where(infinite, y, im)
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
