package tensor

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// parseEmpty reads (%d, …) {…} : T.
func parseEmpty(p *mlir.Parser, op *mlir.Operation) {
	p.ResolveIndices(op, p.OperandList("(", ")"))
	op.Attrs = p.AttrDict()
	p.Expect(":")
	op.SetResults(p.Type())
}

func printEmpty(p *mlir.Printer, op *mlir.Operation) {
	p.Text("(")
	p.Values(op.Operands)
	p.Text(")")
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseExtract reads %t[%i, …] {…} : T.
func parseExtract(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	indices := p.OperandList("[", "]")
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(ref, t)}
	p.ResolveIndices(op, indices)
	op.SetResults(elementOf(t))
}

func printExtract(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	printIndices(p, op.Operands[1:])
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

func printIndices(p *mlir.Printer, indices []*mlir.Value) {
	p.Text("[")
	p.Values(indices)
	p.Text("]")
}

// parseInsert reads %x into %t[%i, …] {…} : T.
func parseInsert(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	p.Expect("into")
	dest := p.Operand()
	indices := p.OperandList("[", "]")
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(x, elementOf(t)), p.Resolve(dest, t)}
	p.ResolveIndices(op, indices)
	op.SetResults(t)
}

func printInsert(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" into ")
	p.Value(op.Operands[1])
	printIndices(p, op.Operands[2:])
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[1].Type)
}

// parseDim reads %t, %i {…} : T.
func parseDim(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(refs[0], p.Type()), p.Resolve(refs[1], mlir.Index)}
	op.SetResults(mlir.Index)
}

func printDim(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

// parseRank reads %t {…} : T.
func parseRank(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	op.Attrs = p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	op.SetResults(mlir.Index)
}

func printRank(p *mlir.Printer, op *mlir.Operation) { printDim(p, op) }

// parseFromElements reads %x, %y {…} : T.
func parseFromElements(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	for _, r := range refs {
		op.Operands = append(op.Operands, p.Resolve(r, elementOf(t)))
	}
	op.SetResults(t)
}

func printFromElements(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
	}
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseSplat reads %x[%d, …] {…} : T.
func parseSplat(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	var dims []mlir.Ref
	if p.Next("[") {
		dims = p.OperandList("[", "]")
	}
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(ref, elementOf(t))}
	p.ResolveIndices(op, dims)
	op.SetResults(t)
}

func printSplat(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	if len(op.Operands) > 1 {
		printIndices(p, op.Operands[1:])
	}
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseReshape reads %t(%shape) {…} : (T, S) -> U.
func parseReshape(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	refs = append(refs, p.OperandList("(", ")")...)
	op.Attrs = p.AttrDict()
	p.Signature(op, refs)
}

func printReshape(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text("(")
	p.Value(op.Operands[1])
	p.Text(")")
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.FunctionType(op)
}

// parseConcat reads dim(0) %a, %b {…} : (T, T) -> U.
func parseConcat(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("dim")
	p.Expect("(")
	dim := p.Int()
	p.Expect(")")
	mlir.ParseFunctional(p, op)
	op.Attrs = append(mlir.Attrs{{Name: "dim", Value: mlir.Int(dim)}}, op.Attrs...)
}

func printConcat(p *mlir.Printer, op *mlir.Operation) {
	dim, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
	p.Text(" dim(" + strconv.FormatInt(dim.Value, 10) + ") ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs, "dim")
	p.Text(" : ")
	p.FunctionType(op)
}
