package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// prelu: leaky_relu with one learned slope, or one for each channel (dimension 1).
func init() {
	register(&Op{
		Schema: "prelu(Tensor self, Tensor weight) -> Tensor",
		Infer: func(c *Call) error {
			w := shape.Size(c.Shape(1))
			if len(c.Shape(1)) > 1 || w != 1 && (len(c.Shape(0)) < 2 || c.Shape(0)[1] != w) {
				return c.ShapeErrorf("weight %s is not one number for each channel of %s",
					shape.String(c.Shape(1)), shape.String(c.Shape(0)))
			}
			if c.DTypeOf(0) != c.DTypeOf(1) {
				return c.DTypeErrorf("operands have the types %v and %v", c.DTypeOf(0), c.DTypeOf(1))
			}
			return floating(inferSame)(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			ins := []Lowered{l.In(c, 0), l.Reshape(l.In(c, 1), slopeShape(c))}
			return one(l.Pointwise(c.Out[0], ins, func(s *Scalars, x []Elem) Elem {
				return s.Select(s.Cmp("gt", x[0], s.Const(x[0].D, 0)), x[0], s.Mul(x[0], x[1]))
			}))
		},
		Grad: func(g *Gradient) {
			x, dy, dims := g.Tensor(0), g.Grad(0), slopeShape(g.call)
			negative := g.Compare("lt", x, 0)
			w := g.Reshape(g.Tensor(1), dims)
			slope := g.Where(negative, w, g.Call("detach", w)) // at 0 a constant, as PyTorch has it
			g.Set(0, g.Where(g.Compare("gt", x, 0), dy, g.Mul(dy, slope)))
			if g.Needs(1) {
				g.Set(1, g.Reshape(g.SumTo(g.Keep(negative, g.Mul(dy, x)), dims), g.Shape(1)))
			}
		},
		Samples: samplesOf(Sample{S(2, 3, 4), S(3)}, Sample{S(4), S(1)}),
	})
}

// slopeShape is the shape in which the weight broadcasts against the input.
func slopeShape(c *Call) []int {
	dims := ones(len(c.Shape(0)))
	if n := shape.Size(c.Shape(1)); n != 1 {
		dims[1] = n
	}
	return dims
}
