package ops

import "github.com/go-acap/acap/base/shape"

// fill_diagonal writes a number where all indices are equal. With wrap, the diagonal of a matrix that has more rows
// than columns begins anew below one row that has none: elements are counted row by row, as numpy.fill_diagonal does.
// PyTorch has the operator in place only.
func init() {
	register(&Op{
		Schema:  "fill_diagonal(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			dims := c.Shape(0)
			if len(dims) < 2 {
				return c.ShapeErrorf("needs at least 2 dimensions, got %s", shape.String(dims))
			}
			if len(dims) > 2 {
				for _, n := range dims {
					if n != dims[0] {
						return c.ShapeErrorf("more than 2 dimensions must have equal sizes, got %s", shape.String(dims))
					}
				}
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			dims := c.Shape(0)
			step := 0
			for _, stride := range shape.Strides(dims) {
				step += stride
			}
			places := e.places(dims)
			on := e.Compare("eq", e.Call("remainder.Scalar", places, max(step, 1)), 0)
			if len(dims) == 2 && dims[0] > dims[1] && !c.Bool(2) {
				on = e.And(on, e.Compare("lt", places, dims[1]*dims[1]))
			}
			return []Value{e.Where(on, e.Call("fill.Scalar", c.Tensor(0), c.Args[1]), c.Tensor(0))}
		},
		Samples: samplesOf(Sample{S(3, 4), 1.5}, Sample{S(5, 2), -1, true}, Sample{S(5, 2), 2}, Sample{S(2, 2, 2), 0}),
	})
}
