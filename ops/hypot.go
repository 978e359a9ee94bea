package ops

import "math"

// hypot: √(self² + other²) without overflow.
func init() {
	register(&Op{
		Schema:  "hypot(Tensor self, Tensor other) -> Tensor",
		Inplace: true,
		Infer:   floating(inferBinary),
		Lower:   lower2(hypot),
		Grad: gradient2(
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Div(x, g.Out0())) },
			func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Div(y, g.Out0())) }),
		Samples: samplesOf(Sample{S(2, 3), S(3)}),
	})
}

func hypot(s *Scalars, x, y Elem) Elem {
	x, y = s.Abs(x), s.Abs(y)
	big, small := s.Max(x, y), s.Min(x, y)
	ratio := s.Div(small, big)
	one := s.Const(x.D, 1)
	root := s.Mul(big, s.Math("sqrt", s.Add(one, s.Mul(ratio, ratio))))
	// The ratio is NaN if both are 0, which gives 0, and if both are infinite. One infinite operand gives infinity,
	// even beside NaN.
	root = s.Select(s.Cmp("eq", big, s.Const(x.D, 0)), big, root)
	infinite := s.Or(s.isInf("eq", x, 1), s.isInf("eq", y, 1))
	return s.Select(infinite, s.Const(x.D, math.Inf(1)), root)
}
