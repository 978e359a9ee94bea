package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// gather takes self[…, index[…], …] along a dimension.
func init() {
	register(&Op{
		Schema: "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
		Infer: func(c *Call) error {
			if _, err := c.indexed(0, 1, 2, -1); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), c.Shape(2))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(1)
			self, index := l.In(c, 0), l.In(c, 2)
			if shape.Size(c.Shape(2)) == 0 { // an empty index may have any rank
				return one(l.Empty(self.D, c.Shape(2)))
			}
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				if len(self.Shape()) == 0 {
					return s.At(self)
				}
				place := s.Cast(s.At(index, at...), dtype.I64)
				if len(at) == 0 { // a scalar index into a vector
					return s.At(self, place)
				}
				at = append([]Elem(nil), at...)
				at[d] = place
				return s.At(self, at...)
			}))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("scatter_add", g.Zeros(g.Type(0)), g.Int(1), g.Tensor(2), g.Grad(0)))
		},
		Samples: samplesOf(Sample{S(3, 4), 1, indices(4, 3, 2)}),
	})
}

// index_select takes whole slices of a dimension.
func init() {
	register(&Op{
		Schema: "index_select(Tensor self, int dim, Tensor index) -> Tensor",
		Infer: func(c *Call) error {
			d, n, err := c.indexVector(1, 2)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), withDim(c.Shape(0), d, n))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(1)
			self, index := l.In(c, 0), l.Reshape(l.In(c, 2), []int{shape.Size(c.Shape(2))})
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				if len(at) == 0 {
					return s.At(self)
				}
				at = append([]Elem(nil), at...)
				at[d] = s.Cast(s.At(index, at[d]), dtype.I64)
				return s.At(self, at...)
			}))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("index_add", g.Zeros(g.Type(0)), g.Int(1), g.Tensor(2), g.Grad(0)))
		},
		Samples: samplesOf(Sample{S(3, 4), 0, indices(3, 5)}),
	})
}

// take takes elements of the flattened tensor.
func init() {
	register(&Op{
		Schema: "take(Tensor self, Tensor index) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.wantIndex(1); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), c.Shape(1))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			n := shape.Size(c.Shape(0))
			flat, index := l.Reshape(l.In(c, 0), []int{n}), l.In(c, 1)
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				return s.At(flat, s.wrapped(s.At(index, at...), n))
			}))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("put", g.Zeros(g.Type(0)), g.Tensor(1), g.Grad(0), true))
		},
		Samples: samplesOf(Sample{S(3, 4), indices(12, 2, 2)}),
	})
}

// indices is an i64 tensor with values below n, for samples.
func indices(n int, dims ...int) T {
	return T{DType: dtype.I64, Shape: dims, Low: 0, High: float64(n)}
}

// wrapped counts a negative index from the end of n.
func (s *Scalars) wrapped(i Elem, n int) Elem {
	i = s.Cast(i, dtype.I64)
	negative := s.Cmp("lt", i, s.ConstInt(dtype.I64, 0))
	return s.Select(negative, s.Add(i, s.ConstInt(dtype.I64, int64(n))), i)
}

// wantIndex checks that tensor argument i has an index type; the type of an empty one
// does not matter.
func (c *Call) wantIndex(i int) error {
	if shape.Size(c.Shape(i)) == 0 {
		return nil
	}
	if d := c.DTypeOf(i); d != dtype.I64 && d != dtype.I32 {
		return c.DTypeErrorf("%s must be int64 or int32, got %v", c.Op.Parsed().Params[i].Name, d)
	}
	return nil
}

// indexVector reads (dim, index) where index has at most one dimension.
func (c *Call) indexVector(dim, index int) (d, n int, err error) {
	if d, err = c.dim(dim); err != nil {
		return 0, 0, err
	}
	if err := c.wantIndex(index); err != nil {
		return 0, 0, err
	}
	if len(c.Shape(index)) > 1 {
		return 0, 0, c.ShapeErrorf("index must have at most one dimension, got %s",
			shape.String(c.Shape(index)))
	}
	n = shape.Size(c.Shape(index))
	if len(c.Shape(0)) == 0 && n != 1 {
		return 0, 0, c.ShapeErrorf("index %s must have one element for a self without dimensions",
			shape.String(c.Shape(index)))
	}
	return d, n, nil
}

// indexed checks (self, dim, index, src) of gathers and scatters: index has the
// rank of self and is nowhere larger, except along dim; nor is it larger than src
// (none if src < 0) anywhere.
func (c *Call) indexed(self, dim, index, src int) (int, error) {
	a, i := c.Shape(self), c.Shape(index)
	d, err := shape.Dim(c.Int(dim), len(a))
	if err != nil {
		return 0, err
	}
	if err := c.wantIndex(index); err != nil {
		return 0, err
	}
	if shape.Size(i) == 0 {
		return d, nil
	}
	fits := func(b []int, along bool) bool {
		if max(len(i), 1) != max(len(b), 1) {
			return false
		}
		for k := range min(len(i), len(b)) {
			if i[k] > b[k] && (along || k != d) {
				return false
			}
		}
		return len(b) > 0 || shape.Size(i) == 1 || !along
	}
	if len(a) > 0 && a[d] == 0 {
		return 0, c.ShapeErrorf("index %s has no places in dimension %d of self %s, which is empty", shape.String(i), d, shape.String(a))
	}
	if !fits(a, false) {
		return 0, c.ShapeErrorf("index %s does not fit self %s apart from dimension %d", shape.String(i),
			shape.String(a), d)
	}
	if src >= 0 && c.Tensor(src) != nil && !fits(c.Shape(src), true) {
		return 0, c.ShapeErrorf("index %s is larger than src %s", shape.String(i),
			shape.String(c.Shape(src)))
	}
	return d, nil
}
