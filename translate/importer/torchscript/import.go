package torchscript

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// Import returns the model's computation on inputs of the given types as a module of the aten
// dialect: one function main, whose arguments are forward's tensors. Parameters that the
// computation uses are constants, resources under their names. Every operation has its place in
// the model's code as its location, named after the module's path. An error is an [*Error] with the place in the
// model's code.
func (m *Model) Import(inputs []ops.TensorType) (*mlir.Operation, error) {
	return importer.Module(m.Name, m.InputNames(), inputs, m.Forward)
}

// Specialize is [Model.Import] for the given inputs: where the program needs the elements of a tensor,
// for a branch, a loop, a number or a shape, it takes them from there; what is computed from inputs is
// computed by run, which may be nil. An error is an [*Error] with the place in the model's code.
func (m *Model) Specialize(inputs []*buf.Buffer, run importer.Run) (*mlir.Operation, error) {
	return importer.Specialized(m.Name, m.InputNames(), inputs, run, m.Forward)
}
