package ops

// mul: self × other.
func init() {
	for _, overload := range []string{"Tensor", "Scalar"} {
		register(&Op{
			Schema:  "mul." + overload + "(Tensor self, " + overload + " other) -> Tensor",
			Inplace: true,
			Infer:   inferBinary,
			Lower:   lower2((*Scalars).Mul),
			Grad: func(g *Gradient) {
				if g.Tensor(1) == nil {
					g.Set(0, g.Mul(g.Grad(0), g.conjugate(1)))
					return
				}
				if g.Needs(0) {
					g.Set(0, g.Mul(g.Grad(0), g.Conj(g.Tensor(1))))
				}
				if g.Needs(1) {
					g.Set(1, g.Mul(g.Grad(0), g.Conj(g.Tensor(0))))
				}
			},
			Samples: binarySamples(overload),
		})
	}
}
