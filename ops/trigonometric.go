package ops

import "math"

// Trigonometric functions, their inverses, and conversions of angles.
func init() {
	registerFunctions(inferFloat,
		function{"sin", mathOf("sin"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Call("cos", x)) }, -4, 4},
		function{"cos", mathOf("cos"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Neg(g.Call("sin", x))) }, -4, 4},
		function{"tan", mathOf("tan"),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Add(g.Square(y), 1)) }, -1, 1},
		function{"asin", mathOf("asin"),
			func(g *Gradient, dy, x, y Value) Value {
				return g.Mul(dy, g.Call("rsqrt", g.OneMinus(g.Square(x))))
			}, -0.9, 0.9},
		function{"acos", mathOf("acos"),
			func(g *Gradient, dy, x, y Value) Value {
				return g.Neg(g.Mul(dy, g.Call("rsqrt", g.OneMinus(g.Square(x)))))
			}, -0.9, 0.9},
		function{"atan", mathOf("atan"),
			func(g *Gradient, dy, x, y Value) Value { return g.Div(dy, g.Add(g.Square(x), 1)) }, -4, 4},
		function{"deg2rad", scaledBy(math.Pi / 180),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, math.Pi/180) }, -360, 360},
		function{"rad2deg", scaledBy(180 / math.Pi),
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, 180/math.Pi) }, -4, 4},
		function{"sinc", sinc, sincGradient, -3, 3},
	)
	register(&Op{
		Schema:  "atan2(Tensor self, Tensor other) -> Tensor",
		Inplace: true,
		Infer:   inferBinaryFloat,
		Lower:   lower2Float(func(s *Scalars, x, y Elem) Elem { return s.Math("atan2", x, y) }),
		Grad: gradient2(
			func(g *Gradient, dy, y, x Value) Value { return g.Mul(g.overSquares(dy, x, y), x) },
			func(g *Gradient, dy, y, x Value) Value { return g.Mul(g.overSquares(dy, x, y), g.Neg(y)) }),
		Samples: samplesOf(Sample{S(2, 3), S(3)}),
	})
}

// overSquares is v/(x² + y²), which the gradient of an angle has as a factor; 0 at 0, where there is no angle and the
// gradient of the factor is NaN.
func (g *Gradient) overSquares(v, x, y Value) Value {
	squares := g.Add(g.Square(x), g.Square(y))
	return g.Mul(v, g.nonzero(squares, g.Div(g.Number(1, squares), squares)))
}

func scaledBy(k float64) func(s *Scalars, x Elem) Elem {
	return func(s *Scalars, x Elem) Elem { return s.Mul(x, s.Const(x.D, k)) }
}

// sinc is sin(πx)/(πx), and 1 at 0.
func sinc(s *Scalars, x Elem) Elem {
	px := s.Mul(x, s.Const(x.D, math.Pi))
	return s.Select(s.Cmp("eq", x, s.Const(x.D, 0)), s.Const(x.D, 1), s.Div(s.Math("sin", px), px))
}

func sincGradient(g *Gradient, dy, x, y Value) Value {
	px := g.Mul(x, math.Pi)
	d := g.Div(g.Sub(g.Mul(g.Call("cos", px), px), g.Call("sin", px)), g.Mul(px, x))
	return g.Keep(g.Compare("ne", x, 0), g.Mul(dy, d))
}
