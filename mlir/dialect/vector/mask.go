package vector

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// maskOf returns the mask that an operation takes: one bit for each of its points. It
// reports false where that is not known.
func maskOf(op *mlir.Operation) (mlir.Type, bool) {
	truth := func(t mlir.Type) (mlir.Type, bool) {
		v, ok := t.(mlir.VectorType)
		v.Elem = mlir.I1
		return v, ok
	}
	switch op.Name {
	case "vector.reduction", "vector.multi_reduction":
		return truth(op.Operands[0].Type)
	case "vector.outerproduct", "vector.gather":
		return truth(op.Results[0].Type)
	case "vector.transfer_read", "vector.transfer_write":
		t, err := transferOf(op)
		a, ok := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
		if err != nil || !ok {
			return nil, false
		}
		return maskType(a, t.vector.Type), true
	case "vector.contract":
		kinds, _ := op.Attrs.Get("iterator_types").(mlir.ArrayAttr)
		maps, _ := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
		want := mlir.VectorType{Elem: mlir.I1, Shape: make([]int, len(kinds)), Scalable: make([]bool, len(kinds))}
		for i, a := range maps {
			m, ok := a.(mlir.AffineMapAttr)
			v, vector := op.Operands[i].Type.(mlir.VectorType)
			for k, e := range m.Map.Results {
				if ok && vector && k < len(v.Shape) && e.Kind == mlir.AffineDim && e.Value < len(kinds) {
					want.Shape[e.Value] = v.Shape[k]
					want.Scalable[e.Value] = want.Scalable[e.Value] || padded(v)[k]
				}
			}
		}
		if !slices.Contains(want.Scalable, true) {
			want.Scalable = nil
		}
		return want, true
	}
	return nil, false
}

// verifyMask checks that a mask surrounds at most one operation, that the operation can be masked, and that the region
// yields the results of the operation.
func verifyMask(op *mlir.Operation) error {
	b := op.Body()
	if b == nil || b.Terminator() == nil || b.Terminator().Name != "vector.yield" || len(op.Operands) == 0 || len(op.Operands) > 2 {
		return fmt.Errorf("needs a mask and a region that ends with vector.yield")
	}
	mask, ok := op.Operands[0].Type.(mlir.VectorType)
	if !ok || len(mask.Shape) == 0 || !mlir.SameType(mask.Elem, mlir.I1) {
		return fmt.Errorf("the mask must be a vector of i1, not %s", op.Operands[0].Type)
	}
	yield := b.Terminator()
	if !mlir.SameTypes(mlir.TypesOf(yield.Operands), mlir.TypesOf(op.Results)) {
		return fmt.Errorf("gives what the region yields, %s", mlir.TupleType{Elems: mlir.TypesOf(yield.Operands)})
	}
	if len(op.Operands) == 2 && (len(op.Results) != 1 || !mlir.SameType(op.Operands[1].Type, op.Results[0].Type)) {
		return fmt.Errorf("the values where the mask is false must be of the result's type")
	}
	switch len(b.Ops) {
	case 1:
		return nil
	case 2:
	default:
		return fmt.Errorf("surrounds %d operations, not one", len(b.Ops)-1)
	}
	inner := b.Ops[0]
	want, known := maskOf(inner)
	if !known {
		return nil // another dialect knows
	}
	if !slices.Equal(yield.Operands, inner.Results) {
		return fmt.Errorf("the region yields other values than the results of %s", inner.Name)
	}
	if !mlir.SameType(mask, want) {
		return fmt.Errorf("%s takes a mask %s, not %s", inner.Name, want, mask)
	}
	return nil
}
