package ops

import "math"

// Rounding. Integers stay as they are; the gradients are 0.
func init() {
	registerFunctions(inferSame,
		function{"floor", rounded("floor"), nil, -4, 4},
		function{"ceil", rounded("ceil"), nil, -4, 4},
		function{"trunc", rounded("trunc"), nil, -4, 4},
		function{"fix", rounded("trunc"), nil, -4, 4},
		function{"round", rounded("roundeven"), nil, -4, 4},
		function{"frac", func(s *Scalars, x Elem) Elem { return s.Sub(x, rounded("trunc")(s, x)) },
			func(g *Gradient, dy, x, y Value) Value { return dy }, -4, 4},
	)
	register(&Op{
		Schema:  "round.decimals(Tensor self, *, int decimals) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower:   lower1With(roundDecimals),
		Grad:    gradient1(nil),
		Samples: samplesOf(Sample{S(3, 4), 2}, Sample{SIn(-300, 300, 4), -1}),
	})
}

func rounded(name string) func(s *Scalars, x Elem) Elem {
	return func(s *Scalars, x Elem) Elem {
		if !x.D.IsFloat() {
			return x
		}
		return s.Math(name, x)
	}
}

func roundDecimals(s *Scalars, c *Call, x Elem) Elem {
	if !x.D.IsFloat() {
		return x
	}
	scale, down, up := c.Int(1), s.Div, s.Mul
	if scale < 0 {
		scale, down, up = -scale, s.Mul, s.Div
	}
	ten := s.Const(x.D, math.Pow10(scale))
	return down(s.Math("roundeven", up(x, ten)), ten)
}
