package funcdialect

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// parseIndirect reads %f(%a, %b) {…} : (T, U) -> V.
func parseIndirect(p *mlir.Parser, op *mlir.Operation) {
	f := p.Operand()
	refs := p.OperandList("(", ")")
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = append([]*mlir.Value{p.Resolve(f, t)}, p.ResolveAll(refs, t.Inputs)...)
	op.SetResults(t.Results...)
}

// ofFunction checks that a function as a value has the type of the function.
func ofFunction(op, f *mlir.Operation) error {
	if t := Type(f); !mlir.SameType(op.Results[0].Type, t) {
		return fmt.Errorf("gives %s, and the function is %s", op.Results[0].Type, t)
	}
	return nil
}

func verifyIndirect(op *mlir.Operation) error {
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs a function as its first operand")
	}
	t, ok := op.Operands[0].Type.(mlir.FunctionType)
	if !ok || !mlir.SameTypes(t.Inputs, mlir.TypesOf(op.Operands[1:])) ||
		!mlir.SameTypes(t.Results, mlir.TypesOf(op.Results)) {
		return fmt.Errorf("a function of type %s does not fit the operands and results", op.Operands[0].Type)
	}
	return nil
}

func printIndirect(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text("(")
	p.Values(op.Operands[1:])
	p.Text(")")
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}
