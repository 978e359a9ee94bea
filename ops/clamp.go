package ops

// clamp: min(max(self, min), max), NaN kept. Bounds are numbers or tensors.
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
		keep string
		drop string
	}{
		{"clamp_min", (*Scalars).Max, "ge", "lt"},
		{"clamp_max", (*Scalars).Min, "le", "gt"},
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
					func(g *Gradient, dy, x, y Value) Value { return g.Keep(g.Compare(o.keep, x, y), dy) },
					func(g *Gradient, dy, x, y Value) Value { return g.Keep(g.Compare(o.drop, x, y), dy) }),
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
	dy := g.Grad(0)
	inside := func(v Value) Value {
		if low != nil {
			v = g.Keep(g.Compare("ge", x, low), v)
		}
		if high != nil {
			v = g.Keep(g.Compare("le", x, high), v)
		}
		return v
	}
	g.Set(0, inside(dy))
	if g.Needs(1) {
		v := g.Keep(g.Compare("lt", x, low), dy)
		if high != nil {
			v = g.Keep(g.Compare("lt", low, high), v)
		}
		g.Set(1, v)
	}
	if g.Needs(2) {
		over := g.Compare("gt", x, high)
		if low != nil {
			over = g.Or(over, g.Compare("lt", high, low))
		}
		g.Set(2, g.Keep(over, dy))
	}
}
