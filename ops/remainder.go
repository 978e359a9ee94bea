package ops

// remainder has the sign of the divisor, fmod the sign of the dividend.
func init() {
	for _, o := range []struct {
		name string
		f    func(s *Scalars, x, y Elem) Elem
		mode string // how the quotient is rounded
	}{
		{"remainder", remainder, "floor"},
		{"fmod", (*Scalars).Rem, "trunc"},
	} {
		grad := gradient2(
			func(g *Gradient, dy, x, y Value) Value { return dy },
			func(g *Gradient, dy, x, y Value) Value {
				return g.Neg(g.Mul(dy, g.Call("div.Tensor_mode", x, y, o.mode)))
			})
		for _, overload := range []string{"Tensor", "Scalar"} {
			lower := lowerQuotient(numbersOfType(func(s *Scalars, c *Call, x []Elem) Elem { return o.f(s, x[0], x[1]) }))
			other := any(1.5)
			if overload == "Tensor" {
				other = SIn(1, 2, 3)
			}
			register(&Op{
				Schema:  o.name + "." + overload + "(Tensor self, " + overload + " other) -> Tensor",
				Inplace: true,
				Infer:   inferRoundedQuotient,
				Lower:   lower,
				Grad:    grad,
				Samples: samplesOf(Sample{S(2, 3), other}),
			})
		}
	}
	register(&Op{
		Schema:  "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
		Infer:   notBool(inferBinary),
		Lower:   lowerQuotient(numbersOfType(func(s *Scalars, c *Call, x []Elem) Elem { return remainder(s, x[0], x[1]) })),
		Samples: samplesOf(Sample{7, SIn(1, 2, 3)}),
	})
}

func remainder(s *Scalars, x, y Elem) Elem {
	mod := s.Rem(x, y)
	if !x.D.IsSigned() {
		return mod
	}
	return s.Select(wrongSign(s, mod, y), s.Add(mod, y), mod)
}
