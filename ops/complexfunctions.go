package ops

// complexFunctions are functions of x + iy by their real and imaginary parts. They refer to
// the tables themselves, by calls, and are made at start-up.
var complexFunctions map[string]func(e Emit, x, y Value) (re, im Value)

func init() {
	complexFunctions = map[string]func(e Emit, x, y Value) (re, im Value){
		"exp": func(e Emit, x, y Value) (re, im Value) {
			r := e.Call("exp", x)
			return e.Mul(r, e.Call("cos", y)), e.Mul(r, e.Call("sin", y))
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
		"sin": func(e Emit, x, y Value) (re, im Value) {
			return e.Mul(e.Call("sin", x), e.Call("cosh", y)), e.Mul(e.Call("cos", x), e.Call("sinh", y))
		},
		"cos": func(e Emit, x, y Value) (re, im Value) {
			return e.Mul(e.Call("cos", x), e.Call("cosh", y)), e.Neg(e.Mul(e.Call("sin", x), e.Call("sinh", y)))
		},
		"sinh": func(e Emit, x, y Value) (re, im Value) {
			return e.Mul(e.Call("sinh", x), e.Call("cos", y)), e.Mul(e.Call("cosh", x), e.Call("sin", y))
		},
		"cosh": func(e Emit, x, y Value) (re, im Value) {
			return e.Mul(e.Call("cosh", x), e.Call("cos", y)), e.Mul(e.Call("sinh", x), e.Call("sin", y))
		},
		// tanh z = (t·sec² y + i·tan y·sech² x)/(1 + t²·tan² y) with t = tanh x, which does
		// not overflow.
		"tanh": func(e Emit, x, y Value) (re, im Value) {
			t, u := e.Call("tanh", x), e.Call("tan", y)
			d := e.Add(e.Square(e.Mul(t, u)), 1)
			return e.Div(e.Mul(t, e.Add(e.Square(u), 1)), d), e.Div(e.Mul(u, e.OneMinus(e.Square(t))), d)
		},
	}
}

func complexReciprocal(e Emit, x, y Value) (re, im Value) {
	d := e.Add(e.Square(x), e.Square(y))
	return e.Div(x, d), e.Neg(e.Div(y, d))
}

// complexRoot is the root with a real part that is not negative: with
// u = √((|z| + |x|)/2) it is u + iy/2u for x ≥ 0, else |y|/2u ± iu.
func complexRoot(e Emit, x, y Value) (re, im Value) {
	u := e.Call("sqrt", e.Mul(e.Add(e.Call("hypot", x, y), e.Call("abs", x)), 0.5))
	v := e.Keep(e.Compare("ne", u, 0), e.Div(y, e.Mul(u, 2)))
	right := e.Compare("ge", x, 0)
	return e.Where(right, u, e.Call("abs", v)), e.Where(right, v, e.Call("copysign.Tensor", u, y))
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
		parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
		return []Value{e.complex(parts[0], parts[1])}
	}, Sample{S(3), S(2, 3)})
	composite("polar(Tensor abs, Tensor angle) -> Tensor", func(e Emit, c *Call) []Value {
		parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
		r, angle := parts[0], parts[1]
		return []Value{e.complex(e.Mul(r, e.Call("cos", angle)), e.Mul(r, e.Call("sin", angle)))}
	}, Sample{SIn(0.1, 2, 3), S(2, 3)})
}
