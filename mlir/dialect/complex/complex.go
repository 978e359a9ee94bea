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
	t, _ := op.Results[0].Type.(mlir.ComplexType)
	for _, part := range list {
		if got := mlir.TypeOf(part); got == nil || !mlir.SameType(got, t.Elem) {
			return fmt.Errorf("the parts of a %s are of type %s, not %s", t, t.Elem, part)
		}
	}
	return nil
}

// recast checks that a complex number becomes bits of as many, or the other way round.
func recast(op *mlir.Operation) error {
	width := func(t mlir.Type) (bits int, pair bool) {
		if c, ok := t.(mlir.ComplexType); ok {
			return 2 * mlir.BitWidth(c.Elem), true
		}
		return mlir.BitWidth(t), false
	}
	from, to := op.Operands[0].Type, op.Results[0].Type
	n, complexFrom := width(from)
	m, complexTo := width(to)
	if n != m || !complexFrom && !complexTo {
		return fmt.Errorf("cannot cast the bits of %s to %s", from, to)
	}
	return nil
}

func init() {
	pure := mlir.Pure | mlir.Elementwise
	ops := []assembly.Op{
		{Name: "complex.constant", Traits: mlir.Pure, Results: "complex is complex", Attrs: "value: array",
			Format: "$value attr-dict `:` type($complex)", ResultName: "cst", Verify: twoNumbers},
		{Name: "complex.create", Traits: mlir.Pure, Operands: "real: elem(complex), imaginary: elem(complex)",
			Results: "complex is complex", Format: "$real `,` $imaginary attr-dict `:` type($complex)"},
		{Name: "complex.bitcast", Traits: mlir.Pure, Operands: "operand is complex | int | float", Results: "result is complex | int | float", Verify: recast,
			Format: "$operand attr-dict `:` type($operand) `to` type($result)"},
	}
	for _, name := range []string{"exp", "expm1", "log", "log1p", "neg", "sign", "sin", "cos", "sqrt", "rsqrt",
		"tan", "tanh", "conj"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "complex is complex",
			Results: "result: complex", Attrs: flags, Format: "$complex" + withFlags + "type($complex)"})
	}
	for _, name := range []string{"abs", "angle", "re", "im"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "complex is complex",
			Results: "result: elem(complex)", Attrs: flags, Format: "$complex" + withFlags + "type($complex)"})
	}
	for _, name := range []string{"add", "sub", "mul", "div", "atan2", "pow"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "lhs: result, rhs: result",
			Results: "result is complex", Attrs: flags, Format: "$lhs `,` $rhs" + withFlags + "type($result)"})
	}
	for _, name := range []string{"eq", "neq"} {
		ops = append(ops, assembly.Op{Name: "complex." + name, Traits: pure, Operands: "lhs is complex, rhs: lhs",
			Results: "result: i1", Format: "$lhs `,` $rhs attr-dict `:` type($lhs)"})
	}
	assembly.Register("complex", ops)
}
