package ops

// clamp: min(max(self, min), max), NaN kept. Bounds are numbers or tensors. At a bound that is a number there is no
// gradient; at one that is a tensor, self and the bound have half of it each, as operands of a maximum have.
func init() {
	for _, name := range []string{"clamp", "clip"} {
		register(clampOp(name+"(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
			Sample{S(3, 4), -1, 1.5}, Sample{S(3), nil, 1}))
		register(clampOp(name+".Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
			Sample{S(3, 4), SIn(-1, 0, 4), SIn(0, 1, 4)}, Sample{S(3), S(3)}))
	}
	// clamp_min and clamp_max have one bound.
	for _, o := range []struct {
		name string
		f    func(s *Scalars, x, y Elem) Elem
		keep string // the relation of self to a number with which it has the gradient
		drop string // and the opposite
	}{
		{"clamp_min", (*Scalars).Max, "gt", "lt"},
		{"clamp_max", (*Scalars).Min, "lt", "gt"},
	} {
		bound := o.name[len("clamp_"):]
		for _, p := range []struct {
			overload, kind string
			sample         Sample
		}{{"", "Scalar", Sample{S(3, 4), 0.5}}, {".Tensor", "Tensor", Sample{S(3, 4), S(4)}}} {
			register(&Op{
				Schema:  o.name + p.overload + "(Tensor self, " + p.kind + " " + bound + ") -> Tensor",
				Inplace: true,
				Infer:   inferBinary,
				Lower:   lower2(o.f),
				Grad: gradient2(
					func(g *Gradient, dy, x, y Value) Value {
						if g.Tensor(1) == nil {
							return g.Keep(g.Compare(o.keep, x, y), dy)
						}
						return g.shareUnless(o.drop, dy, x, y)
					},
					func(g *Gradient, dy, x, y Value) Value { return g.shareUnless(o.keep, dy, x, y) }),
				Samples: samplesOf(p.sample),
			})
		}
	}
}

func clampOp(schema string, samples ...Sample) *Op {
	return &Op{
		Schema:  schema,
		Inplace: true,
		Infer:   inferClamp,
		Lower: lowerFirst(3, nil, func(s *Scalars, c *Call, x []Elem) Elem {
			y := x[0]
			if c.Has(1) {
				y = s.Max(y, x[1])
			}
			if c.Has(2) {
				y = s.Min(y, x[2])
			}
			return y
		}),
		Grad:    clampGradient,
		Samples: samplesOf(samples...),
	}
}

func inferClamp(c *Call) error {
	if !c.Has(1) && !c.Has(2) {
		return c.ArgErrorf("needs min or max")
	}
	return inferTernary(c)
}

func clampGradient(g *Gradient) {
	x, low, high := g.Tensor(0), g.operand(1), g.operand(2)
	if g.Tensor(1) == nil && g.Tensor(2) == nil {
		v := g.Grad(0)
		if low != nil {
			v = g.Keep(g.Compare("gt", x, low), v)
		}
		if high != nil {
			v = g.Keep(g.Compare("lt", x, high), v)
		}
		g.Set(0, v)
		return
	}
	switch {
	case high == nil:
		g.Set(0, g.shareUnless("lt", g.Grad(0), x, low))
		g.Set(1, g.shareUnless("gt", g.Grad(0), x, low))
	case low == nil:
		g.Set(0, g.shareUnless("gt", g.Grad(0), x, high))
		g.Set(2, g.shareUnless("lt", g.Grad(0), x, high))
	default:
		g.clampBetween(x, low, high)
	}
}

// clampBetween clamps between two bounds, at least one of them a tensor. Where they are equal, nothing is shared; where
// the upper one is below, it has all; where one is NaN, neither has anything.
func (g *Gradient) clampBetween(x, low, high Value) {
	dy := g.Grad(0)
	apart := g.Compare("lt", low, high)
	half := func(bound Value) Value { return g.And(apart, g.Compare("eq", x, bound)) }
	shared := g.Where(g.Or(half(low), half(high)), g.Mul(dy, 0.5), dy)
	outside := g.Or(g.Compare("lt", x, low), g.Compare("gt", x, high))
	g.Set(0, g.Where(outside, g.Number(0, dy), shared))
	ordered := g.Compare("le", low, high)
	if g.Needs(1) {
		under := g.And(ordered, g.Compare("lt", x, low))
		g.Set(1, g.Keep(g.Or(under, half(low)), shared))
	}
	if g.Needs(2) {
		over := g.Or(half(high), g.And(ordered, g.Compare("gt", x, high)))
		g.Set(2, g.Keep(g.Or(over, g.Compare("lt", high, low)), shared))
	}
}
