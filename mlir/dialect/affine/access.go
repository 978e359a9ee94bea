package affine

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// parseAccess reads %m[%i + 2, symbol(%n)]: the indices are affine expressions over
// values. It returns the memory, the values and the map.
func parseAccess(p *mlir.Parser) (memory mlir.Ref, refs []mlir.Ref, m mlir.AffineMap) {
	memory = p.Operand()
	m, refs = p.AffineMapOfValues("[", "]")
	return memory, refs, m
}

func printAccess(p *mlir.Printer, m mlir.AffineMap, memory *mlir.Value, operands []*mlir.Value) {
	p.Value(memory)
	p.Text("[")
	p.AffineMapOfValues(m, operands)
	p.Text("]")
}

// parseLoad reads %m[…] {…} : T, and : T, V for a vector.
func parseLoad(p *mlir.Parser, op *mlir.Operation) {
	memory, refs, m := parseAccess(p)
	op.Attrs = append(mlir.Attrs{{Name: "map", Value: mlir.AffineMapAttr{Map: m}}}, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	_, elem, _ := mlir.ShapeOf(t)
	if op.Name == "affine.vector_load" {
		p.Expect(",")
		elem = p.Type()
	}
	op.Operands = []*mlir.Value{p.Resolve(memory, t)}
	p.ResolveIndices(op, refs)
	op.SetResults(elem)
}

func printLoad(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	printAccess(p, *mapAttr(op, "map"), op.Operands[0], op.Operands[1:])
	p.OptionalAttrs(op.Attrs, "map")
	p.Text(" : ")
	p.TypesOf(op.Operands[:1])
	if op.Name == "affine.vector_load" {
		p.Text(", ")
		p.TypesOf(op.Results)
	}
}

// parseStore reads %v, %m[…] {…} : T, and : T, V for a vector.
func parseStore(p *mlir.Parser, op *mlir.Operation) {
	v := p.Operand()
	p.Expect(",")
	memory, refs, m := parseAccess(p)
	op.Attrs = append(mlir.Attrs{{Name: "map", Value: mlir.AffineMapAttr{Map: m}}}, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	_, elem, _ := mlir.ShapeOf(t)
	if op.Name == "affine.vector_store" {
		p.Expect(",")
		elem = p.Type()
	}
	op.Operands = []*mlir.Value{p.Resolve(v, elem), p.Resolve(memory, t)}
	p.ResolveIndices(op, refs)
	op.SetResults()
}

func printStore(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(", ")
	printAccess(p, *mapAttr(op, "map"), op.Operands[1], op.Operands[2:])
	p.OptionalAttrs(op.Attrs, "map")
	p.Text(" : ")
	p.TypesOf(op.Operands[1:2])
	if op.Name == "affine.vector_store" {
		p.Text(", ")
		p.TypesOf(op.Operands[:1])
	}
}

// parsePrefetch reads %m[…], read, locality<3>, data {…} : T.
func parsePrefetch(p *mlir.Parser, op *mlir.Operation) {
	memory, refs, m := parseAccess(p)
	write, locality, data := p.PrefetchHints()
	op.Attrs = append(mlir.Attrs{{Name: "isDataCache", Value: data}, {Name: "isWrite", Value: write},
		{Name: "localityHint", Value: locality},
		{Name: "map", Value: mlir.AffineMapAttr{Map: m}}}, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(memory, p.Type())}
	p.ResolveIndices(op, refs)
	op.SetResults()
}

func printPrefetch(p *mlir.Printer, op *mlir.Operation) {
	number := func(name string) int64 {
		a, _ := op.Attrs.Get(name).(mlir.IntegerAttr)
		return a.Value
	}
	access, cache := "read", "instr"
	if number("isWrite") != 0 {
		access = "write"
	}
	if number("isDataCache") != 0 {
		cache = "data"
	}
	p.Text(" ")
	printAccess(p, *mapAttr(op, "map"), op.Operands[0], op.Operands[1:])
	p.Text(", " + access + ", locality<" + strconv.FormatInt(number("localityHint"), 10) + ">, " + cache)
	p.OptionalAttrs(op.Attrs, "isDataCache", "isWrite", "localityHint", "map")
	p.Text(" : ")
	p.TypesOf(op.Operands[:1])
}
