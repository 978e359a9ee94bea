package ops

import "github.com/go-acap/acap/base/shape"

// embedding_renorm: scales the rows of self that are named, and whose norm exceeds
// max_norm, down to it. Gradients ignore the scaling, as in PyTorch.
func init() {
	register(&Op{
		Schema: "embedding_renorm(Tensor self, Tensor indices, float max_norm, " +
			"float norm_type) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if len(c.Shape(0)) != 2 {
				return c.ShapeErrorf("self %s is not a matrix", shape.String(c.Shape(0)))
			}
			if err := c.wantIndex(1); err != nil {
				return err
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			self, limit := c.Tensor(0), c.Float(2)
			n := shape.Size(c.Shape(1))
			named := e.Call("index_fill.int_Scalar", e.Full([]int{c.Shape(0)[0]}, 0, c.DTypeOf(0)), 0,
				e.Reshape(c.Tensor(1), []int{n}), 1)
			norm := e.wide(e.Call("linalg_vector_norm", self, c.Float(3), []int{1}, true))
			exceeds := e.And(e.column(e.Compare("ne", named, 0)), e.Compare("gt", norm, limit))
			scale := e.Mul(e.Call("reciprocal", e.Add(norm, 1e-7)), limit)
			scaled := e.To(e.Mul(e.wide(self), scale), c.DTypeOf(0))
			return e.Calls("_rewritten", e.Where(exceeds, scaled, self), self)
		},
		Samples: samplesOf(Sample{S(5, 3), indices(5, 2), 0.5, 2.0}),
	})
}
