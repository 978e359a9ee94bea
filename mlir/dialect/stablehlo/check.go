package stablehlo

import "github.com/go-acap/acap/mlir"

// The dialect check is that of StableHLO's own tests: what a result must be.
func init() {
	d := &mlir.Dialect{Name: "check"}
	for _, name := range []string{"expect_eq", "expect_almost_eq", "expect_close"} {
		d.Ops = append(d.Ops,
			mlir.OpDef{Name: "check." + name, Operands: 2, Parse: parseExpect},
			mlir.OpDef{Name: "check." + name + "_const", Operands: 1, Parse: parseExpectConstant})
	}
	mlir.RegisterDialect(d)
}

// parseExpect reads %a, %b, max_ulp_difference = 1 {…} : T, U.
func parseExpect(p *mlir.Parser, op *mlir.Operation) {
	refs, more := operands(p)
	for more {
		word := p.Keyword()
		p.Expect("=")
		op.Attrs = append(op.Attrs, mlir.Named{Name: word, Value: p.Attr()})
		more = p.Accept(",")
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	types := p.TypeList()
	for len(types) == 1 && len(refs) == 2 {
		types = append(types, types[0])
	}
	op.Operands = p.ResolveAll(refs, types)
}

// parseExpectConstant reads %a, dense<…> : T, tolerance = 0.1 {…}.
func parseExpectConstant(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	p.Expect(",")
	value := p.Attr()
	op.Attrs = append(op.Attrs, mlir.Named{Name: "value", Value: value})
	for p.Accept(",") {
		word := p.Keyword()
		p.Expect("=")
		op.Attrs = append(op.Attrs, mlir.Named{Name: word, Value: p.Attr()})
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	t := mlir.TypeOf(value)
	if t == nil {
		p.Errorf("the expected value must be elements with a type")
		return
	}
	op.Operands = []*mlir.Value{p.Resolve(r, t)}
}
