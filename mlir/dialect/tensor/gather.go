package tensor

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// gathered and scattered check the slices that positions select: the last dimension of the indices
// has a number for each dimension that they give.
func gathered(op *mlir.Operation) error {
	source, _ := typeOf(op.Operands[0])
	return selected(op, "gather_dims", source, op.Operands[1], op.Results[0])
}

func scattered(op *mlir.Operation) error {
	if op.Attrs.Get("unique") == nil {
		return fmt.Errorf("requires attribute 'unique'")
	}
	dest, _ := typeOf(op.Operands[1])
	return selected(op, "scatter_dims", dest, op.Operands[2], op.Operands[0])
}

// selected checks that v holds the slices of t along the dimensions that an attribute names. Their
// dimensions of one element may be left out.
func selected(op *mlir.Operation, name string, t mlir.TensorType, indices, v *mlir.Value) error {
	dims, _ := mlir.IntList(op.Attrs.Get(name))
	if len(dims) == 0 || len(dims) > len(t.Shape) {
		return fmt.Errorf("%s lists %d of %d dimensions", name, len(dims), len(t.Shape))
	}
	for i, d := range dims {
		if d < 0 || d >= len(t.Shape) || i > 0 && d <= dims[i-1] {
			return fmt.Errorf("%s lists dimensions of %s in their order, not %v", name, t, dims)
		}
	}
	at, _ := typeOf(indices)
	outer := at.Shape[:len(at.Shape)-1]
	if n := at.Shape[len(outer)]; n != mlir.Dynamic && n != len(dims) {
		return fmt.Errorf("%s gives %d numbers for %d dimensions", at, n, len(dims))
	}
	full, short := slices.Clone(outer), slices.Clone(outer)
	for d, n := range t.Shape {
		if slices.Contains(dims, d) {
			full = append(full, 1)
			continue
		}
		full, short = append(full, n), append(short, n)
	}
	if got, _ := typeOf(v); !slices.Equal(got.Shape, full) && !slices.Equal(got.Shape, short) {
		return fmt.Errorf("the slices have the extents %v, not the type %s", full, v.Type)
	}
	return nil
}
