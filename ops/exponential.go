package ops

import "math"

// Exponentials and logarithms.
func init() {
	registerFunctions(inferFloat,
		function{"exp", (*Scalars).Exp,
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, y) }, -2, 2},
		function{"exp2", mathOf("exp2"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(g.Mul(dy, y), math.Ln2) }, -2, 2},
		function{"expm1", mathOf("expm1"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Add(y, 1)) }, -2, 2},
		function{"log", (*Scalars).Log,
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, x) }, 0.1, 4},
		function{"log2", mathOf("log2"),
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, g.Mul(x, math.Ln2)) }, 0.1, 4},
		function{"log10", mathOf("log10"),
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, g.Mul(x, math.Ln10)) }, 0.1, 4},
		function{"log1p", mathOf("log1p"),
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, g.Add(x, 1)) }, -0.9, 4},
	)
}

// mathOf returns the function math.<name>.
func mathOf(name string) func(s *Scalars, x Elem) Elem {
	return func(s *Scalars, x Elem) Elem { return s.Math(name, x) }
}
