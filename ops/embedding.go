package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// embedding: rows of weight by number. The row padding_idx gets no gradient;
// scale_grad_by_freq divides gradients by how often a row was used.
func init() {
	register(&Op{
		Schema: "embedding(Tensor weight, Tensor indices, int padding_idx=-1, " +
			"bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
		Infer: func(c *Call) error {
			if len(c.Shape(0)) != 2 {
				return c.ShapeErrorf("weight %s is not a matrix", shape.String(c.Shape(0)))
			}
			if !c.DTypeOf(1).IsInt() {
				return c.DTypeErrorf("indices must be integers, not %v; ToDtype(dtype.I64) makes them integers", c.DTypeOf(1))
			}
			out := append(append([]int{}, c.Shape(1)...), c.Shape(0)[1])
			return c.Result(c.DTypeOf(0), out)
		},
		// The dimensions of indices stay apart, so that buckets may pad any of them.
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			weight, indices := l.In(c, 0), l.In(c, 1)
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				column := len(at) - 1
				return s.At(weight, s.Cast(s.At(indices, at[:column]...), dtype.I64), at[column])
			}))
		},
		Grad: func(g *Gradient) {
			n := shape.Size(g.Shape(1))
			rows := g.Reshape(g.To(g.Tensor(1), dtype.I64), []int{n})
			dy := g.Reshape(g.Grad(0), []int{n, g.Shape(0)[1]})
			column := g.Reshape(rows, []int{n, 1})
			if g.Bool(3) {
				used := g.Full([]int{g.Shape(0)[0]}, 0, g.Out[0].DType)
				used = g.Call("index_add", used, 0, rows, g.Full([]int{n}, 1, g.Out[0].DType))
				dy = g.Div(dy, g.Reshape(g.Call("index_select", used, 0, rows), []int{n, 1}))
			}
			if g.Int(2) >= 0 {
				dy = g.Keep(g.Compare("ne", column, g.Int(2)), dy)
			}
			g.Set(0, g.Call("index_add", g.Zeros(g.Type(0)), 0, rows, dy))
		},
		Samples: samplesOf(Sample{S(5, 3), T{DType: dtype.I64, Shape: []int{2, 2}, Low: 0, High: 5}}),
	})
}
