package lowering

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// ReturnElimination has functions write their results to memory that the caller allocates. A function that returns
// tensors of known extents gets this memory as its last arguments and returns nothing. The error is always nil.
func ReturnElimination(module *mlir.Operation) error {
	changed := map[string]bool{}
	for _, f := range module.Funcs() {
		sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
		t, _ := sig.Type.(mlir.FunctionType)
		if len(t.Results) == 0 || slices.ContainsFunc(t.Results, func(t mlir.Type) bool { return !mlir.IsStaticTensor(t) }) {
			continue
		}
		changed[f.Symbol()] = true
		inputs := slices.Clone(t.Inputs)
		for _, r := range t.Results {
			inputs = append(inputs, memoryOf(r))
		}
		f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{Inputs: inputs}}).Without("res_attrs")
		if list, ok := f.Attrs.Get("arg_attrs").(mlir.ArrayAttr); ok {
			for range t.Results {
				list = append(list[:len(list):len(list)], mlir.DictAttr{})
			}
			f.Attrs = f.Attrs.With("arg_attrs", list)
		}
		if f.Body() != nil {
			for _, r := range t.Results {
				f.Body().AddArg(memoryOf(r))
			}
		}
	}
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		switch op.Name {
		case "func.return":
			if f := op.Parent(); f != nil && changed[f.Symbol()] {
				args := f.Body().Args
				args = args[len(args)-len(op.Operands):]
				for i, v := range op.Operands {
					r.Create("bufferization.materialize_in_destination", []*mlir.Value{v, args[i]}, nil, mlir.Attrs{
						{Name: "restrict", Value: mlir.UnitAttr{}}, {Name: "writable", Value: mlir.UnitAttr{}}})
				}
				op.Operands = nil
			}
		case "func.call":
			callee, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
			if len(callee) != 1 || !changed[callee[0]] {
				return nil
			}
			operands := slices.Clone(op.Operands)
			var memory []*mlir.Value
			for _, result := range op.Results {
				m := r.Create("memref.alloc", nil, []mlir.Type{memoryOf(result.Type)}, mlir.Attrs{
					{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{0, 0}}}}).Result()
				memory = append(memory, m)
			}
			r.Create("func.call", append(operands, memory...), nil, op.Attrs)
			results := make([]*mlir.Value, len(memory))
			for i, m := range memory {
				results[i] = r.Create("bufferization.to_tensor", []*mlir.Value{m}, []mlir.Type{op.Results[i].Type},
					mlir.Attrs{{Name: "restrict", Value: mlir.UnitAttr{}}, {Name: "writable", Value: mlir.UnitAttr{}}}).Result()
			}
			r.Replace(results...)
		}
		return nil
	})
}

func memoryOf(t mlir.Type) mlir.Type {
	tensor := t.(mlir.TensorType)
	return mlir.MemRefType{Shape: tensor.Shape, Elem: tensor.Elem}
}
