package acap

import "github.com/go-acap/acap/mlir"

var _ = register(mlir.OpDef{Name: "acap.after", Traits: mlir.Pure, Operands: 2, Results: 1,
	Verify: verifyAfter, Parse: parseAfter, Print: printAfter})

// After appends x, taken when y has been computed.
func After(b *mlir.Builder, x, y *mlir.Value) *mlir.Value {
	return b.Create("acap.after", []*mlir.Value{x, y}, []mlir.Type{x.Type}, nil).Result()
}

// parseAfter reads %x, %y : T, U.
func parseAfter(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	p.Expect(":")
	types := []mlir.Type{p.Type()}
	p.Expect(",")
	types = append(types, p.Type())
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(types[0])
}

func printAfter(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(", ")
	p.Value(op.Operands[1])
	p.Text(" : ")
	p.TypesOf(op.Operands)
}

func verifyAfter(op *mlir.Operation) error {
	x, err := static("the value", op.Operands[0])
	_, err2 := static("what comes before", op.Operands[1])
	return firstOf(err, err2, attributes(op, nil), wantType("the result", op.Results[0], x))
}
