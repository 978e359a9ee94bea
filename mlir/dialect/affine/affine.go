package affine

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

const any = mlir.Variadic

func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "affine", Upstream: true, Ops: append([]mlir.OpDef{
		{Name: "affine.apply", Traits: mlir.Pure, Operands: any, Results: 1, Verify: mapOf("map", 0, 1),
			Parse: parseApply, Print: printApply},
		{Name: "affine.min", Traits: mlir.Pure, Operands: any, Results: 1, Verify: mapOf("map", 0, any),
			Parse: parseApply, Print: printApply},
		{Name: "affine.max", Traits: mlir.Pure, Operands: any, Results: 1, Verify: mapOf("map", 0, any),
			Parse: parseApply, Print: printApply},
		{Name: "affine.for", Operands: any, Results: any, Regions: 1, Traits: mlir.SingleBlock | mlir.RecursiveEffects,
			Verify: verifyFor, Parse: parseFor, Print: printFor},
		{Name: "affine.if", Operands: any, Results: any, Regions: 2, Traits: mlir.SingleBlock | mlir.RecursiveEffects,
			Verify: verifyIf, Parse: parseIf, Print: printIf},
		{Name: "affine.parallel", Operands: any, Results: any, Regions: 1, Traits: mlir.SingleBlock | mlir.RecursiveEffects,
			Verify: verifyParallel, Parse: parseParallel, Print: printParallel},
		{Name: "affine.yield", Traits: mlir.Pure | mlir.Terminator, Operands: any,
			Parse: mlir.ParseReturn, Print: mlir.PrintReturn},
		{Name: "affine.load", Operands: any, Results: 1, Verify: accessOf(1), Parse: parseLoad, Print: printLoad},
		{Name: "affine.store", Operands: any, Verify: accessOf(2), Parse: parseStore, Print: printStore},
		{Name: "affine.vector_load", Operands: any, Results: 1, Verify: accessOf(1), Parse: parseLoad, Print: printLoad},
		{Name: "affine.vector_store", Operands: any, Verify: accessOf(2), Parse: parseStore, Print: printStore},
		{Name: "affine.prefetch", Operands: any, Verify: accessOf(1), Parse: parsePrefetch, Print: printPrefetch},
		{Name: "affine.delinearize_index", Traits: mlir.Pure, Operands: any, Results: any,
			Verify: delinearized, Parse: parseDelinearize, Print: printDelinearize},
	}, transfers...)})
}

// mapAttr returns an affine map, or nil.
func mapAttr(op *mlir.Operation, name string) *mlir.AffineMap {
	if a, ok := op.Attrs.Get(name).(mlir.AffineMapAttr); ok {
		return &a.Map
	}
	return nil
}

// mapOf checks that a map has as many inputs as there are operands behind the first
// ones, and results if their number is given.
func mapOf(name string, first, results int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		m := mapAttr(op, name)
		switch {
		case m == nil:
			return fmt.Errorf("requires attribute '%s'", name)
		case m.Dims+m.Symbols != len(op.Operands)-first:
			return fmt.Errorf("operand count and affine map dimension and symbol count must match")
		case len(m.Results) == 0 && first == 0:
			return fmt.Errorf("needs a map with a result at least")
		case results >= 0 && len(m.Results) != results:
			return fmt.Errorf("mapping must produce one value")
		}
		if first > 0 {
			return nil // the values of what is accessed are not all indices
		}
		return checkTypes(append(slices.Clone(op.Operands), op.Results...))
	}
}

// accessOf checks that the map behind the first operands gives an index for each dimension of
// the last of them, which is the memory.
func accessOf(first int) func(op *mlir.Operation) error {
	fits := mapOf("map", first, any)
	return func(op *mlir.Operation) error {
		if len(op.Operands) < first {
			return fmt.Errorf("needs %d operands and the indices", first)
		}
		if err := fits(op); err != nil {
			return err
		}
		t, ok := op.Operands[first-1].Type.(mlir.MemRefType)
		if !ok {
			return fmt.Errorf("needs a memref, not %s", op.Operands[first-1].Type)
		}
		if n := len(mapAttr(op, "map").Results); n != len(t.Shape) {
			return fmt.Errorf("has %d indices for %d dimensions", n, len(t.Shape))
		}
		if err := checkElements(op, first, t); err != nil {
			return err
		}
		return checkIndices(op, op.Operands[first:])
	}
}

// checkElements checks the value that passes: an element, or a vector of elements.
func checkElements(op *mlir.Operation, first int, t mlir.MemRefType) error {
	var v *mlir.Value
	switch {
	case first == 2:
		v = op.Operands[0]
	case len(op.Results) == 1:
		v = op.Results[0]
	default:
		return nil
	}
	got := v.Type
	if op.Name == "affine.vector_load" || op.Name == "affine.vector_store" {
		vector, ok := got.(mlir.VectorType)
		if !ok {
			return fmt.Errorf("moves a vector, not %s", got)
		}
		got = vector.Elem
	}
	if !mlir.SameType(got, t.Elem) {
		return fmt.Errorf("%s holds no elements of %s", t, v.Type)
	}
	return nil
}

// operandsOf reads (%d, …)[%s, …] and appends the index values.
func operandsOf(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandList("(", ")")
	if p.Next("[") {
		refs = append(refs, p.OperandList("[", "]")...)
	}
	p.ResolveIndices(op, refs)
}

// printOperandsOf prints what operandsOf reads.
func printOperandsOf(p *mlir.Printer, dims int, operands []*mlir.Value) {
	p.Text("(")
	p.Values(operands[:dims])
	p.Text(")")
	if len(operands) > dims {
		p.Text("[")
		p.Values(operands[dims:])
		p.Text("]")
	}
}

// parseApply reads #map(%d)[%s] {…}.
func parseApply(p *mlir.Parser, op *mlir.Operation) {
	a := p.Attr()
	operandsOf(p, op)
	op.Attrs = append(mlir.Attrs{{Name: "map", Value: a}}, p.AttrDict()...)
	op.SetResults(mlir.Index)
}

func printApply(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Attr(op.Attrs.Get("map"))
	printOperandsOf(p, mapAttr(op, "map").Dims, op.Operands)
	p.OptionalAttrs(op.Attrs, "map")
}
