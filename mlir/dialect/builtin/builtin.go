package builtin

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "builtin", Upstream: true, Ops: []mlir.OpDef{{
		Name: "builtin.module",
		Traits: mlir.IsolatedFromAbove | mlir.SymbolTable | mlir.SingleBlock |
			mlir.NoTerminator | mlir.GraphRegion,
		Regions:        1,
		Verify:         verifyModule,
		Parse:          parseModule,
		Print:          printModule,
		DefaultDialect: "builtin",
	}, {
		Name:     "builtin.unrealized_conversion_cast",
		Traits:   mlir.Pure,
		Operands: mlir.Variadic,
		Results:  mlir.Variadic,
		Verify:   verifyConversion,
		Parse:    parseConversion,
		Print:    printConversion,
	}}})
}

// verifyModule checks that nothing is passed to the body, and that attributes belong to symbols or dialects.
func verifyModule(op *mlir.Operation) error {
	if b := op.Body(); b == nil || len(b.Args) > 0 {
		return fmt.Errorf("needs a body of one block without arguments")
	}
	for _, a := range op.Attrs {
		if !strings.Contains(a.Name, ".") && a.Name != "sym_name" && a.Name != "sym_visibility" {
			return fmt.Errorf("has the attribute '%s', which is of no dialect", a.Name)
		}
	}
	return nil
}

// verifyConversion checks that a conversion gives something.
func verifyConversion(op *mlir.Operation) error {
	if len(op.Results) == 0 {
		return fmt.Errorf("needs a result")
	}
	return nil
}

// parseModule reads @name attributes {…} { … }, the first two being optional.
func parseModule(p *mlir.Parser, op *mlir.Operation) {
	if p.NextSymbol() {
		op.Attrs = mlir.Attrs{{Name: "sym_name", Value: mlir.StringAttr(p.Symbol())}}
	}
	if p.Accept("attributes") {
		op.Attrs = append(op.Attrs, p.AttrDict()...)
	}
	if r := p.Region(op, nil); len(r.Blocks) == 0 {
		r.AddBlock()
	}
}

func printModule(p *mlir.Printer, op *mlir.Operation) {
	if name, ok := op.Attrs.Get("sym_name").(mlir.StringAttr); ok {
		p.Text(" ")
		p.Symbol(string(name))
	}
	if rest := op.Attrs.Without("sym_name"); len(rest) > 0 {
		p.Text(" attributes ")
		p.Attrs(rest)
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, true)
}

// parseConversion reads %a, %b : T, U to V.
func parseConversion(p *mlir.Parser, op *mlir.Operation) {
	if refs := p.Operands(); len(refs) > 0 {
		p.Expect(":")
		op.Operands = p.ResolveAll(refs, p.TypeList())
	}
	p.Expect("to")
	op.SetResults(p.TypeList()...)
	op.Attrs = p.AttrDict()
}

func printConversion(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
		p.Text(" : ")
		p.TypesOf(op.Operands)
	}
	p.Text(" to ")
	p.TypesOf(op.Results)
	p.OptionalAttrs(op.Attrs)
}
