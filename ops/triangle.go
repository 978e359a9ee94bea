package ops

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// tril and triu keep the lower or upper triangle of matrices; tril_indices and
// triu_indices list its places.
func init() {
	for name, relation := range map[string]string{"tril": "le", "triu": "ge"} {
		register(&Op{
			Schema:  name + "(Tensor self, int diagonal=0) -> Tensor",
			Inplace: true,
			Infer: func(c *Call) error {
				if len(c.Shape(0)) < 2 {
					return c.ShapeErrorf("needs at least 2 dimensions, got %s", shape.String(c.Shape(0)))
				}
				return inferSame(c)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				self := l.In(c, 0)
				return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
					row, column := at[len(at)-2], at[len(at)-1]
					on := s.Cmp(relation, s.Sub(column, row), s.ConstInt(dtype.I64, int64(c.Int(1))))
					return s.Select(on, s.At(self, at...), s.Const(self.D, 0))
				}))
			},
			Grad:    func(g *Gradient) { g.Set(0, g.Call(name, g.Grad(0), g.Int(1))) },
			Samples: samplesOf(Sample{S(3, 4)}, Sample{S(2, 3, 3), -1}),
		})
		lower := name == "tril"
		register(&Op{
			Schema: name + "_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, " +
				"Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
			Infer: func(c *Call) error {
				if err := shape.Check([]int{c.Int(0), c.Int(1)}); err != nil {
					return err
				}
				n := 0
				triangle(c, lower, func(_, from, to int) { n += to - from })
				return c.Result(c.DType(3, dtype.I64), []int{2, n})
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				out := buf.New(h.Out[0].DType, h.Out[0].Shape)
				n, next := h.Out[0].Shape[1], 0
				triangle(h.Call, lower, func(row, from, to int) {
					for column := from; column < to; column++ {
						out.SetInt64(next, int64(row))
						out.SetInt64(n+next, int64(column))
						next++
					}
				})
				return []*buf.Buffer{out}, nil
			},
			Samples: samplesOf(Sample{3, 4, 1}),
		})
	}
}

// triangle visits the range of columns of every row of a (row, col, offset) call.
func triangle(c *Call, lower bool, visit func(row, from, to int)) {
	columns := c.Int(1)
	for row := range c.Int(0) {
		if lower {
			visit(row, 0, min(max(row+c.Int(2)+1, 0), columns))
		} else {
			visit(row, min(max(row+c.Int(2), 0), columns), columns)
		}
	}
}
