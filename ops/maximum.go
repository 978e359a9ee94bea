package ops

// The greater and the lesser of two tensors. maximum and minimum propagate NaN;
// fmax and fmin prefer a number.
func init() {
	for _, o := range []struct {
		names []string
		f     func(s *Scalars, x, y Elem) Elem
		wins  string // the relation in which self stands to other where self is the result
		num   bool
	}{
		{[]string{"maximum", "max.other"}, (*Scalars).Max, "gt", false},
		{[]string{"minimum", "min.other"}, (*Scalars).Min, "lt", false},
		{[]string{"fmax"}, (*Scalars).MaxNum, "ge", true},
		{[]string{"fmin"}, (*Scalars).MinNum, "le", true},
	} {
		for _, name := range o.names {
			op := &Op{
				Schema:  name + "(Tensor self, Tensor other) -> Tensor",
				Infer:   inferBinary,
				Lower:   lower2(o.f),
				Grad:    shareBetween(o.wins),
				Samples: samplesOf(Sample{S(2, 3), S(3)}),
			}
			if o.num {
				op.Grad = selfOrOther(o.wins)
			}
			register(op)
		}
	}
}

// shareBetween gives the gradient to the operand that is the result, half to each
// of two equal ones.
func shareBetween(wins string) func(g *Gradient) {
	side := func(g *Gradient, dy, x, y Value) Value {
		equal := g.Where(g.Compare("eq", x, y), g.Mul(dy, 0.5), g.Number(0, dy))
		return g.Where(g.Compare(wins, x, y), dy, equal)
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
