package tosa

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// Variables are named memory. Their names are strings that the text shows as symbols.

func variables() []mlir.OpDef {
	return []mlir.OpDef{
		{Name: "tosa.variable", Verify: hasName, Parse: parseVariable, Print: printVariable},
		{Name: "tosa.variable.read", Results: 1, Verify: hasName, Parse: parseRead, Print: printRead},
		{Name: "tosa.variable.write", Operands: 1, Verify: hasName, Parse: parseWrite, Print: printWrite},
		{Name: "tosa.variable_read", Results: 1, Verify: hasName, Parse: parseRead, Print: printRead}, // since LLVM 21
		{Name: "tosa.variable_write", Operands: 1, Verify: hasName, Parse: parseWrite, Print: printWrite},
	}
}

func hasName(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("name").(mlir.StringAttr); !ok {
		return fmt.Errorf("requires attribute 'name'")
	}
	if _, ok := op.Attrs.Get("type").(mlir.TypeAttr); !ok && op.Name == "tosa.variable" {
		return fmt.Errorf("requires attribute 'type'")
	}
	return nil
}

func printName(p *mlir.Printer, op *mlir.Operation) {
	name, _ := op.Attrs.Get("name").(mlir.StringAttr)
	p.Text(" ")
	p.Symbol(string(name))
}

// parseVariable reads @x {…} = dense<…> : T, or @x {…} : T without contents.
func parseVariable(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = mlir.Attrs{{Name: "name", Value: mlir.StringAttr(p.Symbol())}}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	var t mlir.Type
	if p.Accept("=") {
		value := p.Attr()
		op.Attrs = append(op.Attrs, mlir.Named{Name: "initial_value", Value: value})
		if t = mlir.TypeOf(value); t == nil && !p.Failed() {
			p.Errorf("the contents of a variable need a type")
			return
		}
	} else {
		p.Expect(":")
		t = p.Type()
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: "type", Value: mlir.TypeAttr{Type: t}})
	op.SetResults()
}

func printVariable(p *mlir.Printer, op *mlir.Operation) {
	printName(p, op)
	p.OptionalAttrs(op.Attrs, "name", "initial_value", "type")
	if v := op.Attrs.Get("initial_value"); v != nil {
		p.Text(" = ")
		p.Attr(v)
		return
	}
	t, _ := op.Attrs.Get("type").(mlir.TypeAttr)
	p.Text(" : ")
	p.Type(t.Type)
}

// parseRead reads @x {…} : T.
func parseRead(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = mlir.Attrs{{Name: "name", Value: mlir.StringAttr(p.Symbol())}}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.SetResults(p.Type())
}

func printRead(p *mlir.Printer, op *mlir.Operation) {
	printName(p, op)
	p.OptionalAttrs(op.Attrs, "name")
	p.Text(" : ")
	p.TypesOf(op.Results)
}

// parseWrite reads @x, %v {…} : T.
func parseWrite(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = mlir.Attrs{{Name: "name", Value: mlir.StringAttr(p.Symbol())}}
	p.Expect(",")
	ref := p.Operand()
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	op.SetResults()
}

func printWrite(p *mlir.Printer, op *mlir.Operation) {
	printName(p, op)
	p.Text(", ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs, "name")
	p.Text(" : ")
	p.TypesOf(op.Operands)
}
