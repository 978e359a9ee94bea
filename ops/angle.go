package ops

import "math"

// angle: of a real number, 0 or π; NaN stays. Of a complex one, see complexfunctions.go.
func init() {
	register(&Op{
		Schema: "angle(Tensor self) -> Tensor",
		Infer:  inferMagnitude(inferFloat),
		Lower: lower1(func(s *Scalars, x Elem) Elem {
			zero := s.Const(x.D, 0)
			y := s.Select(s.Cmp("lt", x, zero), s.Const(x.D, math.Pi), zero)
			return s.Select(s.IsNaN(x), x, y)
		}),
		Grad: func(g *Gradient) {
			if !g.DTypeOf(0).IsComplex() {
				g.Set(0, g.Zeros(g.Type(0)))
				return
			}
			x, y := g.part(g.Tensor(0), 0), g.part(g.Tensor(0), 1)
			share := g.overSquares(g.Grad(0), x, y)
			g.Set(0, g.Emit.complex(g.Neg(g.Mul(share, y)), g.Mul(share, x)))
		},
		Samples: samplesOf(Sample{S(3, 4)}),
	})
}
