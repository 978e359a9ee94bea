package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// glu: the first half of a dimension times the sigmoid of the second.
func init() {
	register(&Op{
		Schema: "glu(Tensor self, int dim=-1) -> Tensor",
		Infer: floating(func(c *Call) error {
			d, err := shape.Dim(c.Int(1), len(c.Shape(0)))
			if err != nil {
				return err
			}
			if len(c.Shape(0)) == 0 || c.Shape(0)[d]%2 != 0 {
				return c.ShapeErrorf("dimension %d of %s cannot be halved", c.Int(1), shape.String(c.Shape(0)))
			}
			dims := append([]int{}, c.Shape(0)...)
			dims[d] /= 2
			return c.Result(c.DTypeOf(0), dims)
		}),
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := shape.Dim(c.Int(1), len(c.Shape(0)))
			dims := c.Out[0].Shape
			offset, step := make([]int, len(dims)), ones(len(dims))
			a := l.Slice(l.In(c, 0), offset, dims, step)
			second := append([]int{}, offset...)
			second[d] = dims[d]
			b := l.Slice(l.In(c, 0), second, dims, step)
			return one(l.Pointwise(c.Out[0], []Lowered{a, b}, func(s *Scalars, x []Elem) Elem {
				return s.Mul(x[0], sigmoid(s, x[1]))
			}))
		},
		Grad: func(g *Gradient) {
			d, _ := shape.Dim(g.Int(1), len(g.Shape(0)))
			n := g.Out[0].Shape[d]
			a := g.Call("slice.Tensor", g.Tensor(0), d, 0, n, 1)
			p := g.Call("sigmoid", g.Call("slice.Tensor", g.Tensor(0), d, n, 2*n, 1))
			da := g.Mul(g.Grad(0), p)
			db := g.Mul(g.Mul(da, a), g.OneMinus(p))
			g.Set(0, g.Call("cat", []Value{da, db}, d))
		},
		Samples: samplesOf(Sample{S(2, 4)}, Sample{S(4, 3), 0}),
	})
}
