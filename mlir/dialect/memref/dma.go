package memref

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// The operands of a transfer stand in one row: each memory with its indices, whose
// number is its rank, then the numbers of elements.

// rankOf is the number of indices of a memory, or -1 if the value is none.
func rankOf(v *mlir.Value) int {
	if t, ok := v.Type.(mlir.MemRefType); ok {
		return len(t.Shape)
	}
	return -1
}

// dmaParts splits the operands of a transfer: counts says how many values stand behind
// each memory and its indices. The stride and the elements per stride are left.
func dmaParts(op *mlir.Operation, counts ...int) (parts [][]*mlir.Value, rest []*mlir.Value, err error) {
	rest = op.Operands
	take := func(n int) bool {
		if n < 0 || n > len(rest) {
			return false
		}
		parts, rest = append(parts, rest[:n]), rest[n:]
		return true
	}
	for _, n := range counts {
		if len(rest) == 0 || rankOf(rest[0]) < 0 || !take(1+rankOf(rest[0])) || !take(n) {
			return nil, nil, fmt.Errorf("needs memories with an index for each dimension, and numbers of elements")
		}
	}
	return parts, rest, nil
}

func verifyDMAStart(op *mlir.Operation) error {
	_, rest, err := dmaParts(op, 0, 1, 0)
	if err == nil && len(rest) != 0 && len(rest) != 2 {
		err = fmt.Errorf("takes a stride and the elements of a stride, or neither")
	}
	return err
}

func verifyDMAWait(op *mlir.Operation) error {
	_, rest, err := dmaParts(op, 1)
	if err == nil && len(rest) != 0 {
		err = fmt.Errorf("has %d operands too many", len(rest))
	}
	return err
}

// noAttributes: upstream's form of a start has no place for any.
func noAttributes(op *mlir.Operation) bool { return len(op.Attrs) == 0 }

// element is %m[%i, …] as it is read.
type element struct {
	memory  mlir.Ref
	indices []mlir.Ref
}

func readElement(p *mlir.Parser) element {
	return element{p.Operand(), p.OperandList("[", "]")}
}

func (e element) resolve(p *mlir.Parser, op *mlir.Operation, t mlir.Type) {
	op.Operands = append(op.Operands, p.Resolve(e.memory, t))
	p.ResolveIndices(op, e.indices)
}

// parseDMAStart reads %src[%i], %dst[%j], %n, %tag[%k], %stride, %each {…} : T, U, V.
func parseDMAStart(p *mlir.Parser, op *mlir.Operation) {
	source := readElement(p)
	p.Expect(",")
	dest := readElement(p)
	p.Expect(",")
	number := p.OperandsN(1)
	p.Expect(",")
	tag := readElement(p)
	var stride []mlir.Ref
	if p.Accept(",") {
		stride = p.OperandsN(2)
	}
	op.Attrs = p.AttrDict()
	p.Expect(":")
	types := p.TypeList()
	if !p.Failed() && len(types) != 3 {
		p.Errorf("a transfer shows three types: source, destination and tag")
	}
	if p.Failed() {
		return
	}
	source.resolve(p, op, types[0])
	dest.resolve(p, op, types[1])
	p.ResolveIndices(op, number)
	tag.resolve(p, op, types[2])
	p.ResolveIndices(op, stride)
	op.SetResults()
}

func printDMAStart(p *mlir.Printer, op *mlir.Operation) {
	parts, rest, _ := dmaParts(op, 0, 1, 0)
	p.Text(" ")
	printElement(p, parts[0])
	p.Text(", ")
	printElement(p, parts[2])
	p.Text(", ")
	p.Values(parts[3])
	p.Text(", ")
	printElement(p, parts[4])
	if len(rest) > 0 {
		p.Text(", ")
		p.Values(rest)
	}
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.TypesOf([]*mlir.Value{parts[0][0], parts[2][0], parts[4][0]})
}

// parseDMAWait reads %tag[%k], %n {…} : T.
func parseDMAWait(p *mlir.Parser, op *mlir.Operation) {
	tag := readElement(p)
	p.Expect(",")
	number := p.OperandsN(1)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	tag.resolve(p, op, p.Type())
	p.ResolveIndices(op, number)
	op.SetResults()
}

func printDMAWait(p *mlir.Printer, op *mlir.Operation) {
	parts, _, _ := dmaParts(op, 1)
	p.Text(" ")
	printElement(p, parts[0])
	p.Text(", ")
	p.Values(parts[1])
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}
