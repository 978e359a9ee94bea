package ops

// nextafter: the representable number after self in the direction of other.
func init() {
	register(&Op{
		Schema:  "nextafter(Tensor self, Tensor other) -> Tensor",
		Inplace: true,
		Infer:   floating(inferBinary),
		Lower: lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem {
			d := c.Out[0].DType
			return nextAfter(s, s.Cast(x[0], d), s.Cast(x[1], d))
		}),
		// Neighbours are as far apart on both sides: the gradient passes to self, unless self stays.
		Grad: gradient2(
			func(g *Gradient, dy, x, y Value) Value { return g.Keep(g.Compare("ne", x, y), dy) },
			func(g *Gradient, dy, x, y Value) Value { return g.Zeros(y.Type()) }),
		Samples: samplesOf(Sample{S(2, 3), S(3)}),
	})
}

// nextAfter counts the bit pattern up or down: patterns of one sign are ordered
// as the magnitudes.
func nextAfter(s *Scalars, x, y Elem) Elem {
	bits := s.Bits(x)
	zero, one := s.Const(x.D, 0), s.ConstInt(bits.D, 1)
	away := s.Not(s.Xor(s.Cmp("gt", x, zero), s.Cmp("lt", x, y)))
	bits = s.Select(away, s.Add(bits, one), s.Sub(bits, one))
	next := s.Bitcast(bits, x.D)
	tiny := s.Math("copysign", s.Bitcast(one, x.D), y)
	next = s.Select(s.Cmp("eq", x, zero), tiny, next)
	next = s.Select(s.Cmp("eq", x, y), y, next)
	return s.Select(s.Cmp("uno", x, y), s.Add(x, y), next)
}
