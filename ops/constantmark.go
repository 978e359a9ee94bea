package ops

import "github.com/go-acap/acap/mlir"

// ConstantMark is the attribute of arguments of functions that hold the same data in many runs, such as weights.
const ConstantMark = "acap.constant"

// ConstantArguments reports for each argument of a func.func whether [ConstantMark] marks it.
func ConstantArguments(f *mlir.Operation) []bool {
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	marked := make([]bool, len(signature.Inputs))
	list, _ := f.Attrs.Get("arg_attrs").(mlir.ArrayAttr)
	for i := range min(len(list), len(marked)) {
		d, _ := list[i].(mlir.DictAttr)
		marked[i] = mlir.Attrs(d).Get(ConstantMark) != nil
	}
	return marked
}
