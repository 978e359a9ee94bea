package tosa

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

// names are the operations of the form "%a, %b {…} : (T, U) -> V".
var names = []string{"argmax", "avg_pool2d", "conv2d", "conv3d", "depthwise_conv2d", "fft2d", "fully_connected",
	"matmul", "max_pool2d", "rfft2d", "transpose_conv2d", "clamp", "sigmoid", "tanh", "erf", "add",
	"arithmetic_right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "int_div", "logical_and",
	"logical_left_shift", "logical_right_shift", "logical_or", "logical_xor", "maximum", "minimum", "mul",
	"pow", "sub", "table", "abs", "bitwise_not", "ceil", "clz", "cos", "exp", "floor", "log", "logical_not",
	"negate", "reciprocal", "rsqrt", "sin", "select", "equal", "greater", "greater_equal", "reduce_all",
	"reduce_any", "reduce_max", "reduce_min", "reduce_prod", "reduce_sum", "concat", "pad", "reshape",
	"reverse", "slice", "tile", "transpose", "gather", "scatter", "resize", "cast", "rescale", "identity",
	"const_shape", "custom", "apply_scale"}

func init() {
	const any = mlir.Variadic
	d := &mlir.Dialect{Name: "tosa", Upstream: true, Ops: []mlir.OpDef{
		{Name: "tosa.const", Traits: mlir.Pure | mlir.ConstantLike, Results: 1},
		{Name: "tosa.cond_if", Operands: any, Results: any, Regions: 2, Traits: mlir.RecursiveEffects,
			Verify: hasBlocks, Shows: onlyCondition, Parse: parseChoice, Print: scf.PrintChoice},
		{Name: "tosa.while_loop", Operands: any, Results: any, Regions: 2, Traits: mlir.RecursiveEffects,
			Verify: hasBlocks, Parse: scf.ParseWhile, Print: scf.PrintWhile},
		{Name: "tosa.yield", Traits: mlir.Pure | mlir.Terminator, Operands: any,
			Parse: mlir.ParseReturn, Print: mlir.PrintReturn},
	}}
	for _, name := range names {
		d.Ops = append(d.Ops, mlir.OpDef{Name: "tosa." + name, Traits: mlir.Pure, Operands: any, Results: any,
			Parse: mlir.ParseFunctional, Print: mlir.PrintFunctional})
	}
	d.Ops = append(d.Ops, variables()...)
	d.Unknown = func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: any, Results: any, Regions: any}
	}
	mlir.RegisterDialect(d)
}

// parseChoice reads the form of scf.if with a condition that is a tensor.
func parseChoice(p *mlir.Parser, op *mlir.Operation) {
	scf.ParseChoice(p, op, mlir.TensorType{Shape: []int{}, Elem: mlir.I1})
}

// onlyCondition: the form of a choice has no place for what is passed to the blocks.
func onlyCondition(op *mlir.Operation) bool {
	scalar := mlir.TensorType{Shape: []int{}, Elem: mlir.I1}
	return len(op.Operands) == 1 && mlir.SameType(op.Operands[0].Type, scalar) && len(op.Regions[1].Blocks) > 0
}

func hasBlocks(op *mlir.Operation) error {
	for _, r := range op.Regions {
		if len(r.Blocks) != 1 || r.Blocks[0].Terminator() == nil {
			return fmt.Errorf("needs regions of one block")
		}
	}
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs an operand")
	}
	return nil
}
