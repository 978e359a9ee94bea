package walk

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Needed returns the first operation of a module that may need a walk to run, or nil. A
// module with operations of PyTorch has none: those are lowered first.
func Needed(module *mlir.Operation) *mlir.Operation {
	var first *mlir.Operation
	lowered := true
	module.Walk(func(op *mlir.Operation) {
		if first == nil && needs(op) {
			first = op
		}
		if dialect := mlir.DialectOf(op.Name); dialect == nil || !dialect.Upstream {
			lowered = false
		}
	})
	if !lowered {
		return nil
	}
	return first
}

// walked are the dialects whose operations no group holds.
var walked = map[string]bool{"memref": true, "affine": true, "vector": true, "bufferization": true, "complex": true,
	"index": true}

// listed are the operations whose indices, offsets, sizes, strides and paddings may be operands, with the number of
// their other operands. Groups take constants.
var listed = map[string]int{"tensor.extract_slice": 1, "tensor.insert_slice": 2, "tensor.insert": 2, "tensor.pad": 1}

func needs(op *mlir.Operation) bool {
	dialect, _, _ := strings.Cut(op.Name, ".")
	switch op.Name {
	case "scf.parallel", "scf.forall", "func.call_indirect", "func.constant", "tensor.rank", "tensor.pack", "tensor.unpack", "linalg.pack", "linalg.unpack",
		"tensor.gather", "tensor.scatter", "tensor.splat", "linalg.softmax", "cf.assert", "ub.poison":
		return true
	case "affine.apply": // the bodies of groups have it too
		return op.Parent() == nil || !strings.HasPrefix(op.Parent().Name, "linalg.")
	}
	if walked[dialect] {
		return true
	}
	if plain, ok := listed[op.Name]; ok {
		for _, v := range op.Operands[min(plain, len(op.Operands)):] {
			if mlir.ConstantValue(v) == nil {
				return true
			}
		}
	}
	for _, list := range [][]*mlir.Value{op.Operands, op.Results} {
		for _, v := range list {
			if beyond(v.Type) {
				return true
			}
		}
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, a := range b.Args {
				if beyond(a.Type) {
					return true
				}
			}
		}
	}
	return false
}

// beyond reports types that groups do not take: memory, vectors, open extents.
func beyond(t mlir.Type) bool {
	switch t := t.(type) {
	case mlir.TensorType:
		_, static := mlir.NumElements(t.Shape)
		return !static
	case mlir.UnrankedTensorType, mlir.MemRefType, mlir.UnrankedMemRefType, mlir.VectorType, mlir.ComplexType:
		return true
	}
	return false
}
