package ops

// Hyperbolic functions and their inverses.
func init() {
	registerFunctions(inferFloat,
		function{"sinh", mathOf("sinh"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Call("cosh", x)) }, -2, 2},
		function{"cosh", mathOf("cosh"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Call("sinh", x)) }, -2, 2},
		function{"tanh", mathOf("tanh"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.OneMinus(g.Square(y))) }, -4, 4},
		function{"asinh", mathOf("asinh"),
			func(g *Gradient, dy, x, y Value) Value {
				return g.Mul(dy, g.Call("rsqrt", g.Add(g.Square(x), 1)))
			}, -4, 4},
		function{"acosh", mathOf("acosh"),
			func(g *Gradient, dy, x, y Value) Value {
				if x.Type().DType.IsComplex() { // the root of z² - 1 has the other sign on the left; z + 1 would lose the sign of -0i
					return g.Mul(dy, g.Mul(g.Call("rsqrt", g.Sub(x, 1)), g.Call("rsqrt", g.Sub(x, -1))))
				}
				return g.Mul(dy, g.Call("rsqrt", g.Sub(g.Square(x), 1)))
			}, 1.1, 4},
		function{"atanh", mathOf("atanh"),
			func(g *Gradient, dy, x, y Value) Value {
				return g.Div(dy, g.OneMinus(g.Square(x)))
			}, -0.9, 0.9},
	)
}
