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
			Verify: ranked(ranks[name]),
			Parse:  mlir.ParseFunctional, Print: mlir.PrintFunctional})
	}
	d.Ops = append(d.Ops, variables()...)
	d.Unknown = func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: any, Results: any, Regions: any}
	}
	mlir.RegisterDialect(d)
}

// ranks are the numbers of dimensions of the first operands.
var ranks = map[string][]int{"matmul": {3, 3}, "conv2d": {4, 4}, "depthwise_conv2d": {4, 4},
	"transpose_conv2d": {4, 4}, "conv3d": {5, 5}, "fully_connected": {2, 2}, "avg_pool2d": {4}, "max_pool2d": {4}}

// ranked checks operands whose rank is known.
func ranked(want []int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		if len(op.Operands) < len(want) {
			return fmt.Errorf("needs %d operands, not %d", len(want), len(op.Operands))
		}
		for i, n := range want {
			if t, ok := op.Operands[i].Type.(mlir.TensorType); ok && t.Shape != nil && len(t.Shape) != n {
				return fmt.Errorf("operand %d must have %d dimensions, not the type %s", i, n, t)
			}
		}
		return nil
	}
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
