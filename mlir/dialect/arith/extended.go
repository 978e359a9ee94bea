package arith

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// extended defines a product of twice the width: low and high half.
func extended(name string) mlir.OpDef {
	return mlir.OpDef{
		Name: "arith." + name, Operands: 2, Results: 2,
		Traits: mlir.Pure | mlir.Elementwise | mlir.Commutative | mlir.SameOperandsAndResultType,
		Verify: intBinary.verify,
		Parse: func(p *mlir.Parser, op *mlir.Operation) {
			intBinary.parse(p, op)
			if !p.Failed() {
				op.SetResults(op.Operands[0].Type, op.Operands[0].Type)
			}
		},
		Print:      intBinary.print,
		ResultName: func(_ *mlir.Operation, i int) string { return [...]string{"low", "high"}[i] },
	}
}

// addExtended is a sum with its carry.
var addExtended = mlir.OpDef{
	Name: "arith.addui_extended", Operands: 2, Results: 2,
	Traits: mlir.Pure | mlir.Elementwise | mlir.Commutative | mlir.SameTypeOperands,
	Verify: func(op *mlir.Operation) error {
		if want := boolLike(op.Operands[0].Type); !mlir.SameType(op.Results[1].Type, want) || !mlir.SameType(op.Results[0].Type, op.Operands[0].Type) {
			return fmt.Errorf("gives %s and %s, not %s and %s", op.Operands[0].Type, want, op.Results[0].Type, op.Results[1].Type)
		}
		return intBinary.verify(op)
	},
	Parse: func(p *mlir.Parser, op *mlir.Operation) {
		refs := p.OperandsN(2)
		op.Attrs = p.AttrDict()
		p.Expect(":")
		t := p.Type()
		p.Expect(",")
		op.Operands = []*mlir.Value{p.Resolve(refs[0], t), p.Resolve(refs[1], t)}
		op.SetResults(t, p.Type())
	},
	Print: func(p *mlir.Printer, op *mlir.Operation) {
		p.Text(" ")
		p.Values(op.Operands)
		p.OptionalAttrs(op.Attrs)
		p.Text(" : ")
		p.TypesOf(op.Results)
	},
	ResultName: func(_ *mlir.Operation, i int) string { return [...]string{"sum", "overflow"}[i] },
}
