package ops

import "github.com/go-acap/acap/base/shape"

// linear: input · weightᵀ + bias.
func init() {
	register(&Op{
		Schema: "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
		Infer:  inferLinear,
		Expand: func(e Emit, c *Call) []Value {
			x, in := c.Tensor(0), c.Shape(0)
			flat := []int{shape.Size(in[:len(in)-1]), in[len(in)-1]}
			x = e.Reshape(x, flat)
			w := c.Tensor(1)
			if len(c.Shape(1)) == 1 {
				w = e.Reshape(w, append([]int{1}, c.Shape(1)...))
			}
			if w = e.Call("t", w); c.Has(2) {
				x = e.Call("addmm", c.Tensor(2), x, w)
			} else {
				x = e.Call("mm", x, w)
			}
			return []Value{e.Reshape(x, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(2, 3), S(4, 3), S(4)}, Sample{S(3), S(4, 3)},
			Sample{S(2, 5, 3), S(4, 3), S(4)}, Sample{S(2, 3), S(3)}),
	})
}

func inferLinear(c *Call) error {
	in, w := c.Shape(0), c.Shape(1)
	if len(in) == 0 || len(w) == 0 || len(w) > 2 || in[len(in)-1] != w[len(w)-1] {
		return c.ShapeErrorf("input %s does not fit weight %s: the last extents must be equal",
			shape.String(in), shape.String(w))
	}
	if c.DTypeOf(0) != c.DTypeOf(1) {
		return c.DTypeErrorf("operands have the types %v and %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	out := in[: len(in)-1 : len(in)-1]
	if len(w) == 2 {
		out = append(out, w[0])
	}
	if c.Has(2) {
		if err := shape.BroadcastTo(c.Shape(2), w[:len(w)-1]); err != nil {
			return err
		}
	}
	return c.Result(c.DTypeOf(0), out)
}
