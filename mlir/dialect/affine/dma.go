package affine

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// The operands of a transfer stand in one row: each memory with the inputs of the map
// of its indices, then the numbers of elements.

// dmaParts splits the operands of a transfer at the memories whose maps are named. The numbers are left.
func dmaParts(op *mlir.Operation, maps ...string) (parts [][]*mlir.Value, rest []*mlir.Value, err error) {
	rest = op.Operands
	for _, name := range maps {
		m := mapAttr(op, name)
		if m == nil {
			return nil, nil, fmt.Errorf("requires attribute '%s'", name)
		}
		n := 1 + m.Dims + m.Symbols
		if n > len(rest) {
			return nil, nil, fmt.Errorf("has too few operands for '%s'", name)
		}
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return parts, rest, nil
}

func verifyDMA(numbers []int, maps ...string) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		parts, rest, err := dmaParts(op, maps...)
		if err != nil {
			return err
		}
		for i, part := range parts {
			t, ok := part[0].Type.(mlir.MemRefType)
			if !ok || len(t.Shape) != len(mapAttr(op, maps[i]).Results) {
				return fmt.Errorf("'%s' needs a result for each dimension of %s", maps[i], part[0].Type)
			}
			if err := checkIndices(op, part[1:]); err != nil {
				return err
			}
		}
		if err := checkTypes(rest); err != nil {
			return err
		}
		for _, n := range numbers {
			if len(rest) == n {
				return nil
			}
		}
		return fmt.Errorf("has a wrong number of operands")
	}
}

// parseDMA reads %m[…], …, %n, %stride, %each {…} : T, … with one memory for each map.
func parseDMA(maps ...string) func(*mlir.Parser, *mlir.Operation) {
	return func(p *mlir.Parser, op *mlir.Operation) {
		memories := make([]mlir.Ref, len(maps))
		indices := make([][]mlir.Ref, len(maps))
		var attrs mlir.Attrs
		for i, name := range maps {
			var m mlir.AffineMap
			memories[i], indices[i], m = parseAccess(p)
			attrs = append(attrs, mlir.Named{Name: name, Value: mlir.AffineMapAttr{Map: m}})
			p.Expect(",")
		}
		var numbers []mlir.Ref
		for p.NextOperand() { // upstream takes a comma behind the last one
			numbers = append(numbers, p.Operand())
			if !p.Accept(",") {
				break
			}
		}
		op.Attrs = append(attrs, p.AttrDict()...)
		p.Expect(":")
		types := p.TypeList()
		if !p.Failed() && len(types) != len(maps) {
			p.Errorf("a transfer shows the type of each memory: %d, not %d", len(maps), len(types))
		}
		if p.Failed() {
			return
		}
		for i, t := range types {
			op.Operands = append(op.Operands, p.Resolve(memories[i], t))
			p.ResolveIndices(op, indices[i])
		}
		p.ResolveIndices(op, numbers)
		op.SetResults()
	}
}

func printDMA(maps ...string) func(*mlir.Printer, *mlir.Operation) {
	return func(p *mlir.Printer, op *mlir.Operation) {
		parts, rest, _ := dmaParts(op, maps...)
		var memories []*mlir.Value
		p.Text(" ")
		for i, name := range maps {
			printAccess(p, *mapAttr(op, name), parts[i][0], parts[i][1:])
			p.Text(", ")
			memories = append(memories, parts[i][0])
		}
		p.Values(rest)
		p.OptionalAttrs(op.Attrs, maps...)
		p.Text(" : ")
		p.TypesOf(memories)
	}
}

var (
	startMaps = []string{"src_map", "dst_map", "tag_map"}
	waitMaps  = []string{"tag_map"}
)

var transfers = []mlir.OpDef{
	{Name: "affine.dma_start", Operands: any, Verify: verifyDMA([]int{1, 3}, startMaps...),
		Shows: func(op *mlir.Operation) bool { return len(op.Attrs) == len(startMaps) }, // upstream's form has no place for more
		Parse: parseDMA(startMaps...), Print: printDMA(startMaps...)},
	{Name: "affine.dma_wait", Operands: any, Verify: verifyDMA([]int{1}, waitMaps...),
		Parse: parseDMA(waitMaps...), Print: printDMA(waitMaps...)},
}
