package stablehlo

import "github.com/go-acap/acap/mlir"

// The dialects check and interpreter serve StableHLO's own tests: they say what a result must be, and run programs side
// by side.
func init() {
	d := &mlir.Dialect{Name: "check"}
	for _, name := range []string{"expect_eq", "expect_almost_eq", "expect_close"} {
		d.Ops = append(d.Ops,
			mlir.OpDef{Name: "check." + name, Operands: 2, Parse: parseExpect},
			mlir.OpDef{Name: "check." + name + "_const", Operands: 1, Parse: parseExpectConstant})
	}
	d.Ops = append(d.Ops, mlir.OpDef{Name: "check.expect_serialized_eq", Operands: 1, Parse: parseExpect})
	mlir.RegisterDialect(d)
	mlir.RegisterDialect(&mlir.Dialect{Name: "interpreter", Ops: []mlir.OpDef{
		{Name: "interpreter.run_parallel", Operands: mlir.Variadic, Results: mlir.Variadic,
			Verify: func(op *mlir.Operation) error { return verifyRunParallel(facts{Operation: op}) }},
		{Name: "interpreter.print", Operands: 1, Parse: parseExpect},
		{Name: "interpreter.probe", Operands: 1, Results: 1, Parse: func(p *mlir.Parser, op *mlir.Operation) {
			parseExpect(p, op)
			op.SetResults(mlir.TypesOf(op.Operands)...)
		}},
	}})
}

// parseExpect reads %a, %b, max_ulp_difference = 1 {…} : T, U; the dictionary may stand behind the colon.
func parseExpect(p *mlir.Parser, op *mlir.Operation) {
	refs, more := operands(p)
	for more {
		named(p, op)
		more = p.Accept(",")
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	types := p.TypeList()
	if len(types) == 1 && p.Accept(":") { // that was the type of the last number
		types = p.TypeList()
	}
	for len(types) == 1 && len(refs) == 2 {
		types = append(types, types[0])
	}
	op.Operands = p.ResolveAll(refs, types)
}

// named reads word = value, a string or a number without a type.
func named(p *mlir.Parser, op *mlir.Operation) {
	word := p.Keyword()
	p.Expect("=")
	if p.NextString() {
		op.Attrs = append(op.Attrs, mlir.Named{Name: word, Value: mlir.StringAttr(p.Str())})
		return
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: word, Value: p.Number()})
}

// parseExpectConstant reads %a, dense<…> : T, tolerance = 0.1 {…}.
func parseExpectConstant(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	p.Expect(",")
	value := p.Attr()
	op.Attrs = append(op.Attrs, mlir.Named{Name: "value", Value: value})
	for p.Accept(",") {
		named(p, op)
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	t := mlir.TypeOf(value)
	if t == nil {
		p.Errorf("the expected value must be elements with a type")
		return
	}
	op.Operands = []*mlir.Value{p.Resolve(r, t)}
}
