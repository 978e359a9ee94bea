package guard

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

const (
	function = "guards"
	mark     = "acap.guards"
)

// Find returns the function with the guards of a module, or nil if the module is right for all inputs.
func Find(module *mlir.Operation) *mlir.Operation {
	if f := module.Func(function); f != nil && f.Body() != nil && f.Attrs.Get(mark) != nil {
		return f
	}
	return nil
}

// Names returns what the guards of a function are, as it was written, with their places. Another number of results than
// two for each text is an error, and so are two results of different types.
func Names(f *mlir.Operation) ([]string, error) {
	list, ok := f.Attrs.Get(mark).(mlir.ArrayAttr)
	end := f.Body().Terminator()
	if !ok || end == nil || len(end.Operands) != 2*len(list) {
		return nil, f.Errorf("%s needs a text for each two results", mark)
	}
	names := make([]string, len(list))
	for i, a := range list {
		name, ok := a.(mlir.StringAttr)
		if !ok || fmt.Sprint(end.Operands[2*i].Type) != fmt.Sprint(end.Operands[2*i+1].Type) {
			return nil, f.Errorf("%s: element %d is no text of two results of one type", mark, i)
		}
		names[i] = string(name)
	}
	return names, nil
}

// Add makes a function the guards of a module, with what they are.
func Add(module, f *mlir.Operation, names []string) {
	list := make(mlir.ArrayAttr, len(names))
	for i, name := range names {
		list[i] = mlir.StringAttr(name)
	}
	f.Attrs = f.Attrs.With("sym_name", mlir.StringAttr(function)).With(mark, list)
	module.Body().Append(f)
}

// Take takes the guards out of a module. It returns nil if there are none.
func Take(module *mlir.Operation) *mlir.Operation {
	f := Find(module)
	if f != nil {
		body := module.Body()
		body.Ops = slices.DeleteFunc(body.Ops, func(op *mlir.Operation) bool { return op == f })
	}
	return f
}
