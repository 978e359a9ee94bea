package ops

import "github.com/go-acap/acap/base/shape"

// renorm: scales the slices along a dimension whose norm exceeds maxnorm down to it.
func init() {
	register(&Op{
		Schema:  "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if _, err := shape.Dim(c.Int(2), len(c.Shape(0))); err != nil {
				return err
			}
			if len(c.Shape(0)) < 2 {
				return c.ShapeErrorf("self %s must have 2 dimensions or more", shape.String(c.Shape(0)))
			}
			if !(c.Float(1) > 0) {
				return c.ArgErrorf("p is %v, and must be above 0", c.Float(1))
			}
			if !(c.Float(3) >= 0) {
				return c.ArgErrorf("maxnorm is %v, and must not be negative", c.Float(3))
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			x := e.wide(c.Tensor(0))
			d, _ := shape.Dim(c.Int(2), len(c.Shape(0)))
			var dims []int
			for k := range c.Shape(0) {
				if k != d {
					dims = append(dims, k)
				}
			}
			norm := e.Call("linalg_vector_norm", x, c.Scalar(1), dims, true)
			limit := c.Float(3)
			factor := e.Mul(e.Call("reciprocal", e.Add(norm, 1e-7)), limit)
			factor = e.Where(e.Compare("gt", norm, limit), factor, e.Number(1, x))
			return []Value{e.To(e.Mul(x, factor), c.DTypeOf(0))}
		},
		Samples: samplesOf(Sample{S(3, 4), 2, 0, 1.5}),
	})
}
