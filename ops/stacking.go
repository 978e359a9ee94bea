package ops

import "github.com/go-acap/acap/base/shape"

// Spellings of cat and stack that give tensors of low rank more dimensions first.
func init() {
	for i, name := range []string{"atleast_1d", "atleast_2d", "atleast_3d"} {
		rank := i + 1
		composite(name+"(Tensor self) -> Tensor", func(e Emit, c *Call) []Value {
			return []Value{e.atLeast(c.Tensor(0), rank)}
		}, Sample{S()}, Sample{S(2)}, Sample{S(2, 3)})
	}
	for _, o := range []struct {
		names     []string
		rank, dim int
	}{
		{[]string{"hstack"}, 1, 1}, {[]string{"vstack", "row_stack"}, 2, 0}, {[]string{"dstack"}, 3, 2},
	} {
		for _, name := range o.names {
			composite(name+"(Tensor[] tensors) -> Tensor", func(e Emit, c *Call) []Value {
				list, dim := make([]Value, len(c.Tensors(0))), o.dim
				for i, v := range c.Tensors(0) {
					list[i] = e.atLeast(v, o.rank)
				}
				if name == "hstack" && len(list) > 0 && len(list[0].Type().Shape) == 1 {
					dim = 0
				}
				return e.Calls("cat", list, dim)
			}, Sample{[]T{S(3), S(3)}}, Sample{[]T{S(2, 3), S(2, 3)}})
		}
	}
	composite("column_stack(Tensor[] tensors) -> Tensor", func(e Emit, c *Call) []Value {
		list := make([]Value, len(c.Tensors(0)))
		for i, v := range c.Tensors(0) {
			if dims := v.Type().Shape; len(dims) < 2 {
				v = e.Reshape(v, []int{shape.Size(dims), 1})
			}
			list[i] = v
		}
		return e.Calls("cat", list, 1)
	}, Sample{[]T{S(3), S(3, 2)}})
	composite("broadcast_tensors(Tensor[] tensors) -> Tensor[]", func(e Emit, c *Call) []Value {
		return e.broadcastAll(c.Tensors(0))
	}, Sample{[]T{S(3), S(2, 1)}})
	composite("cartesian_prod(Tensor[] tensors) -> Tensor", func(e Emit, c *Call) []Value {
		list := c.Tensors(0)
		for _, v := range list {
			if dims := v.Type().Shape; len(dims) != 1 {
				panic(c.ShapeErrorf("needs vectors, got %s", shape.String(dims)))
			}
		}
		if len(list) == 1 {
			return list
		}
		grid := e.Calls("meshgrid.indexing", list, "ij")
		for i, v := range grid {
			grid[i] = e.Reshape(v, []int{shape.Size(v.Type().Shape)})
		}
		return e.Calls("stack", grid, 1)
	}, Sample{[]T{S(3), S(2)}}, Sample{[]T{S(3)}})
}

// atLeast gives v dimensions of extent 1: a vector becomes a row, a matrix the first two
// dimensions of three.
func (e Emit) atLeast(v Value, rank int) Value {
	dims := v.Type().Shape
	switch {
	case len(dims) >= rank:
		return v
	case len(dims) == 0:
		return e.Reshape(v, ones(rank))
	case rank == 3 && len(dims) == 2:
		return e.column(v)
	case rank == 3:
		return e.Reshape(v, []int{1, dims[0], 1})
	}
	return e.Call("unsqueeze", v, 0)
}

// broadcastAll expands tensors to their common shape.
func (e Emit) broadcastAll(list []Value) []Value {
	var dims []int
	for _, v := range list {
		var err error
		if dims, err = shape.Broadcast(dims, v.Type().Shape); err != nil {
			panic(err)
		}
	}
	out := make([]Value, len(list))
	for i, v := range list {
		out[i] = e.Expand(v, dims)
	}
	return out
}
