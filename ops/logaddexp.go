package ops

import "math"

// logaddexp: log(eˣ + eʸ), and logaddexp2: log₂(2ˣ + 2ʸ), without overflow.
func init() {
	for _, o := range []struct {
		name, exp string
		unit      float64 // log1p in units of the base
	}{
		{"logaddexp", "exp", 1},
		{"logaddexp2", "exp2", 1 / math.Ln2},
	} {
		weight := func(g *Gradient, dy, x, y Value) Value {
			return g.Div(dy, g.Add(g.Call(o.exp, g.Sub(y, x)), 1))
		}
		register(&Op{
			Schema: o.name + "(Tensor self, Tensor other) -> Tensor",
			Infer:  floating(inferBinary),
			Lower: lower2(func(s *Scalars, x, y Elem) Elem {
				tail := s.Math("log1p", s.Math(o.exp, s.Neg(s.Abs(s.Sub(x, y)))))
				sum := s.Add(s.Max(x, y), s.Mul(tail, s.Const(x.D, o.unit)))
				same := s.And(s.Cmp("eq", x, y), s.isInf("eq", s.Abs(x), 1))
				return s.Select(same, x, sum)
			}),
			Grad: gradient2(weight,
				func(g *Gradient, dy, x, y Value) Value { return weight(g, dy, y, x) }),
			Samples: samplesOf(Sample{S(2, 3), S(3)}),
		})
	}
}
