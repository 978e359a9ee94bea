package ops

import "github.com/go-acap/acap/base/shape"

// affine_grid_generator: the places, between -1 and 1, that a linear map of every sample
// gives the points of an output of size [N, C, (D,) H, W].
func init() {
	composite("affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
		func(e Emit, c *Call) []Value {
			size, theta := c.Ints(1), c.Shape(0)
			n := len(size) - 2
			if n != 2 && n != 3 || !shape.Equal(theta, []int{size[0], n, n + 1}) {
				panic(c.ShapeErrorf("theta %s does not fit an output of %v", shape.String(theta), size))
			}
			d := c.DTypeOf(0)
			extents := size[2:]
			var columns []Value
			for k := n - 1; k >= 0; k-- { // x comes first
				dims := ones(n)
				dims[k] = extents[k]
				columns = append(columns, e.Expand(e.Reshape(e.centres(c, extents[k]), dims), extents))
			}
			columns = append(columns, e.Full(extents, 1, d))
			points := e.Reshape(e.Call("stack", columns, -1), []int{1, shape.Size(extents), n + 1})
			points = e.Expand(points, []int{size[0], shape.Size(extents), n + 1})
			grid := e.Call("bmm", points, e.mT(c.Tensor(0)))
			return []Value{e.Reshape(grid, append(append([]int{size[0]}, extents...), n))}
		}, Sample{S(2, 2, 3), []int{2, 1, 3, 4}, false}, Sample{S(1, 3, 4), []int{1, 1, 2, 3, 2}, true})
}

// centres returns n places from -1 to 1: the ends with align_corners, else the middles of
// n equal parts.
func (e Emit) centres(c *Call, n int) Value {
	d := c.DTypeOf(0)
	if n <= 1 {
		return e.Full([]int{n}, 0, d)
	}
	v := e.Call("linspace", -1.0, 1.0, n, d)
	if !c.Bool(2) {
		v = e.Mul(v, float64(n-1)/float64(n))
	}
	return v
}
