package ops

import "github.com/go-acap/acap/base/shape"

// The cross product of vectors of three elements along a dimension.
func init() {
	for _, schema := range []string{
		"linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
		"cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
	} {
		register(&Op{
			Schema: schema,
			Infer: func(c *Call) error {
				if a, b := c.Shape(0), c.Shape(1); len(a) != len(b) {
					return c.ShapeErrorf("%v and %v differ in the number of dimensions", a, b)
				}
				dims, err := c.BroadcastShape(0, 1)
				if err != nil {
					return err
				}
				d, err := crossDim(c, dims)
				if err != nil {
					return err
				}
				for i := range 2 {
					if x := c.Shape(i); len(x) == 0 || x[d] != 3 {
						return c.ShapeErrorf("dimension %d of %s must have extent 3", d, shape.String(x))
					}
				}
				return c.Result(c.ResultType(0, 1), dims)
			},
			Expand: func(e Emit, c *Call) []Value {
				dims := c.Out[0].Shape
				d, _ := crossDim(c, dims)
				x, y := e.Expand(c.Tensor(0), dims), e.Expand(c.Tensor(1), dims)
				next := func(v Value, n int) Value { return e.Call("roll", v, []int{n}, []int{d}) }
				return []Value{e.Sub(e.Mul(next(x, -1), next(y, 1)), e.Mul(next(x, 1), next(y, -1)))}
			},
			Samples: samplesOf(Sample{S(2, 3), S(2, 3), -1}, Sample{S(2, 3), S(1, 3), -1}),
		})
	}
}

// crossDim is the dimension named, or the first of extent 3.
func crossDim(c *Call, dims []int) (int, error) {
	if c.Has(2) {
		return shape.Dim(c.Int(2), len(dims))
	}
	for d, n := range dims {
		if n == 3 {
			return d, nil
		}
	}
	return 0, c.ShapeErrorf("no dimension of %s has extent 3", shape.String(dims))
}
