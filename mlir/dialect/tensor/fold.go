package tensor

import "github.com/go-acap/acap/mlir"

func same(v *mlir.Value) []mlir.Folded        { return []mlir.Folded{{Value: v}} }
func constant(a mlir.Attribute) []mlir.Folded { return []mlir.Folded{{Attr: a}} }
func index(n int) []mlir.Folded {
	return constant(mlir.IntegerAttr{Value: int64(n), Type: mlir.Index})
}

// foldExtract reads a constant, or what from_elements or splat put there.
func foldExtract(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	t, _ := typeOf(op.Operands[0])
	source := op.Operands[0].Def
	if source != nil && source.Name == "tensor.splat" {
		return same(source.Operands[0])
	}
	at := 0
	for i, n := range t.Shape {
		k, ok := in[i+1].(mlir.IntegerAttr)
		if !ok || k.Value < 0 || k.Value >= int64(n) {
			return nil
		}
		at = at*n + int(k.Value)
	}
	if source != nil && source.Name == "tensor.from_elements" && at < len(source.Operands) {
		return same(source.Operands[at])
	}
	d, ok := in[0].(mlir.DenseAttr)
	if !ok || at >= d.Len() {
		return nil
	}
	switch t.Elem.(type) {
	case mlir.FloatType:
		return constant(mlir.FloatAttr{Value: d.FloatAt(at), Type: t.Elem})
	case mlir.IntegerType, mlir.IndexType:
		if mlir.ElementSize(t.Elem) <= 8 {
			return constant(mlir.IntegerAttr{Value: d.IntAt(at), Type: t.Elem})
		}
	}
	return nil
}

// foldCast drops casts that change nothing, or undo one another.
func foldCast(op *mlir.Operation, _ []mlir.Attribute) []mlir.Folded {
	x, t := op.Operands[0], op.Results[0].Type
	if mlir.SameType(x.Type, t) {
		return same(x)
	}
	if x.Def != nil && x.Def.Name == op.Name && mlir.SameType(x.Def.Operands[0].Type, t) {
		return same(x.Def.Operands[0])
	}
	return nil
}

// foldDim gives static extents.
func foldDim(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	t, ranked := typeOf(op.Operands[0])
	k, ok := in[1].(mlir.IntegerAttr)
	if !ranked || !ok || k.Value < 0 || k.Value >= int64(len(t.Shape)) ||
		t.Shape[k.Value] == mlir.Dynamic {
		return nil
	}
	return index(t.Shape[k.Value])
}

func foldRank(op *mlir.Operation, _ []mlir.Attribute) []mlir.Folded {
	t, ranked := typeOf(op.Operands[0])
	if !ranked {
		return nil
	}
	return index(len(t.Shape))
}

// foldExtractSlice drops slices that take the whole of a static tensor.
func foldExtractSlice(op *mlir.Operation, _ []mlir.Attribute) []mlir.Folded {
	x := op.Operands[0]
	t, _ := typeOf(x)
	if !mlir.SameType(t, op.Results[0].Type) || dynamicDims(t.Shape) > 0 {
		return nil
	}
	return same(x) // of the same extents inside the tensor: all of it
}

// foldReshape drops reshapes that change nothing or undo one another, and reshapes
// constants.
func foldReshape(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	x := op.Operands[0]
	to, _ := op.Results[0].Type.(mlir.TensorType)
	if mlir.SameType(x.Type, to) && dynamicDims(to.Shape) == 0 {
		return same(x)
	}
	if dynamicDims(to.Shape) > 0 {
		return nil
	}
	if d := x.Def; d != nil && (d.Name == "tensor.expand_shape" ||
		d.Name == "tensor.collapse_shape") && mlir.SameType(d.Operands[0].Type, to) {
		return same(d.Operands[0]) // a reshape keeps the row-major order
	}
	if a, ok := in[0].(mlir.DenseAttr); ok {
		return constant(mlir.DenseAttr{Type: to, Data: a.Data})
	}
	return nil
}
