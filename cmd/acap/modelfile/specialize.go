package modelfile

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// Specialized is a copy of a module in which the extents of the inputs are known, and those that
// follow from them; nil if it still needs a walk.
func Specialized(module *mlir.Operation, inputs []*buf.Buffer) *mlir.Operation {
	closed := module.Clone(map[*mlir.Value]*mlir.Value{})
	f, err := compiler.EntryOf(closed)
	if err != nil {
		return nil
	}
	types := make([]mlir.Type, len(inputs))
	for i, b := range inputs {
		types[i] = mlir.Tensor(b.DType, b.Shape)
	}
	if simplify.Specialize(closed, f, types) != nil || mlir.Verify(closed) != nil || walk.Needed(closed) != nil {
		return nil
	}
	return closed
}
