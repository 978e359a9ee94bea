package memref

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// byHand are the operations whose form no description gives.
func byHand() []mlir.OpDef {
	const any = mlir.Variadic
	return []mlir.OpDef{{
		Name: "memref.global", Parse: parseGlobal, Print: printGlobal, Verify: verifyGlobal,
	}, {
		Name: "memref.alloca_scope", Results: any, Regions: 1, Traits: mlir.RecursiveEffects,
		Parse: parseScope, Print: printScope,
	}, {
		Name: "memref.extract_strided_metadata", Traits: mlir.Pure, Operands: 1, Results: any,
		Verify: verifyMetadata, Parse: parseMetadata, Print: printMetadata, ResultName: metadataName,
	}, {
		Name: "memref.generic_atomic_rmw", Operands: any, Results: 1, Regions: 1, Verify: verifyAtomic,
		Parse: parseGenericAtomic, Print: printGenericAtomic,
	}, {
		Name: "memref.prefetch", Operands: any, Verify: verifyPrefetch, Parse: parsePrefetch, Print: printPrefetch,
	}, {
		Name: "memref.dma_start", Operands: any, Verify: verifyDMAStart, Shows: noAttributes, Parse: parseDMAStart, Print: printDMAStart,
	}, {
		Name: "memref.dma_wait", Operands: any, Verify: verifyDMAWait, Parse: parseDMAWait, Print: printDMAWait,
	}, {
		Name: "memref.transpose", Traits: mlir.Pure, Operands: 1, Results: 1, Verify: verifyTranspose,
		Parse: parseTranspose, Print: printTranspose, ResultName: func(*mlir.Operation, int) string { return "transpose" },
	}}
}

func hasMemref(i int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		if len(op.Operands) > i {
			switch op.Operands[i].Type.(type) {
			case mlir.MemRefType, mlir.UnrankedMemRefType:
				return nil
			}
		}
		return fmt.Errorf("works on memory")
	}
}

// parseGlobal reads "private" constant @name : T = dense<…> {…}.
func parseGlobal(p *mlir.Parser, op *mlir.Operation) {
	var attrs mlir.Attrs
	if p.NextString() {
		attrs = append(attrs, mlir.Named{Name: "sym_visibility", Value: mlir.StringAttr(p.Str())})
	}
	if p.Accept("constant") {
		attrs = append(attrs, mlir.Named{Name: "constant", Value: mlir.UnitAttr{}})
	}
	name := p.Symbol()
	p.Expect(":")
	t := p.Type()
	attrs = append(attrs, mlir.Named{Name: "sym_name", Value: mlir.StringAttr(name)},
		mlir.Named{Name: "type", Value: mlir.TypeAttr{Type: t}})
	if p.Accept("=") {
		var value mlir.Attribute = mlir.UnitAttr{}
		if !p.Accept("uninitialized") {
			value = p.AttrOf(tensorOf(t))
		}
		attrs = append(attrs, mlir.Named{Name: "initial_value", Value: value})
	}
	op.Attrs = append(attrs, p.AttrDict()...)
	op.SetResults()
}

// tensorOf is the type of a global's elements.
func tensorOf(t mlir.Type) mlir.Type {
	if m, ok := t.(mlir.MemRefType); ok {
		return mlir.TensorType{Shape: m.Shape, Elem: m.Elem}
	}
	return t
}

func printGlobal(p *mlir.Printer, op *mlir.Operation) {
	if v := op.Attrs.Get("sym_visibility"); v != nil {
		p.Text(" ")
		p.Attr(v)
	}
	if op.Attrs.Get("constant") != nil {
		p.Text(" constant")
	}
	name, _ := op.Attrs.Get("sym_name").(mlir.StringAttr)
	p.Text(" ")
	p.Symbol(string(name))
	p.Text(" : ")
	t, _ := op.Attrs.Get("type").(mlir.TypeAttr)
	p.Type(t.Type)
	switch v := op.Attrs.Get("initial_value").(type) {
	case nil:
	case mlir.UnitAttr:
		p.Text(" = uninitialized")
	default:
		p.Text(" = ")
		p.AttrWithoutType(v)
	}
	p.OptionalAttrs(op.Attrs, "sym_visibility", "constant", "sym_name", "type", "initial_value")
}

// parseScope reads -> (T) { … } {…}.
func parseScope(p *mlir.Parser, op *mlir.Operation) {
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	assembly.EnsureTerminator(p.Region(op, nil), "memref.alloca_scope.return", op.Loc)
	op.Attrs = p.AttrDict()
}

func printScope(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ") // and a second one, as upstream has it
	if len(op.Results) > 0 {
		p.Text(" -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs)
}

// parseMetadata reads %m : T -> U, index, ….
func parseMetadata(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("->")
	op.SetResults(p.TypeList()...)
	op.Attrs = p.AttrDict()
}

func printMetadata(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" : ")
	p.TypesOf(op.Operands)
	p.Text(" -> ")
	p.TypesOf(op.Results)
	p.OptionalAttrs(op.Attrs)
}

// verifyMetadata checks that the results are the buffer without dimensions, the offset, and a size and a stride for
// each dimension.
func verifyMetadata(op *mlir.Operation) error {
	m, ok := op.Operands[0].Type.(mlir.MemRefType)
	if !ok {
		return fmt.Errorf("takes memory with strides, not %s", op.Operands[0].Type)
	}
	want := []mlir.Type{mlir.MemRefType{Elem: m.Elem, Space: m.Space}}
	for range 1 + 2*len(m.Shape) {
		want = append(want, mlir.Index)
	}
	if got := mlir.TypesOf(op.Results); !mlir.SameTypes(got, want) {
		return fmt.Errorf("gives %s, not %s", mlir.TupleType{Elems: want}, mlir.TupleType{Elems: got})
	}
	return nil
}

func metadataName(op *mlir.Operation, i int) string {
	rank := (len(op.Results) - 2) / 2
	switch {
	case i == 0:
		return "base_buffer"
	case i == 1:
		return "offset"
	case i == 2:
		return "sizes"
	case i == 2+rank:
		return "strides"
	}
	return ""
}

// parseGenericAtomic reads %m[%i] : T { ^bb0(%x: E): … } {…}.
func parseGenericAtomic(p *mlir.Parser, op *mlir.Operation) {
	m := p.Operand()
	indices := p.OperandList("[", "]")
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(m, t)}
	p.ResolveIndices(op, indices)
	p.Region(op, nil)
	op.Attrs = p.AttrDict()
	_, elem, _ := mlir.ShapeOf(t)
	op.SetResults(elem)
}

func printElement(p *mlir.Printer, operands []*mlir.Value) {
	p.Value(operands[0])
	p.Text("[")
	p.Values(operands[1:])
	p.Text("]")
}

func printGenericAtomic(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	printElement(p, op.Operands)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" ")
	p.Region(op.Regions[0], true, true)
	p.OptionalAttrs(op.Attrs)
}

// parsePrefetch reads %m[%i], read, locality<3>, data {…} : T.
func parsePrefetch(p *mlir.Parser, op *mlir.Operation) {
	m := p.Operand()
	indices := p.OperandList("[", "]")
	write, locality, data := p.PrefetchHints()
	op.Attrs = append(mlir.Attrs{{Name: "isWrite", Value: write},
		{Name: "localityHint", Value: locality},
		{Name: "isDataCache", Value: data}}, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(m, p.Type())}
	p.ResolveIndices(op, indices)
	op.SetResults()
}

func verifyPrefetch(op *mlir.Operation) error {
	for _, name := range []string{"isWrite", "localityHint", "isDataCache"} {
		if _, ok := op.Attrs.Get(name).(mlir.IntegerAttr); !ok {
			return fmt.Errorf("requires attribute '%s'", name)
		}
	}
	if n := op.Attrs.Get("localityHint").(mlir.IntegerAttr); n.Value < 0 || n.Value > 3 {
		return fmt.Errorf("localityHint is %d, and not from 0 to 3", n.Value)
	}
	if err := hasMemref(0)(op); err != nil {
		return err
	}
	if n, rank := len(op.Operands)-1, rankOf(op.Operands[0]); n != rank {
		return fmt.Errorf("has %d indices for %d dimensions", n, rank)
	}
	return nil
}

func printPrefetch(p *mlir.Printer, op *mlir.Operation) {
	number := func(name string) int64 {
		a, _ := op.Attrs.Get(name).(mlir.IntegerAttr)
		return a.Value
	}
	choose := func(name, yes, no string) string {
		if number(name) != 0 {
			return yes
		}
		return no
	}
	p.Text(" ")
	printElement(p, op.Operands)
	p.Text(", " + choose("isWrite", "write", "read") + ", locality<" +
		strconv.FormatInt(number("localityHint"), 10) + ">, " + choose("isDataCache", "data", "instr"))
	p.OptionalAttrs(op.Attrs, "isWrite", "localityHint", "isDataCache")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

// parseTranspose reads %m (d0, d1) -> (d1, d0) {…} : T to U.
func parseTranspose(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	m := p.AffineMap()
	op.Attrs = append(mlir.Attrs{{Name: "permutation", Value: mlir.AffineMapAttr{Map: m}}}, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("to")
	op.SetResults(p.Type())
}

// verifyTranspose checks that the dimensions and the layout are the operand's in another order.
func verifyTranspose(op *mlir.Operation) error {
	m, ok := op.Attrs.Get("permutation").(mlir.AffineMapAttr)
	from, ranked := op.Operands[0].Type.(mlir.MemRefType)
	to, both := op.Results[0].Type.(mlir.MemRefType)
	if !ok || !ranked || !both || len(m.Map.Results) != len(from.Shape) || m.Map.Dims != len(from.Shape) || len(to.Shape) != len(from.Shape) {
		return fmt.Errorf("needs memory and a permutation of its dimensions")
	}
	offset, strides, strided := from.Strides()
	got, left, all := to.Strides()
	seen := make([]bool, len(from.Shape))
	fits := strided && all && offset == got && mlir.SameType(from.Elem, to.Elem)
	for i, e := range m.Map.Results {
		if e.Kind != mlir.AffineDim || seen[e.Value] {
			return fmt.Errorf("(%s) is no permutation", m.Map)
		}
		seen[e.Value] = true
		fits = fits && to.Shape[i] == from.Shape[e.Value] && left[i] == strides[e.Value]
	}
	if !fits {
		return fmt.Errorf("cannot make %s of %s", to, from)
	}
	return nil
}

func printTranspose(p *mlir.Printer, op *mlir.Operation) {
	m, _ := op.Attrs.Get("permutation").(mlir.AffineMapAttr)
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" " + strings.TrimSpace(m.Map.String()))
	p.OptionalAttrs(op.Attrs, "permutation")
	p.Text(" : ")
	p.TypesOf(op.Operands)
	p.Text(" to ")
	p.TypesOf(op.Results)
}
