package ops

// copysign: the magnitude of self with the sign of other.
func init() {
	for _, overload := range []string{"Tensor", "Scalar"} {
		other := any(-1.0)
		if overload == "Tensor" {
			other = S(3)
		}
		register(&Op{
			Schema:  "copysign." + overload + "(Tensor self, " + overload + " other) -> Tensor",
			Inplace: true,
			Infer:   inferBinaryFloat,
			Lower:   lower2Float(func(s *Scalars, x, y Elem) Elem { return s.Math("copysign", x, y) }),
			Grad: gradient2(
				func(g *Gradient, dy, x, y Value) Value {
					return g.Mul(dy, g.Keep(g.Compare("ne", x, 0), g.Div(g.Out0(), x)))
				}, nil),
			Samples: samplesOf(Sample{S(2, 3), other}),
		})
	}
}
