package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// as_strided reads the memory of a tensor at offset + Σ index·stride; as_strided_scatter replaces what it reads. A call
// that is recorded has a tensor whose elements lie in order: [ofMemory] sees to views.
func init() {
	register(&Op{
		Schema: "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, " +
			"SymInt? storage_offset=None) -> Tensor(a)",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := c.strided(0, 1); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), c.Ints(1))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			flat := l.Reshape(l.In(c, 0), []int{shape.Size(c.Shape(0))})
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				return s.At(flat, s.linear(at, c.Ints(2), c.Args[3].Int()))
			}))
		},
		Grad: gradOfGather,
		View: func(e Emit, c *Call, base, view Value, _ int) Value {
			return e.Call("as_strided_scatter", base, view, c.Args[1], c.Args[2], c.Args[3])
		},
		Strides:     func(c *Call, _ []int, _ int) []int { return c.Ints(2) },
		Offset:      func(c *Call, _ []int, _ int) int { return c.Args[3].Int() }, // of a root: see ofMemory
		Repeats:     true,
		ReadsMemory: true,
		Samples: samplesOf(Sample{S(4, 4), []int{3, 2}, []int{1, 4}, 2},
			Sample{S(5), []int{3, 3}, []int{1, 1}}),
	})
	register(&Op{
		Schema: "as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.strided(0, 1); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), c.Ints(1))
		},
		ReadsMemory: true,
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.Call("as_strided", c.Tensor(0), c.Args[1], c.Args[2], c.Args[3])}
		},
		Samples: samplesOf(Sample{S(3, 4), []int{2, 2}, []int{4, 1}, 1}),
	})
	register(&Op{
		Schema: "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, " +
			"SymInt? storage_offset=None) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.strided(0, 2); err != nil {
				return err
			}
			return c.inferScatter(c.Ints(2))
		},
		ReadsMemory: true,
		Expand: func(e Emit, c *Call) []Value {
			places := e.Call("as_strided", e.places(c.Shape(0)), c.Args[2], c.Args[3], c.Args[4])
			return []Value{e.Call("put", c.Tensor(0), places, c.Tensor(1))}
		},
		Grad: func(g *Gradient) {
			at := g.Args[2:5]
			g.gradOfScatter(
				func(v Value) Value { return g.Call("as_strided", v, at[0], at[1], at[2]) },
				func(v, src Value) Value { return g.Call("as_strided_scatter", v, src, at[0], at[1], at[2]) })
		},
		Samples: samplesOf(Sample{S(4, 4), S(3, 2), []int{3, 2}, []int{1, 4}, 2}),
	})
}

// strided checks size, stride and storage_offset, from argument first on, against
// the memory of tensor argument self.
func (c *Call) strided(self, first int) error {
	size, stride, last := c.Ints(first), c.Ints(first+1), c.Args[first+2].Int()
	if err := shape.Check(size); err != nil {
		return err
	}
	if len(size) != len(stride) {
		return c.ShapeErrorf("size %s and stride %s have different lengths", shape.String(size),
			shape.String(stride))
	}
	if shape.Size(size) == 0 {
		return nil
	}
	have := shape.Size(c.Shape(self))
	if last < 0 || last >= have {
		return c.ShapeErrorf("offset %d is outside of the %d elements of %s", last, have, shape.String(c.Shape(self)))
	}
	for i, n := range size {
		if stride[i] < 0 || n > 1 && stride[i] > shape.MaxElements/(n-1) {
			return c.ShapeErrorf("stride %s is not allowed", shape.String(stride))
		}
		last += (n - 1) * stride[i]
	}
	if last >= have {
		return c.ShapeErrorf("size %s with stride %s and offset %d reaches element %d of %s, "+
			"which has %d", shape.String(size), shape.String(stride), c.Args[first+2].Int(), last,
			shape.String(c.Shape(self)), have)
	}
	return nil
}

// linear returns offset + Σ index·stride.
func (s *Scalars) linear(index []Elem, strides []int, offset int) Elem {
	sum := s.ConstInt(dtype.I64, int64(offset))
	for i, x := range index {
		sum = s.Add(sum, s.Mul(x, s.ConstInt(dtype.I64, int64(strides[i]))))
	}
	return sum
}

// places is a tensor of the row-major positions of its own elements: an operator
// that moves elements, applied to it, tells where they come from.
func (e Emit) places(dims []int) Value {
	return e.Reshape(e.Call("arange", shape.Size(dims)), dims)
}

// sources repeats a call on places: it tells which element of argument 0 every
// element of a result is.
func (e Emit) sources(c *Call, result int) Value {
	args := append([]Arg(nil), c.Args...)
	args[0] = TensorArg(e.places(c.Shape(0)))
	call, err := c.Op.NewCall(args...)
	if err != nil {
		panic(err)
	}
	return e.Emit(call)[result]
}

// gradOfGather is the gradient of operators whose results are elements of
// argument 0, in any order and number: it adds every gradient to where its
// element came from.
func gradOfGather(g *Gradient) { gradOfGatherInto(g, g.Zeros(g.Type(0))) }

// gradOfGatherInto is gradOfGather that adds to base, which is zeros.
func gradOfGatherInto(g *Gradient, base Value) {
	for i := range g.Out {
		if g.HasGrad(i) {
			base = g.Call("put", base, g.sources(g.call, i), g.Grad(i), true)
		}
	}
	g.Set(0, base)
}

// viewOfGather is the View of such operators.
func viewOfGather(e Emit, c *Call, base, view Value, result int) Value {
	return e.Call("put", base, e.sources(c, result), view)
}
