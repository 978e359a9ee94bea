package ops

import "github.com/go-acap/acap/base/shape"

// cosine_similarity: x·y / max(‖x‖·‖y‖, eps) along a dimension.
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
			d := c.ResultType(0, 1)
			if !d.IsFloat() {
				return c.DTypeErrorf("needs floating tensors, got %v", d)
			}
			return c.Result(d, shape.Reduce(dims, []int{dim}, false))
		},
		Expand: func(e Emit, c *Call) []Value {
			parts := e.broadcastAll([]Value{c.Tensor(0), c.Tensor(1)})
			x, y := parts[0], parts[1]
			dot := func(a, b Value) Value { return e.Sum(e.Mul(a, b), []int{c.Int(2)}, false) }
			eps := c.Float(3)
			norms := e.Call("sqrt", e.Call("clamp_min", e.Mul(dot(x, x), dot(y, y)), eps*eps))
			return []Value{e.Div(dot(x, y), norms)}
		},
		Samples: samplesOf(Sample{S(3, 4), S(3, 4)}, Sample{S(2, 3, 4), S(4), -1}, Sample{S(4), S(2, 3, 4), 0}),
	})
}
