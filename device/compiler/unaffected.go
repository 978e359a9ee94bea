package compiler

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// unaffected says which settings of a configuration ask for other arithmetic and found nothing to change in a module
// after its passes. wide tells that no value had the type of the mixed precision before them.
func unaffected(module *mlir.Operation, config device.Config, wide bool) (list []string) {
	if to := config.Autocast(); to != dtype.Invalid && wide && !hasType(module, to) {
		text := fmt.Sprintf("amp %v changes nothing: no operator of aten in the program computes in %v", to, to)
		if written := dialectOf(module); written != "" {
			text += "; operations of " + written + ", which StableHLO becomes as well, compute in the types that they are written with"
		}
		list = append(list, text)
	}
	if f := config.Weights(); f != dtype.Plain && !has(module, "aten._to_"+f.String()) {
		list = append(list, fmt.Sprintf("weights %v change nothing: no product of matrices in the program has constant weights of "+
			"f32, bf16 or f16 (in a lazy program nn.Freeze and Tensor.Freeze say what is constant)", f))
	}
	if config.BF16() == device.BF16Emulated && !has(module, "aten._to_"+dtype.BFP16.String()) {
		list = append(list, "bf16 as bfp16 changes nothing: no product of matrices of aten in the program has two operands of bf16")
	}
	return list
}

// has reports whether a module has an operation of a name.
func has(module *mlir.Operation, name string) bool {
	found := false
	module.Walk(func(op *mlir.Operation) { found = found || op.Name == name })
	return found
}

// hasType reports whether an operation gives tensors of a type.
func hasType(module *mlir.Operation, d dtype.DType) bool {
	found := false
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			if t, ok := v.Type.(mlir.TensorType); ok {
				found = found || mlir.DTypeOf(t.Elem) == d
			}
		}
	})
	return found
}

// dialectOf names the dialect of products that are not aten's, if there are any.
func dialectOf(module *mlir.Operation) string {
	name := ""
	module.Walk(func(op *mlir.Operation) {
		if strings.HasPrefix(op.Name, "linalg.") {
			name = "linalg"
		}
	})
	return name
}
