package ops

// lerp: self + weight·(end - self), computed from the nearer end.
func init() {
	for _, weight := range []string{"Scalar", "Tensor"} {
		sample := Sample{S(2, 3), S(3), 0.25}
		if weight == "Tensor" {
			sample[2] = SIn(0, 1, 3)
		}
		register(&Op{
			Schema:  "lerp." + weight + "(Tensor self, Tensor end, " + weight + " weight) -> Tensor",
			Inplace: true,
			Infer: func(c *Call) error {
				dims, err := c.BroadcastShape(0, 1, 2)
				if err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), dims)
			},
			Lower:   lowerFirst(3, nil, lerp),
			Grad:    lerpGradient,
			Samples: samplesOf(sample),
		})
	}
}

func lerp(s *Scalars, c *Call, x []Elem) Elem {
	self, end, w := x[0], x[1], x[2]
	d := s.Sub(end, self)
	near := s.Add(self, s.Mul(w, d))
	far := s.Sub(end, s.Mul(d, s.Sub(s.Const(w.D, 1), w)))
	return s.Select(s.Cmp("lt", w, s.Const(w.D, 0.5)), near, far)
}

func lerpGradient(g *Gradient) {
	dy, w := g.Grad(0), g.operand(2)
	g.Set(0, g.Mul(dy, g.OneMinus(w)))
	g.Set(1, g.Mul(dy, w))
	if g.Needs(2) {
		g.Set(2, g.Mul(dy, g.Sub(g.Tensor(1), g.Tensor(0))))
	}
}
