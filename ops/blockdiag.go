package ops

import "github.com/go-acap/acap/base/shape"

// block_diag puts matrices on the diagonal of a larger one, zeros elsewhere.
func init() {
	register(&Op{
		Schema: "block_diag(Tensor[] tensors) -> Tensor",
		Infer: func(c *Call) error {
			list := c.Tensors(0)
			if len(list) == 0 {
				return c.ArgErrorf("needs at least one tensor")
			}
			rows, cols := 0, 0
			for i, v := range list {
				if len(v.Type().Shape) > 2 {
					return c.ShapeErrorf("tensor %d must have at most 2 dimensions, got %s", i,
						shape.String(v.Type().Shape))
				}
				b := block(v)
				rows, cols = rows+b[0], cols+b[1]
			}
			return c.Result(c.ResultType(0), []int{rows, cols})
		},
		Expand: func(e Emit, c *Call) []Value {
			out, at := c.Out[0], 0
			rows := make([]Value, len(c.Tensors(0)))
			for i, v := range c.Tensors(0) {
				b := block(v)
				pad := []int{at, out.Shape[1] - at - b[1]}
				rows[i] = e.Call("constant_pad_nd", e.To(e.Reshape(v, b), out.DType), pad, 0)
				at += b[1]
			}
			return []Value{e.Call("cat", rows, 0)}
		},
		Samples: samplesOf(Sample{[]T{S(2, 3), S(2), S()}}),
	})
}

// block returns the shape of a tensor as a matrix: a vector is a row.
func block(v Value) []int {
	dims := v.Type().Shape
	for len(dims) < 2 {
		dims = append([]int{1}, dims...)
	}
	return dims
}
