package group

import (
	"errors"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// Supported is the support of the engine of this module: nil for an operation that it can
// compile as part of a group, or why it cannot.
func Supported(op *mlir.Operation) error {
	switch {
	case OnDevice(op):
		return nil
	case !aten.Is(op):
		return errors.New("it is no operator on tensors")
	case ops.Lookup(op.Name) == nil:
		return errors.New("there is no such operator")
	}
	return errors.New("the operator has no form for kernels and runs as a Go function")
}

// HasComplex reports whether a function takes or returns complex tensors, which no group
// can hold.
func HasComplex(f *mlir.Operation) bool {
	sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := sig.Type.(mlir.FunctionType)
	for _, types := range [][]mlir.Type{t.Inputs, t.Results} {
		for _, t := range types {
			if t, ok := t.(mlir.TensorType); ok && mlir.DTypeOf(t.Elem).IsComplex() {
				return true
			}
		}
	}
	return false
}

// computing are the dialects whose operations compute tensors without control flow.
var computing = map[string]bool{"arith": true, "math": true, "tensor": true, "linalg": true, "acap": true}

// OnDevice reports whether an operation can be part of a group: an aten operation with
// a lowering, or one of linalg's world already. Operations in its regions do not count, but for operations that belong
// to the host.
func OnDevice(op *mlir.Operation) bool {
	dialect, _, _ := strings.Cut(op.Name, ".")
	if !computing[dialect] {
		return lowering.Lowers(op)
	}
	on := true
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				on = on && (OnDevice(inner) && !aten.Is(inner))
			}
		}
	}
	return on
}

func isConstantOp(op *mlir.Operation) bool { return op.Name == "arith.constant" }

func isConstant(v *mlir.Value) bool { return v.Def != nil && isConstantOp(v.Def) }
