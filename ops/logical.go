package ops

// Logical operators: a number is true if it is not 0, NaN included.
func init() {
	for _, o := range []struct {
		name string
		f    func(s *Scalars, x, y Elem) Elem
	}{
		{"logical_and", (*Scalars).And},
		{"logical_or", (*Scalars).Or},
		{"logical_xor", (*Scalars).Xor},
	} {
		register(&Op{
			Schema:  o.name + "(Tensor self, Tensor other) -> Tensor",
			Inplace: true,
			Unseen:  true,
			Infer:   inferCompare,
			Lower: lowerTerms(toBool,
				func(s *Scalars, c *Call, x []Elem) Elem { return o.f(s, x[0], x[1]) }),
			Samples: samplesOf(Sample{S(2, 3), S(3)}),
		})
	}
	register(&Op{
		Schema:  "logical_not(Tensor self) -> Tensor",
		Inplace: true,
		Unseen:  true,
		Infer:   inferBool,
		Lower:   lowerTest(func(s *Scalars, x Elem) Elem { return s.Cmp("eq", x, s.Const(x.D, 0)) }),
		Samples: samplesOf(Sample{S(2, 3)}),
	})
}
