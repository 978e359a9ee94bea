package ops

// heaviside: 0 for negative numbers and NaN, 1 for positive ones, values at 0.
func init() {
	register(&Op{
		Schema:  "heaviside(Tensor self, Tensor values) -> Tensor",
		Inplace: true,
		Infer:   inferBinary,
		Lower: lower2(func(s *Scalars, x, y Elem) Elem {
			zero := s.Const(x.D, 0)
			return s.Select(s.Cmp("eq", x, zero), y, s.Cast(s.Cmp("gt", x, zero), x.D))
		}),
		Samples: samplesOf(Sample{S(2, 3), S(3)}),
	})
}
