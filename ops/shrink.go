package ops

// hardshrink and softshrink: 0 within ±lambd; outside, x itself or moved by lambd
// towards 0.
func init() {
	for _, o := range []struct {
		name string
		move bool
	}{{"hardshrink", false}, {"softshrink", true}} {
		register(&Op{
			Schema: o.name + "(Tensor self, Scalar lambd=0.5) -> Tensor",
			Infer: func(c *Call) error {
				if o.move && c.Float(1) < 0 {
					return c.ArgErrorf("lambd must not be negative, but is %v", c.Float(1))
				}
				return inferSame(c)
			},
			Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
				lambd := s.Of(x.D, c.Scalar(1))
				if !o.move { // PyTorch compares with a number of self's type
					lambd = s.Cast(s.Cast(lambd, c.DTypeOf(0)), x.D)
				}
				above, below := s.Cmp("gt", x, lambd), s.Cmp("lt", x, s.Neg(lambd))
				if o.move {
					inside := s.Select(s.IsNaN(x), x, s.Const(x.D, 0))
					low := s.Select(below, s.Add(x, lambd), inside)
					return s.Select(above, s.Sub(x, lambd), low)
				}
				inside := s.And(s.Cmp("ge", x, s.Neg(lambd)), s.Cmp("le", x, lambd))
				return s.Select(inside, s.Const(x.D, 0), x)
			}),
			Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
				lambd := g.Float(1)
				inside := g.And(g.Compare("ge", x, -lambd), g.Compare("le", x, lambd))
				return g.Where(inside, g.Number(0, dy), dy)
			}),
			Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), 1}),
		})
	}
}
