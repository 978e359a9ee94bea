package scf

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// ensureYield gives the block of a region the empty yield that its text may lack.
func ensureYield(r *mlir.Region, loc mlir.Location) {
	assembly.EnsureTerminator(r, "scf.yield", loc)
}

// parseAssignments reads (%a = %x, %b = %y).
func parseAssignments(p *mlir.Parser) (args, inits []mlir.Ref) {
	p.List("(", ")", func() {
		args = append(args, p.Operand())
		p.Expect("=")
		inits = append(inits, p.Operand())
	})
	return args, inits
}

func blockArgs(p *mlir.Parser, refs []mlir.Ref, types []mlir.Type) []mlir.BlockArg {
	if len(refs) != len(types) {
		p.Errorf("%d values, but %d types", len(refs), len(types))
		return nil
	}
	args := make([]mlir.BlockArg, len(refs))
	for i := range refs {
		args[i] = mlir.BlockArg{Ref: refs[i], Type: types[i]}
	}
	return args
}

// parseFor reads unsigned %i = %a to %b step %c iter_args(%x = %init) -> (T) : U { … } {…}.
func parseFor(p *mlir.Parser, op *mlir.Operation) {
	unsigned := p.Accept("unsigned")
	i := p.Operand()
	p.Expect("=")
	bounds := []mlir.Ref{p.Operand()}
	p.Expect("to")
	bounds = append(bounds, p.Operand())
	p.Expect("step")
	bounds = append(bounds, p.Operand())
	var carried, inits []mlir.Ref
	var types []mlir.Type
	if p.Accept("iter_args") {
		carried, inits = parseAssignments(p)
		p.Expect("->")
		types = p.ResultTypes()
	}
	var t mlir.Type = mlir.Index
	if p.Accept(":") {
		t = p.Type()
	}
	for _, r := range bounds {
		op.Operands = append(op.Operands, p.Resolve(r, t))
	}
	op.Operands = append(op.Operands, p.ResolveAll(inits, types)...)
	args := []mlir.BlockArg{{Ref: i, Type: t}}
	args = append(args, blockArgs(p, carried, types)...)
	ensureYield(p.Region(op, args), op.Loc)
	op.Attrs = p.AttrDict()
	if unsigned {
		op.Attrs = append(op.Attrs, mlir.Named{Name: unsignedAttr, Value: mlir.UnitAttr{}})
	}
	op.SetResults(types...)
}

func printFor(p *mlir.Printer, op *mlir.Operation) {
	args := op.Body().Args
	if op.Attrs.Get(unsignedAttr) != nil {
		p.Text(" unsigned")
	}
	p.Text(" ")
	p.Value(args[0])
	p.Text(" = ")
	p.Value(op.Operands[0])
	p.Text(" to ")
	p.Value(op.Operands[1])
	p.Text(" step ")
	p.Value(op.Operands[2])
	if len(args) > 1 {
		p.Text(" iter_args(")
		printAssignments(p, args[1:], op.Operands[3:])
		p.Text(") -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	if t := args[0].Type; !mlir.SameType(t, mlir.Index) {
		p.Text(" : ")
		p.Type(t)
		p.Text(" ")
	}
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs, unsignedAttr)
}

func printAssignments(p *mlir.Printer, args, inits []*mlir.Value) {
	for i := range args {
		if i > 0 {
			p.Text(", ")
		}
		p.Value(args[i])
		p.Text(" = ")
		p.Value(inits[i])
	}
}

func parseIf(p *mlir.Parser, op *mlir.Operation) { parseChoice(p, op, mlir.I1) }

// parseChoice reads %c -> (T) { … } else { … } {…} with a condition of the given type.
func parseChoice(p *mlir.Parser, op *mlir.Operation, condition mlir.Type) {
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), condition)}
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	ensureYield(p.Region(op, nil), op.Loc)
	if p.Accept("else") {
		ensureYield(p.Region(op, nil), op.Loc)
	} else {
		op.AddRegion()
	}
	op.Attrs = p.AttrDict()
}

// printChoice writes what [parseChoice] reads.
func printChoice(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	if len(op.Results) > 0 {
		p.Text(" -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	if len(op.Regions[1].Blocks) > 0 {
		p.Text(" else ")
		p.Region(op.Regions[1], false, len(op.Results) > 0)
	}
	p.OptionalAttrs(op.Attrs)
}

// ParseWhile reads (%a = %x) : (T) -> (U) { … } do { … } attributes {…}.
func ParseWhile(p *mlir.Parser, op *mlir.Operation) {
	var args, inits []mlir.Ref
	if p.Next("(") {
		args, inits = parseAssignments(p)
	}
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = p.ResolveAll(inits, t.Inputs)
	op.SetResults(t.Results...)
	p.Region(op, blockArgs(p, args, t.Inputs))
	p.Expect("do")
	p.Region(op, nil)
	op.Attrs = p.AttrDictWithKeyword()
}

// PrintWhile writes what [ParseWhile] reads.
func PrintWhile(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text(" (")
		printAssignments(p, op.Body().Args, op.Operands)
		p.Text(")")
	}
	p.Text(" : ")
	p.FunctionType(op)
	p.Text(" ")
	p.Region(op.Regions[0], false, true)
	p.Text(" do ")
	p.Region(op.Regions[1], true, true)
	if len(op.Attrs) > 0 {
		p.Text(" attributes ")
		p.Attrs(op.Attrs)
	}
}

// parseCondition reads (%c) {…} %a, %b : T, U.
func parseCondition(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	c := p.Operand()
	p.Expect(")")
	op.Attrs = p.AttrDict()
	op.Operands = []*mlir.Value{p.Resolve(c, mlir.I1)}
	if refs := p.Operands(); len(refs) > 0 {
		p.Expect(":")
		op.Operands = append(op.Operands, p.ResolveAll(refs, p.TypeList())...)
	}
}

func printCondition(p *mlir.Printer, op *mlir.Operation) {
	p.Text("(")
	p.Value(op.Operands[0])
	p.Text(")")
	p.OptionalAttrs(op.Attrs)
	if rest := op.Operands[1:]; len(rest) > 0 {
		p.Text(" ")
		p.Values(rest)
		p.Text(" : ")
		p.TypesOf(rest)
	}
}
