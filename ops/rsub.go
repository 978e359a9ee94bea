package ops

// rsub: other - alpha·self.
func init() {
	for _, overload := range []string{"Tensor", "Scalar"} {
		other := overload + " other"
		if overload == "Tensor" {
			other += ", *"
		}
		register(&Op{
			Schema: "rsub." + overload + "(Tensor self, " + other + ", Scalar alpha=1) -> Tensor",
			Infer:  inferDifference,
			Lower: lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem {
				return s.Sub(x[1], scaled(s, x[0], c.Scalar(2)))
			}),
			Grad: gradient2(
				func(g *Gradient, dy, x, y Value) Value { return g.Mul(g.Neg(dy), g.Scalar(2)) },
				func(g *Gradient, dy, x, y Value) Value { return dy },
			),
			Samples: samplesOf(Sample{S(2, 3), map[string]any{"Tensor": S(3), "Scalar": 2.5}[overload]}),
		})
	}
}
