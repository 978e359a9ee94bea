package ops

// xlogy: x·log(y), and xlog1py: x·log(1 + y). Both are 0 where x is 0 and y is
// not NaN.
func init() {
	for _, o := range []struct {
		name  string
		log   string
		shift float64 // the logarithm is taken of y + shift
	}{
		{"xlogy", "log", 0},
		{"special_xlogy", "log", 0},
		{"special_xlog1py", "log1p", 1},
	} {
		infix := ".Tensor"
		scalars := []string{".Scalar_Self", ".Scalar_Other"}
		if o.name != "xlogy" {
			infix, scalars = "", []string{".self_scalar", ".other_scalar"}
		}
		for i, schema := range []string{
			o.name + infix + "(Tensor self, Tensor other) -> Tensor",
			o.name + scalars[0] + "(Scalar self, Tensor other) -> Tensor",
			o.name + scalars[1] + "(Tensor self, Scalar other) -> Tensor",
		} {
			op := &Op{
				Schema:  schema,
				Inplace: i != 1 && o.name == "xlogy",
				Infer:   inferBinaryFloat,
				Lower: lower2Float(func(s *Scalars, x, y Elem) Elem {
					zero := s.Const(x.D, 0)
					v := s.Select(s.Cmp("eq", x, zero), zero, s.Mul(x, s.Math(o.log, y)))
					return s.Select(s.IsNaN(y), y, v)
				}),
				Grad: gradient2(
					func(g *Gradient, dy, x, y Value) Value {
						none := g.And(g.Compare("eq", x, 0), g.Compare("le", y, -o.shift))
						none = g.Or(none, g.Compare("eq", dy, 0)) // where log y may be infinite
						return g.Where(none, g.Number(0, dy), g.Mul(dy, g.Call(o.log, y)))
					},
					func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Div(x, g.Add(y, o.shift))) }),
			}
			sample := []Sample{{SIn(0, 2, 3), SIn(0, 2, 3)}, {2, SIn(0, 2, 3)}, {SIn(0, 2, 3), 2}}[i]
			op.Samples = samplesOf(sample)
			register(op)
		}
	}
}
