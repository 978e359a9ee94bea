package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// put writes, or adds, source to the elements of the flattened self at index.
func init() {
	register(&Op{
		Schema:  "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := c.wantIndex(1); err != nil {
				return err
			}
			if c.DTypeOf(2) != c.DTypeOf(0) {
				return c.DTypeErrorf("source %v must have the type %v of self", c.DTypeOf(2), c.DTypeOf(0))
			}
			if shape.Size(c.Shape(1)) != shape.Size(c.Shape(2)) {
				return c.ShapeErrorf("index %s and source %s must have the same number of elements",
					shape.String(c.Shape(1)), shape.String(c.Shape(2)))
			}
			return inferSame(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			self, index := l.In(c, 0), l.In(c, 1)
			n, k := shape.Size(c.Shape(0)), shape.Size(c.Shape(1))
			if k == 0 {
				return one(self)
			}
			index = l.Pointwise(TensorType{dtype.I64, []int{k}}, []Lowered{l.Reshape(index, []int{k})},
				func(s *Scalars, x []Elem) Elem { return s.wrapped(x[0], n) })
			reduce := ""
			if c.Bool(3) {
				reduce = "sum"
			}
			out := l.reduceInto(l.Reshape(self, []int{n}), index, l.Reshape(l.In(c, 2), []int{k}), 0, reduce, true)
			return one(l.Reshape(out, c.Shape(0)))
		},
		Grad: func(g *Gradient) {
			if g.Needs(0) {
				self := g.Grad(0)
				if !g.Bool(3) {
					self = g.Call("put", self, g.Tensor(1), g.Zeros(g.Type(2)))
				}
				g.Set(0, self)
			}
			if g.Needs(2) {
				g.Set(2, g.Reshape(g.Call("take", g.Grad(0), g.Tensor(1)), g.Shape(2)))
			}
		},
		Samples: samplesOf(Sample{S(3, 4), indices(12, 5), S(5), true}),
	})
}
