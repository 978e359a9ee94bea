package stablehlo

import (
	"github.com/go-acap/acap/mlir"
)

// indexSelect takes slices of a dimension by their numbers, for each of the leading batches by its own.
func (c *block) indexSelect(op *mlir.Operation) {
	in := c.in(op)
	x, index := in[0], in[1]
	dims, places := shapeOf(x), shapeOf(index)
	dim, batches := c.integer(op, "dim", 0), c.integer(op, "batch_dims", 0)
	if dim < 0 {
		dim += len(dims)
	}
	if batches < 0 {
		batches += len(places)
	}
	if dim < 0 || dim >= len(dims) || batches < 0 || batches > dim || batches > len(places) || isFloat(elemOf(index)) {
		c.fail("the dimension %d and %d batches of %s by %s", dim, batches, x.Type, index.Type)
	}
	many := len(places) - batches // dimensions of the result in place of dim
	unsigned := isUnsigned(operandElem(op, 1))
	c.set(op, c.generic(elemOf(x), resultShape(op), nil, func(s scalars, _ []*mlir.Value) *mlir.Value {
		at := make([]*mlir.Value, len(places))
		for i := range at {
			at[i] = s.index(i)
			if i >= batches {
				at[i] = s.index(dim + i - batches)
			}
		}
		from := make([]*mlir.Value, len(dims))
		for i := range from {
			switch {
			case i < dim:
				from[i] = s.index(i)
			case i > dim:
				from[i] = s.index(i + many - 1)
			default:
				from[i] = s.bounded(s.position(s.extract(index, at...), unsigned), dims[dim]-1)
			}
		}
		return s.extract(x, from...)
	}))
}
