package ops

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/tensor/dtype"
)

// cummax and cummin: the extreme of the elements up to each along a dimension, and its
// last position. NaN is an extreme.
func init() {
	for _, kind := range []string{acap.Max, acap.Min} {
		register(&Op{
			Schema: "cum" + kind + "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
			Infer: func(c *Call) error {
				if _, err := c.dim(1); err != nil {
					return err
				}
				inferSame(c)
				return c.Result(dtype.I64, c.Shape(0))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, _ := c.dim(1)
				t := l.lined(l.In(c, 0))
				extreme := l.Scan(kind, t, d)
				return l.reshaped(c, extreme, l.Scan(acap.Max, l.attained(t, extreme, d), d))
			},
			Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), true) },
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
	}
}

// attained gives every element of t that is the running extreme its position along an
// axis, and the others 0.
func (l *Lowering) attained(t, extreme Lowered, axis int) Lowered {
	return l.pointwiseRaw(TensorType{dtype.I64, t.Shape()}, []Lowered{t, extreme},
		func(s *Scalars, x []Elem) Elem {
			here := s.Cmp("eq", x[0], x[1])
			if t.D.IsFloat() {
				here = s.Or(here, s.IsNaN(x[0]))
			}
			return s.Select(here, s.Index(axis), s.ConstInt(dtype.I64, 0))
		})
}
