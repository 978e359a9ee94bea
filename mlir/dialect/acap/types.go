package acap

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// maxRank bounds what a verified operation asks of those who run it.
const maxRank = 64

// static returns the type of a value, which must be a tensor of static shape with
// elements of a known type.
func static(what string, v *mlir.Value) (mlir.TensorType, error) {
	t, ok := v.Type.(mlir.TensorType)
	if ok {
		_, ok = mlir.NumElements(t.Shape)
	}
	d := mlir.DTypeOf(t.Elem)
	if !ok || len(t.Shape) > maxRank || !d.Valid() || d.IsComplex() {
		return t, fmt.Errorf("%s must be a tensor of real numbers with a static shape, not %s", what, v.Type)
	}
	return t, nil
}

func positionsOf(t mlir.TensorType) mlir.TensorType {
	return mlir.TensorType{Shape: t.Shape, Elem: mlir.I64}
}

func wantType(what string, v *mlir.Value, t mlir.Type) error {
	if !mlir.SameType(v.Type, t) {
		return fmt.Errorf("%s must be %s, not %s", what, t, v.Type)
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// extents is the shape of a tensor.
func extents(v *mlir.Value) []int {
	t, _ := v.Type.(mlir.TensorType)
	return t.Shape
}

// linesOf splits the shape of the operand at the axis of the operation.
func linesOf(op *mlir.Operation) kernel.Lines {
	dims, axis := extents(op.Operands[0]), Axis(op)
	return kernel.Lines{Outer: shape.Size(dims[:axis]), N: dims[axis], Inner: shape.Size(dims[axis+1:])}
}
