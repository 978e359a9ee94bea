package complex

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const (
	flags     = "fastmath: param(arith.fastmath) = none"
	withFlags = " (`fastmath` `` $fastmath^)? attr-dict `:` "
)

// twoNumbers checks the parts of a constant.
func twoNumbers(op *mlir.Operation) error {
	list, ok := op.Attrs.Get("value").(mlir.ArrayAttr)
	if !ok || len(list) != 2 {
		return fmt.Errorf("needs an array of two numbers, not %s", op.Attrs.Get("value"))
	}
	return nil
}

func init() {
	pure := mlir.Pure | mlir.Elementwise
	ops := []assembly.Op{
		{Name: "complex.constant", Traits: mlir.Pure, Results: "complex", Attrs: "value: array",
			Format: "$value attr-dict `:` type($complex)", ResultName: "cst", Verify: twoNumbers},
		{Name: "complex.create", Traits: mlir.Pure, Operands: "real: elem(complex), imaginary: elem(complex)",
			Results: "complex", Format: "$real `,` $imaginary attr-dict `:` type($complex)"},
		{Name: "complex.bitcast", Traits: mlir.Pure, Operands: "operand", Results: "result",
			Format: "$operand attr-dict `:` type($operand) `to` type($result)"},
	}
	for _, name := range []string{"exp", "expm1", "log", "log1p", "neg", "sign", "sin", "cos", "sqrt", "rsqrt",
		"tan", "tanh", "conj"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "complex",
			Results: "result: complex", Attrs: flags, Format: "$complex" + withFlags + "type($complex)"})
	}
	for _, name := range []string{"abs", "angle", "re", "im"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "complex",
			Results: "result: elem(complex)", Attrs: flags, Format: "$complex" + withFlags + "type($complex)"})
	}
	for _, name := range []string{"add", "sub", "mul", "div", "atan2", "pow"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "lhs: result, rhs: result",
			Results: "result", Attrs: flags, Format: "$lhs `,` $rhs" + withFlags + "type($result)"})
	}
	for _, name := range []string{"eq", "neq"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "lhs, rhs: lhs",
			Results: "result: i1", Format: "$lhs `,` $rhs attr-dict `:` type($lhs)"})
	}
	assembly.Register("complex", ops)
}
