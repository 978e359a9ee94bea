package sdy

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/mlir"
)

func init() {
	note := func(name string) mlir.OpDef {
		return mlir.OpDef{Name: name, Operands: 1, Results: 1, Traits: mlir.Pure, Verify: sameType, Parse: parseNote, Print: printNote,
			Properties: []string{"sharding"}}
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "sdy", CheckUse: checkAxes, Ops: []mlir.OpDef{
		{Name: "sdy.mesh", Properties: []string{"mesh", "sym_name"}, Parse: parseMesh, Print: printMesh, Verify: hasMesh},
		note("sdy.sharding_constraint"), note("sdy.reshard"),
		{Name: "sdy.manual_computation", Operands: mlir.Variadic, Results: mlir.Variadic, Regions: 1,
			Properties: []string{"in_shardings", "manual_axes", "out_shardings"},
			Parse:      func(p *mlir.Parser, _ *mlir.Operation) { p.Errorf("sdy.manual_computation " + several) },
			Verify:     func(*mlir.Operation) error { return errors.New(several) }},
		{Name: "sdy.return", Operands: mlir.Variadic, Traits: mlir.Pure | mlir.Terminator},
	}})
}

// several says why a computation by parts is refused.
const several = "(shard_map of JAX) is the work of each of several devices, and here is one: export the program without it"

func hasMesh(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("mesh").(mlir.OpaqueAttr); !ok || op.Symbol() == "" {
		return fmt.Errorf("needs a name and a mesh")
	}
	return nil
}

func sameType(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("sharding").(mlir.OpaqueAttr); !ok {
		return fmt.Errorf("needs a sharding")
	}
	if x, y := op.Operands[0].Type, op.Results[0].Type; !mlir.SameType(x, y) {
		return fmt.Errorf("gives %s of %s", y, x)
	}
	return nil
}

// parseMesh reads @name = <["x"=2]> {…}.
func parseMesh(p *mlir.Parser, op *mlir.Operation) {
	name := p.Symbol()
	p.Expect("=")
	op.Attrs = append(mlir.Attrs{{Name: "mesh", Value: mlir.OpaqueAttr{Text: "#sdy.mesh" + p.Bracketed()}},
		{Name: "sym_name", Value: mlir.StringAttr(name)}}, p.AttrDict()...)
	op.SetResults()
}

func printMesh(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Symbol(op.Symbol())
	p.Text(" = " + inner(op, "mesh"))
	p.OptionalAttrs(op.Attrs, "sym_name", "mesh")
}

// parseNote reads %x <@mesh, [{"x"}]> {…} : T.
func parseNote(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	op.Attrs = mlir.Attrs{{Name: "sharding", Value: mlir.OpaqueAttr{Text: "#sdy.sharding" + p.Bracketed()}}}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(x, t)}
	op.SetResults(t)
}

func printNote(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" " + inner(op, "sharding"))
	p.OptionalAttrs(op.Attrs, "sharding")
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// inner is the text of an attribute of the dialect behind its name.
func inner(op *mlir.Operation, name string) string {
	a, _ := op.Attrs.Get(name).(mlir.OpaqueAttr)
	for i, c := range a.Text {
		if c == '<' {
			return a.Text[i:]
		}
	}
	return "<>"
}
