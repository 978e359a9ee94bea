package ops

// relu: max(x, 0), NaN kept.
func init() {
	register(&Op{
		Schema:  "relu(Tensor self) -> Tensor",
		Inplace: true,
		Infer:   inferSame,
		Lower:   lower1(func(s *Scalars, x Elem) Elem { return s.Max(x, s.Const(x.D, 0)) }),
		Grad: func(g *Gradient) {
			g.Set(0, g.Where(g.Compare("le", g.Out0(), 0), g.Zeros(g.Out[0]), g.Grad(0)))
		},
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S()}),
	})
}
