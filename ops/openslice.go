package ops

import "github.com/go-acap/acap/base/dtype"

// anyOpen reports whether one of the given arguments is open.
func (c *Call) anyOpen(args ...int) bool {
	for _, i := range args {
		if c.Args[i].Open() != nil {
			return true
		}
	}
	return false
}

// openRegion checks the type of what a call with an open start takes of argument 0 along
// dimension d, and returns its shape. drop says that the dimension is not in the result.
func (c *Call) openRegion(d int, drop bool) []int {
	dims := append([]int(nil), c.Shape(0)...)
	switch {
	case drop:
		c.wantOpen(0, c.DTypeOf(0), append(dims[:d:d], dims[d+1:]...))
		dims[d] = 1
	case len(c.Out[0].Shape) == len(dims):
		dims[d] = min(c.Out[0].Shape[d], dims[d])
		fallthrough
	default:
		c.wantOpen(0, c.DTypeOf(0), dims)
	}
	return dims
}

// start returns a start argument of a slice of a dimension of n elements, which may be open
// or absent, as an i64 from 0 to n.
func (c *Call) start(s *Scalars, i, n int) Elem {
	if !c.Has(i) {
		return s.ConstInt(dtype.I64, 0)
	}
	x := s.Max(s.Position(&c.Args[i], n), s.ConstInt(dtype.I64, 0))
	return s.Min(x, s.ConstInt(dtype.I64, int64(n)))
}

// sliceAt takes dims elements of t, from start in steps along dimension d.
func (l *Lowering) sliceAt(t Lowered, dims []int, d, step int, start func(s *Scalars) Elem) Lowered {
	return l.pointwiseRaw(TensorType{t.D, dims}, nil, func(s *Scalars, _ []Elem) Elem {
		at := make([]Elem, len(dims))
		for i := range dims {
			at[i] = s.Index(i)
		}
		at[d] = s.Add(start(s), s.Mul(at[d], s.ConstInt(dtype.I64, int64(step))))
		return s.At(t, at...)
	})
}

// insertAt returns into with elements replaced by those of t, whose rank is the same: from
// start in steps along dimension d, and from 0 along the others, in which they are alike.
func (l *Lowering) insertAt(t, into Lowered, d, step int, start func(s *Scalars) Elem) Lowered {
	t = l.Cast(t, into.D)
	n := t.Shape()[d]
	if n == 0 {
		return into
	}
	return l.pointwiseRaw(into.Type(), []Lowered{into}, func(s *Scalars, x []Elem) Elem {
		at := make([]Elem, len(into.Shape()))
		for i := range at {
			at[i] = s.Index(i)
		}
		number := func(v int) Elem { return s.ConstInt(dtype.I64, int64(v)) }
		past := s.Sub(at[d], start(s))
		inside := s.And(s.Cmp("ge", past, number(0)), s.Cmp("lt", past, number((n-1)*step+1)))
		if step > 1 {
			inside = s.And(inside, s.Cmp("eq", s.Rem(past, number(step)), number(0)))
			past = s.Div(past, number(step))
		}
		at[d] = s.Min(s.Max(past, number(0)), number(n-1))
		return s.Select(inside, s.At(t, at...), x[0])
	})
}
