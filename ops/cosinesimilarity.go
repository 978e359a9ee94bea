package ops

import "github.com/go-acap/acap/base/shape"

// cosine_similarity: x/max(‖x‖, eps) · y/max(‖y‖, eps) along a dimension.
func init() {
	register(&Op{
		Schema: "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
		Infer: func(c *Call) error {
			dims, err := c.BroadcastShape(0, 1)
			if err != nil {
				return err
			}
			dim, err := shape.Dim(c.Int(2), len(dims))
			if err != nil {
				return err
			}
			if eps := c.Float(3); !(eps >= 0) {
				return c.ArgErrorf("eps is %v, and must not be negative", eps)
			}
			d := c.ResultType(0, 1)
			if !d.IsFloat() {
				return c.DTypeErrorf("needs floating tensors, got %v", d)
			}
			return c.Result(d, shape.Reduce(dims, []int{dim}, false))
		},
		Expand: func(e Emit, c *Call) []Value {
			parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
			x, y := e.To(parts[0], c.Out[0].DType), e.To(parts[1], c.Out[0].DType)
			d := []int{c.Int(2)}
			unit := func(v Value) Value {
				// The bound is no part of the gradient: a norm below it has the gradient of a norm.
				norm := e.Call("linalg_vector_norm", v, 2.0, d, true)
				short := e.Call("detach", e.Add(e.Neg(norm), c.Float(3)))
				return e.Div(v, e.Where(e.Compare("lt", norm, c.Float(3)), e.Add(norm, short), norm))
			}
			return []Value{e.Sum(e.Mul(unit(x), unit(y)), d, false)}
		},
		Samples: samplesOf(Sample{S(3, 4), S(3, 4)}, Sample{S(2, 3, 4), S(4), -1}, Sample{S(4), S(2, 3, 4), 0}),
	})
}
