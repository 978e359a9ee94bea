package ops

// softplus: log(1 + exp(beta·x))/beta, and x itself where beta·x > threshold.
func init() {
	register(&Op{
		Schema: "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
		Infer:  floating(inferSame),
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			beta := s.Of(x.D, c.Scalar(1))
			bx := s.Mul(x, beta)
			soft := s.Div(s.Math("log1p", s.Exp(bx)), beta)
			return s.Select(s.Cmp("gt", bx, s.Of(x.D, c.Scalar(2))), x, soft)
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			bx := g.Mul(x, g.Scalar(1))
			soft := g.Call("sigmoid", g.Call("clamp_max", bx, g.Scalar(2))) // at the threshold constant, as PyTorch has it
			return g.Where(g.Compare("gt", bx, g.Scalar(2)), dy, g.Mul(dy, soft))
		}),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), 2, 1}),
	})
}
