package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
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
				n := underDiagonal(c.Int(0), c.Int(1), c.Int(2))
				if !lower {
					n = c.Int(0)*c.Int(1) - underDiagonal(c.Int(0), c.Int(1), max(c.Int(2), -c.Int(0))-1)
				}
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

// underDiagonal counts the places of a matrix on and under a diagonal.
func underDiagonal(rows, columns, diagonal int) int {
	diagonal = min(max(diagonal, -rows), columns) // farther away nothing changes
	first := min(max(-diagonal, 0), rows)         // row with a place
	full := min(max(columns-diagonal-1, first), rows)
	// Rows from first to full have one place more each; those after it are full.
	return (full-first)*(first+full+2*diagonal+1)/2 + (rows-full)*columns
}

// triangle visits the range of columns of every row of a (row, col, offset) call that has
// places in the triangle.
func triangle(c *Call, lower bool, visit func(row, from, to int)) {
	rows, columns := c.Int(0), c.Int(1)
	diagonal := min(max(c.Int(2), -rows), columns)
	if columns == 0 {
		return
	}
	if lower {
		for row := max(-diagonal, 0); row < rows; row++ {
			visit(row, 0, min(row+diagonal+1, columns))
		}
		return
	}
	for row := range min(rows, columns-diagonal) {
		visit(row, max(row+diagonal, 0), columns)
	}
}
