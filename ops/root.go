package ops

import "github.com/go-acap/acap/base/dtype"

// Roots, squares and reciprocals.
func init() {
	registerFunctions(inferFloat,
		function{"sqrt", mathOf("sqrt"),
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, g.Mul(y, 2)) }, 0.1, 4},
		function{"rsqrt", mathOf("rsqrt"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Mul(g.Mul(y, g.Square(y)), -0.5)) }, 0.1, 4},
		function{"reciprocal", reciprocal,
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Neg(g.Square(y))) }, 0.1, 4},
	)
	registerFunctions(inferSquare,
		function{"square", func(s *Scalars, x Elem) Elem { return s.Mul(x, x) },
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Mul(x, 2)) }, -2, 2},
	)
}

func reciprocal(s *Scalars, x Elem) Elem { return s.Div(s.Const(x.D, 1), x) }

// inferSquare is inferSame with bool promoted as by a power of 2.
func inferSquare(c *Call) error {
	if c.DTypeOf(0) == dtype.Bool {
		return c.Result(dtype.I64, c.Shape(0))
	}
	return inferSame(c)
}
