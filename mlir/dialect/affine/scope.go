package affine

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// The values that may stand in an affine expression: a dimension is the index of a loop around, or affine in such
// indices; a symbol does not change within the function.

// isScope reports whether op is where affine analysis ends: a function or a module. So do operations of unknown
// dialects.
func isScope(op *mlir.Operation) bool {
	return op.Def() == nil || op.Name == "func.func" || op.Name == "builtin.module"
}

// scopeOf returns the nearest scope around op, or nil.
func scopeOf(op *mlir.Operation) *mlir.Operation {
	for op = op.Parent(); op != nil && !isScope(op); op = op.Parent() {
	}
	return op
}

// owner is the operation whose region a value belongs to.
func owner(v *mlir.Value) *mlir.Operation {
	if v.Def != nil {
		return v.Def.Parent()
	}
	if v.Owner != nil && v.Owner.Region != nil {
		return v.Owner.Region.Parent
	}
	return nil
}

// isTop reports whether a value belongs to the body of a scope itself.
func isTop(v *mlir.Value) bool {
	o := owner(v)
	return o != nil && isScope(o)
}

// surrounds reports whether a scope stands in a region of o and sees its values.
func surrounds(o, scope *mlir.Operation) bool {
	for p := scope; p != nil; p = p.Parent() {
		if p == o {
			return true
		}
		if p.Def().Has(mlir.IsolatedFromAbove) {
			return false
		}
	}
	return false
}

// isSymbol reports whether v may be a symbol within a scope.
func isSymbol(v *mlir.Value, scope *mlir.Operation) bool {
	if !mlir.SameType(v.Type, mlir.Index) {
		return false
	}
	if isTop(v) || surrounds(owner(v), scope) {
		return true
	}
	op := v.Def
	switch {
	case op == nil:
		return false
	case op.Def() == nil:
		return false
	case op.Def().Has(mlir.ConstantLike):
		return true
	case op.Name == "affine.apply":
		for _, operand := range op.Operands {
			if !isSymbol(operand, scope) {
				return false
			}
		}
		return true
	case isExtent(op):
		return isTop(op.Operands[0]) || extentKnown(op, scope)
	}
	return false
}

// isExtent reports whether op asks for an extent of a tensor or of memory.
func isExtent(op *mlir.Operation) bool { return op.Name == "memref.dim" || op.Name == "tensor.dim" }

// extentKnown reports whether an extent of memory was a symbol when the memory was made.
func extentKnown(op *mlir.Operation, scope *mlir.Operation) bool {
	source, index := op.Operands[0].Def, op.Operands[1].Def
	if source == nil || index == nil || !index.Def().Has(mlir.ConstantLike) {
		return false
	}
	i, ok := index.Attrs.Get("value").(mlir.IntegerAttr)
	shape, _, ranked := mlir.ShapeOf(op.Operands[0].Type)
	if !ok || !ranked || i.Value < 0 || int(i.Value) >= len(shape) {
		return false
	}
	first := 0
	switch source.Name {
	case "memref.alloc":
	case "memref.view":
		first = 2
	case "memref.subview":
		parts, _ := mlir.IntList(source.Attrs.Get(segments))
		if len(parts) != 4 {
			return false
		}
		first = parts[0] + parts[1]
	default:
		return false
	}
	for d := range int(i.Value) {
		if shape[d] < 0 {
			first++
		}
	}
	return shape[i.Value] >= 0 || first < len(source.Operands) && isSymbol(source.Operands[first], scope)
}

// isDim reports whether v may be a dimension within a scope.
func isDim(v *mlir.Value, scope *mlir.Operation) bool {
	switch {
	case !mlir.SameType(v.Type, mlir.Index):
		return false
	case isSymbol(v, scope):
		return true
	case v.Def == nil:
		o := owner(v)
		return o != nil && (o.Name == "affine.for" || o.Name == "affine.parallel")
	case v.Def.Name == "affine.apply":
		for _, operand := range v.Def.Operands {
			if !isDim(operand, scope) {
				return false
			}
		}
		return true
	case isExtent(v.Def):
		return isTop(v.Def.Operands[0])
	}
	return false
}

// checkInputs checks the values that are the inputs of a map of dims dimensions.
func checkInputs(op *mlir.Operation, dims int, inputs []*mlir.Value) error {
	scope := scopeOf(op)
	for i, v := range inputs {
		switch {
		case i < dims && !isDim(v, scope):
			return fmt.Errorf("operand cannot be used as a dimension id")
		case i >= dims && !isSymbol(v, scope):
			return fmt.Errorf("operand cannot be used as a symbol")
		}
	}
	return nil
}

// checkIndices checks values that may be either.
func checkIndices(op *mlir.Operation, inputs []*mlir.Value) error {
	return checkInputs(op, len(inputs), inputs)
}

// checkTypes checks that values are indices.
func checkTypes(values []*mlir.Value) error {
	for _, v := range values {
		if !mlir.SameType(v.Type, mlir.Index) {
			return fmt.Errorf("works on values of type index, not %s", v.Type)
		}
	}
	return nil
}
