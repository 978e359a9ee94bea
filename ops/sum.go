package ops

// Sums and means. Integers sum in i64; half types in float32.
func init() {
	whole, some := place{-1, -1}, place{1, 2}
	for _, o := range []struct {
		schema string
		place
		dtypeArg int
		samples  []Sample
	}{
		{"(Tensor self, *, ScalarType? dtype=None) -> Tensor", whole, 1, []Sample{{S(3, 4)}, {S()}}},
		{".%s(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
			some, 3, []Sample{{S(2, 3, 4), []int{0, -1}, true}, {S(2, 3), []int{1}}, {S(2, 3), nil}}},
	} {
		sum := &Op{
			Infer: o.infer(o.dtypeArg, sumType),
			Lower: o.lower(sumOf, nil),
			Grad:  func(g *Gradient) { g.Set(0, o.spread(g)) },
		}
		nansum := &Op{
			Infer: sum.Infer,
			Lower: o.lower(Folding{always(0), nanToZero, (*Scalars).Add}, nil),
			Grad: func(g *Gradient) {
				ok := g.Compare("eq", g.Tensor(0), g.Tensor(0))
				g.Set(0, g.Keep(ok, o.spread(g)))
			},
		}
		mean := &Op{
			Infer: inferMean(o.infer(o.dtypeArg, same)),
			Lower: o.lower(sumOf, func(s *Scalars, _ *Call, n int, x Elem) Elem {
				return s.Div(x, s.Const(x.D, float64(n)))
			}),
			Grad: func(g *Gradient) {
				dims, _ := o.must(g.call)
				g.Set(0, g.Div(o.spread(g), float64(count(g.Shape(0), dims))))
			},
		}
		for _, p := range []struct {
			name, overload string
			op             *Op
		}{{"sum", "dim_IntList", sum}, {"nansum", "", nansum}, {"mean", "dim", mean}} {
			if o.place == whole && p.overload == "" {
				continue
			}
			op := *p.op
			op.Schema = p.name + overloaded(o.schema, p.overload)
			op.Samples = samplesOf(o.samples...)
			register(&op)
		}
	}
}

// overloaded puts the name of an overload into ".%s(…".
func overloaded(schema, overload string) string {
	if schema[0] != '.' {
		return schema
	}
	if overload == "" {
		return schema[len(".%s"):]
	}
	return "." + overload + schema[len(".%s"):]
}

func nanToZero(s *Scalars, x Elem) Elem {
	return s.Select(s.IsNaN(x), s.Const(x.D, 0), x)
}
