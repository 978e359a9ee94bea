package upstream

import "github.com/go-acap/acap/mlir"

// withoutSigns changes tensors of unsigned numbers to tensors of signless ones, which LLVM has
// alone, and removes the casts between the two.
func withoutSigns(module *mlir.Operation) error {
	module.Walk(func(op *mlir.Operation) {
		retype(op.Results)
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				retype(b.Args)
			}
		}
		a, ok := op.Attrs.Get("function_type").(mlir.TypeAttr)
		if t, isFunction := a.Type.(mlir.FunctionType); ok && isFunction {
			op.Attrs = op.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
				Inputs: signlessTypes(t.Inputs), Results: signlessTypes(t.Results)}})
		}
	})
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name == "tensor.bitcast" && mlir.SameType(op.Operands[0].Type, op.Result().Type) {
			r.Replace(op.Operands[0])
		}
		return nil
	})
}

func retype(values []*mlir.Value) {
	for _, v := range values {
		v.Type = signless(v.Type)
	}
}

func signlessTypes(types []mlir.Type) []mlir.Type {
	out := make([]mlir.Type, len(types))
	for i, t := range types {
		out[i] = signless(t)
	}
	return out
}

func signless(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		t.Elem = signless(t.Elem)
		return t
	case mlir.IntegerType:
		t.Signedness = mlir.Signless
		return t
	}
	return t
}
