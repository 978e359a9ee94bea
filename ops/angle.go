package ops

import "math"

// angle: of a real number, 0 or π; NaN stays.
func init() {
	register(&Op{
		Schema: "angle(Tensor self) -> Tensor",
		Infer:  inferFloat,
		Lower: lower1(func(s *Scalars, x Elem) Elem {
			zero := s.Const(x.D, 0)
			y := s.Select(s.Cmp("lt", x, zero), s.Const(x.D, math.Pi), zero)
			return s.Select(s.IsNaN(x), x, y)
		}),
		Grad:    gradient1(nil),
		Samples: samplesOf(Sample{S(3, 4)}),
	})
}
