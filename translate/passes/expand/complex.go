package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

func init() {
	for _, name := range []string{"view_as_complex", "view_as_real"} { // the parts are the tensor
		hosted[name] = func(c *hostCall) []*mlir.Value { return c.op.Operands[:1] }
	}
}

// partsOf is a tensor of the parts of complex numbers; other types stay.
func partsOf(t mlir.Type) mlir.Type {
	tensor, ok := t.(mlir.TensorType)
	if !ok {
		return t
	}
	if c, ok := tensor.Elem.(mlir.ComplexType); ok {
		tensor.Shape, tensor.Elem = append(slices.Clone(tensor.Shape), 2), c.Elem
		return tensor
	}
	return t
}

func isComplex(v *mlir.Value) bool {
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		return false
	}
	_, ok = t.Elem.(mlir.ComplexType)
	return ok
}

// splitComplex changes the types of complex tensors in place. It reports false, and changes nothing, if
// something else than the given calls computes with them.
func splitComplex(module *mlir.Operation, calls map[*mlir.Operation]*hostCall) bool {
	var values []*mlir.Value
	var functions []*mlir.Operation
	possible := true
	module.Walk(func(op *mlir.Operation) {
		touched := slices.ContainsFunc(op.Operands, isComplex) || slices.ContainsFunc(op.Results, isComplex)
		if touched && calls[op] == nil && op.Name != "func.return" && op.Name != "func.call" {
			possible = false
		}
		values = append(values, op.Results...)
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				values = append(values, b.Args...)
			}
		}
		if op.Name == "func.func" {
			functions = append(functions, op)
		}
	})
	if !possible {
		return false
	}
	for _, v := range values {
		v.Type = partsOf(v.Type)
	}
	for _, f := range functions {
		a, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
		t, ok := a.Type.(mlir.FunctionType)
		if !ok {
			continue
		}
		split := mlir.FunctionType{}
		for _, in := range t.Inputs {
			split.Inputs = append(split.Inputs, partsOf(in))
		}
		for _, out := range t.Results {
			split.Results = append(split.Results, partsOf(out))
		}
		f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: split})
	}
	return true
}
