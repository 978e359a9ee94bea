package ops

// The greater and the lesser of two tensors. maximum and minimum propagate NaN;
// fmax and fmin prefer a number.
func init() {
	for _, o := range []struct {
		names []string
		f     func(s *Scalars, x, y Elem) Elem
		grad  func(g *Gradient)
	}{
		{[]string{"maximum", "max.other"}, (*Scalars).Max, shareBetween("lt")},
		{[]string{"minimum", "min.other"}, (*Scalars).Min, shareBetween("gt")},
		{[]string{"fmax"}, (*Scalars).MaxNum, selfOrOther("ge")},
		{[]string{"fmin"}, (*Scalars).MinNum, selfOrOther("le")},
	} {
		for _, name := range o.names {
			register(&Op{
				Schema:  name + "(Tensor self, Tensor other) -> Tensor",
				Infer:   inferBinary,
				Lower:   lower2(o.f),
				Grad:    o.grad,
				Samples: samplesOf(Sample{S(2, 3), S(3)}),
			})
		}
	}
}

// shareBetween gives the gradient to the operand that does not lose, half to each of
// two equal ones. NaN neither wins nor loses: both operands get all of it.
func shareBetween(loses string) func(g *Gradient) {
	side := func(g *Gradient, dy, x, y Value) Value {
		shared := g.Where(g.Compare("eq", x, y), g.Mul(dy, 0.5), dy)
		return g.Where(g.Compare(loses, x, y), g.Number(0, dy), shared)
	}
	return gradient2(side, func(g *Gradient, dy, x, y Value) Value { return side(g, dy, y, x) })
}

// selfOrOther gives the whole gradient to self where it wins or other is NaN, and
// to other elsewhere.
func selfOrOther(wins string) func(g *Gradient) {
	self := func(g *Gradient, x, y Value) Value {
		return g.Or(g.Compare(wins, x, y), g.Call("isnan", y))
	}
	return gradient2(
		func(g *Gradient, dy, x, y Value) Value { return g.Keep(self(g, x, y), dy) },
		func(g *Gradient, dy, x, y Value) Value {
			return g.Keep(g.Call("logical_not", self(g, x, y)), dy)
		})
}
