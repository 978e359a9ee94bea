package tmtensor

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// The operations: what scans, scatters, sorts, ranks and attends.
func init() {
	const ins, outs = "`ins` `(` $inputs `:` type($inputs) `)` ", "`outs` `(` $outputs `:` type($outputs) `)` "
	op := func(name, attrs, regions, format string, verify func(*mlir.Operation) error) mlir.OpDef {
		return assembly.Op{Name: "tm_tensor." + name, Operands: "inputs*, outputs*", Results: "results*", Attrs: attrs,
			Regions: regions, Format: format + " (`->` type($results)^)?", Verify: func(op *mlir.Operation) error {
				if err := destinations(op); err != nil || verify == nil {
					return err
				}
				return verify(op)
			}}.Def()
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "tm_tensor", Ops: []mlir.OpDef{
		op("scan", "dimension: i64, inclusive: bool", "region=tm_tensor.yield",
			"`dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict "+ins+outs+"$region", verifyScan),
		op("scatter", "dimension_map: any, unique_indices: bool = true", "region=tm_tensor.yield",
			"attr-dict `unique_indices` `(` $unique_indices `)` ("+"`ins` `(` $inputs^ `:` type($inputs) `)`"+")? "+outs+"$region", verifyScatter),
		op("sort", "dimension: i64", "region=tm_tensor.yield",
			"attr-dict `dimension` `(` $dimension `)` ("+"`ins` `(` $inputs^ `:` type($inputs) `)`"+")? "+outs+"$region", nil),
		op("topk", "dimension: i64", "region=tm_tensor.yield", "attr-dict `dimension` `(` $dimension `)` "+ins+outs+"$region", nil),
		op("attention", "scale: any?", "", "attr-dict "+ins+outs, nil),
		assembly.Op{Name: "tm_tensor.yield", Traits: mlir.Terminator, Operands: "operands*",
			Format: "attr-dict ($operands^ `:` type($operands))?"}.Def(),
	}})
}

// parts are the inputs and the outputs of an operation.
func parts(op *mlir.Operation) (ins, outs []*mlir.Value) {
	sizes, _ := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	if len(sizes) != 2 || sizes[0] < 0 || sizes[0] > len(op.Operands) {
		return nil, op.Operands
	}
	return op.Operands[:sizes[0]], op.Operands[sizes[0]:]
}

// destinations checks that all is in tensors, with a result for each output, or all in memory without results.
func destinations(op *mlir.Operation) error {
	_, outs := parts(op)
	if len(op.Results) > 0 && len(op.Results) != len(outs) {
		return fmt.Errorf("has %d outputs and %d results", len(outs), len(op.Results))
	}
	for _, v := range op.Operands {
		_, memory := v.Type.(mlir.MemRefType)
		_, tensor := v.Type.(mlir.TensorType)
		if len(op.Results) > 0 && memory || len(op.Results) == 0 && tensor {
			return fmt.Errorf("mixes tensors and memory: %s", v.Type)
		}
	}
	for i, r := range op.Results {
		if !mlir.SameType(r.Type, outs[i].Type) {
			return fmt.Errorf("output %d is of type %s, and the result of type %s", i, outs[i].Type, r.Type)
		}
	}
	return nil
}

// extents returns the shape of a tensor or memref, and the type of its elements.
func extents(v *mlir.Value) ([]int, mlir.Type) {
	switch t := v.Type.(type) {
	case mlir.TensorType:
		return t.Shape, t.Elem
	case mlir.MemRefType:
		return t.Shape, t.Elem
	}
	return nil, v.Type
}

// fits reports whether two extents may be the same.
func fits(a, b int) bool { return a == b || a < 0 || b < 0 }

func verifyScan(op *mlir.Operation) error {
	ins, outs := parts(op)
	if len(ins) != 1 || len(outs) != 2 {
		return fmt.Errorf("takes one input, and an output and the last sum, not %d and %d", len(ins), len(outs))
	}
	in, elem := extents(ins[0])
	out, outElem := extents(outs[0])
	sum, sumElem := extents(outs[1])
	a, _ := op.Attrs.Get("dimension").(mlir.IntegerAttr)
	dim := int(a.Value)
	if dim < 0 || dim >= len(in) {
		return fmt.Errorf("has no dimension %d in %s", dim, ins[0].Type)
	}
	if !mlir.SameType(elem, outElem) || !mlir.SameType(elem, sumElem) {
		return fmt.Errorf("has elements of several types")
	}
	rest := slices.Delete(slices.Clone(in), dim, dim+1)
	if !slices.EqualFunc(in, out, fits) || !slices.EqualFunc(rest, sum, fits) {
		return fmt.Errorf("has outputs of types %s and %s for an input of type %s", outs[0].Type, outs[1].Type, ins[0].Type)
	}
	return nil
}

// verifyScatter checks updates [n, window…] at indices [n, depth] of an original.
func verifyScatter(op *mlir.Operation) error {
	ins, outs := parts(op)
	if len(ins) != 2 || len(outs) != 1 {
		return fmt.Errorf("takes updates and indices, and one output, not %d and %d", len(ins), len(outs))
	}
	updates, updateElem := extents(ins[0])
	indices, indexElem := extents(ins[1])
	original, elem := extents(outs[0])
	if len(indices) != 2 || !mlir.SameType(indexElem, mlir.I32) {
		return fmt.Errorf("takes indices of two dimensions and type i32, not %s", ins[1].Type)
	}
	depth := indices[1]
	if depth < 0 {
		return fmt.Errorf("has indices whose depth is not known: %s", ins[1].Type)
	}
	places, _ := mlir.IntList(op.Attrs.Get("dimension_map"))
	if len(places) != depth {
		return fmt.Errorf("maps %d dimensions of indices of depth %d", len(places), depth)
	}
	for i, d := range places {
		if d < 0 || d >= len(original) || slices.Contains(places[:i], d) {
			return fmt.Errorf("maps the dimensions %v of %s", places, outs[0].Type)
		}
	}
	switch {
	case len(updates) < 1:
		return fmt.Errorf("has updates without dimensions")
	case !fits(updates[0], indices[0]):
		return fmt.Errorf("has %d updates for %d indices", updates[0], indices[0])
	case len(updates)-1 > len(original):
		return fmt.Errorf("has updates of more dimensions than %s", outs[0].Type)
	case depth+len(updates)-1 < len(original):
		return fmt.Errorf("names %d dimensions by indices and updates of the %d there are", depth+len(updates)-1, len(original))
	}
	shift := len(original) - (len(updates) - 1)
	for i, n := range updates[1:] {
		if have := original[shift+i]; n >= 0 && have >= 0 && n > have {
			return fmt.Errorf("has updates of %d elements where %s has %d", n, outs[0].Type, have)
		}
	}
	body := op.Body()
	if body == nil || len(body.Args) != 2 {
		return fmt.Errorf("has a region that does not take an update and the old element")
	}
	for i, want := range []mlir.Type{updateElem, elem} {
		got := body.Args[i].Type
		if _, index := got.(mlir.IntegerType); !index {
			if _, float := got.(mlir.FloatType); !float {
				return fmt.Errorf("has a region on %s, which are no integers or floats", got)
			}
		}
		if !mlir.SameType(got, want) {
			return fmt.Errorf("has a region on %s for elements of type %s", got, want)
		}
	}
	if !mlir.SameType(body.Args[0].Type, body.Args[1].Type) {
		return fmt.Errorf("has a region on %s and %s", body.Args[0].Type, body.Args[1].Type)
	}
	last := body.Terminator()
	if last == nil || len(last.Operands) != 1 || !mlir.SameType(last.Operands[0].Type, body.Args[0].Type) {
		return fmt.Errorf("has a region that does not yield one %s", body.Args[0].Type)
	}
	return nil
}
