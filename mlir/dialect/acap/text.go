package acap

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// parseAxis reads axis 1.
func parseAxis(p *mlir.Parser) int {
	p.Expect("axis")
	return p.Int()
}

func printFlag(p *mlir.Printer, op *mlir.Operation, name string) {
	if op.Attrs.Get(name) != nil {
		p.Text(" " + name)
	}
}

func printNumber(p *mlir.Printer, op *mlir.Operation, keyword, name string) {
	p.Text(" " + keyword + " " + strconv.Itoa(integer(op, name)))
}

// parseScan reads max %x axis 1 positions unsigned : T.
func parseScan(p *mlir.Parser, op *mlir.Operation) {
	kind, x := p.Keyword(), p.Operand()
	axis := parseAxis(p)
	positions := p.Accept("positions")
	op.Attrs = scanning(kind, axis, positions, p.Accept("unsigned"))
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(x, t)}
	if tensor, ok := t.(mlir.TensorType); ok && positions {
		t = positionsOf(tensor)
	}
	op.SetResults(t)
}

func printScan(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" " + Kind(op) + " ")
	p.Value(op.Operands[0])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "positions")
	printFlag(p, op, "unsigned")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

// parseSort reads %x axis 1 descending unsigned from 2 : T to U.
func parseSort(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	o := Order{Axis: parseAxis(p), Descending: p.Accept("descending"), Unsigned: p.Accept("unsigned")}
	if p.Accept("from") {
		o.First = p.Int()
	}
	op.Attrs = o.attributes()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(x, p.Type())}
	values := op.Operands[0].Type
	if p.Accept("to") {
		values = p.Type()
	}
	t, ok := values.(mlir.TensorType)
	if !ok && !p.Failed() {
		p.ErrorAt(op.Loc, "acap.sort gives tensors, not %s", values)
	}
	op.SetResults(values, positionsOf(t))
}

func printSort(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "descending")
	printFlag(p, op, "unsigned")
	if First(op) != 0 {
		printNumber(p, op, "from", "first")
	}
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	if t := op.Results[0].Type; !mlir.SameType(t, op.Operands[0].Type) {
		p.Text(" to ")
		p.Type(t)
	}
}

// parseScatter reads add %u at %i into %x axis 0 unsigned : T, U into V.
func parseScatter(p *mlir.Parser, op *mlir.Operation) {
	kind := p.Keyword()
	refs := []mlir.Ref{p.Operand()}
	p.Expect("at")
	refs = append(refs, p.Operand())
	p.Expect("into")
	refs = append(refs, p.Operand())
	axis := parseAxis(p)
	op.Attrs = folding(kind, axis, p.Accept("unsigned"))
	p.Expect(":")
	types := []mlir.Type{p.Type()}
	p.Expect(",")
	types = append(types, p.Type())
	p.Expect("into")
	types = append(types, p.Type())
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(types[2])
}

func printScatter(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" " + Kind(op) + " ")
	p.Value(op.Operands[0])
	p.Text(" at ")
	p.Value(op.Operands[1])
	p.Text(" into ")
	p.Value(op.Operands[2])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "unsigned")
	p.Text(" : ")
	p.TypesOf(op.Operands[:2])
	p.Text(" into ")
	p.Type(op.Operands[2].Type)
}

// parseRandom reads %key, %counter : T.
func parseRandom(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	p.Expect(":")
	number := mlir.TensorType{Shape: []int{}, Elem: mlir.I64}
	op.Operands = p.ResolveAll(refs, []mlir.Type{number, number})
	op.SetResults(p.Type())
}

func printRandom(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseUnpack reads %x q8_0 rounds : T.
func parseUnpack(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	format := p.Keyword()
	op.Attrs = unpacking(format, p.Accept("rounds"))
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(x, p.Type())}
	t, ok := op.Operands[0].Type.(mlir.TensorType)
	if !ok && !p.Failed() {
		p.ErrorAt(op.Loc, "acap.unpack reads a tensor, not %s", op.Operands[0].Type)
	}
	op.SetResults(unpacked(t, Format(op)))
}

func printUnpack(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" " + Format(op).String())
	printFlag(p, op, "rounds")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}
