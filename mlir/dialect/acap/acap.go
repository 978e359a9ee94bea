package acap

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// operations are the operations of the dialect. Each has a file of its own, which registers it.
var operations []mlir.OpDef

// Kernels says which kernel an operation becomes: one of its own, that reads and writes whole tensors in order and that
// nothing is fused with.
var Kernels = map[string]Kernel{}

// Kernel is how an operation becomes a kernel.
type Kernel struct {
	Kind string // for names of kernels
	// Of makes the kernel of an operation from the ports of its operands and then of its results.
	Of func(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel
}

// register adds an operation. Files call it where they initialise a variable, which is before the dialect is
// registered.
func register(def mlir.OpDef) struct{} {
	operations = append(operations, def)
	return struct{}{}
}

func init() { mlir.RegisterDialect(&mlir.Dialect{Name: "acap", Ops: operations}) }

// Verify checks an operation that may not have come from a parser, before it is run. The error says what is wrong with
// the operation.
func Verify(op *mlir.Operation) error {
	def := op.Def()
	if def == nil || len(op.Operands) != def.Operands || len(op.Results) != def.Results {
		return fmt.Errorf("there is no such operation with %d operands and %d results",
			len(op.Operands), len(op.Results))
	}
	return def.Verify(op)
}
