package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

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

// insertAt returns into with elements replaced by the elements of t, whose shape differs along dimension d at most:
// there they go to start, start + step and so on.
func (l *Lowering) insertAt(t, into Lowered, d, step int, start func(s *Scalars) Elem) Lowered {
	t = l.Cast(t, into.D)
	n := t.Shape()[d]
	if n == 0 {
		return into
	}
	dims, number := ones(len(into.Shape())), func(s *Scalars, v int) Elem { return s.ConstInt(dtype.I64, int64(v)) }
	last := into.Shape()[d] - 1 - (n-1)*step // where the elements may begin
	dims[d] = n
	places := l.pointwiseRaw(TensorType{dtype.I64, dims}, nil, func(s *Scalars, _ []Elem) Elem {
		return s.Add(s.Min(start(s), number(s, last)), s.Mul(s.Index(d), number(s, step)))
	})
	return l.Scatter(acap.Assign, t, places, into, d)
}
