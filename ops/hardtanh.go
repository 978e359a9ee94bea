package ops

// Piecewise linear activations.
func init() {
	register(&Op{
		Schema:  "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			return s.Min(s.Max(x, s.Of(x.D, c.Scalar(1))), s.Of(x.D, c.Scalar(2)))
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return unlessClipped(g, dy, x, g.Scalar(1), g.Scalar(2))
		}),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), -0.5, 1.5}),
	})
	registerFunctions(inferSame,
		function{"relu6", func(s *Scalars, x Elem) Elem { return clampTo(s, x, 0, 6) },
			func(g *Gradient, dy, x, y Value) Value { return unlessClipped(g, dy, x, 0, 6) }, -2, 8},
	)
	registerFunctions(floating(inferSame),
		function{"hardsigmoid", func(s *Scalars, x Elem) Elem { return hardGate(s, x) },
			func(g *Gradient, dy, x, y Value) Value {
				inside := g.And(g.Compare("gt", x, -3), g.Compare("lt", x, 3))
				return g.Keep(inside, g.Div(dy, 6))
			}, -4, 4},
		function{"hardswish", func(s *Scalars, x Elem) Elem { return s.Mul(x, hardGate(s, x)) },
			func(g *Gradient, dy, x, y Value) Value {
				middle := g.Mul(dy, g.Add(g.Div(x, 3), 0.5))
				kept := g.Where(g.Compare("lt", x, 3), middle, dy) // NaN keeps dy
				return g.Where(g.Compare("le", x, -3), g.Number(0, dy), kept)
			}, -4, 4},
	)
	register(&Op{
		Schema:  "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			return s.Select(s.Cmp("gt", x, s.Const(x.D, 0)), x, s.Mul(x, s.Of(x.D, c.Scalar(1))))
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return g.Where(g.Compare("gt", x, 0), dy, g.Mul(dy, g.Scalar(1)))
		}),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), 0.5}),
	})
	register(&Op{
		Schema:  "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			return s.Select(s.Cmp("le", x, s.Of(x.D, c.Scalar(1))), s.Of(x.D, c.Scalar(2)), x)
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return g.Where(g.Compare("le", x, g.Scalar(1)), g.Number(0, dy), dy)
		}),
		Samples: samplesOf(Sample{S(3, 4), 0.5, -1}),
	})
}

// unlessClipped is dy, but 0 where x is at a bound or beyond it; NaN is not.
func unlessClipped(g *Gradient, dy, x Value, low, high any) Value {
	clipped := g.Or(g.Compare("le", x, low), g.Compare("ge", x, high))
	return g.Where(clipped, g.Number(0, dy), dy)
}

func clampTo(s *Scalars, x Elem, low, high float64) Elem {
	return s.Min(s.Max(x, s.Const(x.D, low)), s.Const(x.D, high))
}

// hardGate is min(max(x + 3, 0), 6)/6.
func hardGate(s *Scalars, x Elem) Elem {
	return s.Div(clampTo(s, s.Add(x, s.Const(x.D, 3)), 0, 6), s.Const(x.D, 6))
}
