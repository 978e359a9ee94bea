package ops

import "github.com/go-acap/acap/base/shape"

// meshgrid spans a grid: result i is vector i, repeated along the other dimensions.
func init() {
	for _, schema := range []string{
		"meshgrid(Tensor[] tensors) -> Tensor[]",
		"meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
	} {
		sample := Sample{[]T{S(2), S(3)}}
		if schema[8] == '.' {
			sample = append(sample, "xy")
		}
		register(&Op{
			Schema: schema,
			Infer: func(c *Call) error {
				list := c.Tensors(0)
				dims, err := gridOf(c)
				if err != nil {
					return err
				}
				for _, v := range list {
					c.Result(v.Type().DType, dims)
				}
				return nil
			},
			Expand: func(e Emit, c *Call) []Value {
				list := c.Tensors(0)
				out := make([]Value, len(list))
				for i, v := range list {
					at := i
					if swapsGrid(c) && i < 2 {
						at = 1 - i
					}
					dims := ones(len(list))
					dims[at] = shape.Size(v.Type().Shape)
					out[i] = e.Expand(e.Reshape(v, dims), c.Out[i].Shape)
				}
				return out
			},
			Samples: samplesOf(sample),
		})
	}
}

// swapsGrid reports "xy" indexing: the first two dimensions change places.
func swapsGrid(c *Call) bool {
	return len(c.Args) > 1 && c.Args[1].Text() == "xy" && len(c.Tensors(0)) > 1
}

func gridOf(c *Call) ([]int, error) {
	list := c.Tensors(0)
	if len(list) == 0 {
		return nil, c.ArgErrorf("needs at least one tensor")
	}
	if len(c.Args) > 1 && c.Args[1].Text() != "xy" && c.Args[1].Text() != "ij" {
		return nil, c.ArgErrorf("indexing must be \"xy\" or \"ij\", got %q", c.Args[1].Text())
	}
	var dims []int
	for i, v := range list {
		if len(v.Type().Shape) > 1 {
			return nil, c.ShapeErrorf("tensor %d must have at most one dimension, got %s", i,
				shape.String(v.Type().Shape))
		}
		dims = append(dims, shape.Size(v.Type().Shape))
	}
	if swapsGrid(c) {
		dims[0], dims[1] = dims[1], dims[0]
	}
	return dims, nil
}
