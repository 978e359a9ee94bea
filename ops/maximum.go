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
		{[]string{"fmax"}, (*Scalars).MaxNum, shareBetween("lt")},
		{[]string{"fmin"}, (*Scalars).MinNum, shareBetween("gt")},
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
	return gradient2(func(g *Gradient, dy, x, y Value) Value { return g.shareUnless(loses, dy, x, y) },
		func(g *Gradient, dy, x, y Value) Value { return g.shareUnless(loses, dy, y, x) })
}

// shareUnless is the gradient of x: nothing where it is in a relation to y, half where both are equal, and else all.
func (g *Gradient) shareUnless(loses string, dy, x, y Value) Value {
	shared := g.Where(g.Compare("eq", x, y), g.Mul(dy, 0.5), dy)
	return g.Where(g.Compare(loses, x, y), g.Number(0, dy), shared)
}
