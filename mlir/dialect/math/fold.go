package math

import (
	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
)

// fold returns how a function of scalars and splats is folded, nil for functions that are not
// exact: results of these differ between implementations in the last place.
func fold(f scalar.Function) func(*mlir.Operation, []mlir.Attribute) []mlir.Folded {
	if !f.Exact {
		return nil
	}
	return func(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
		t := op.Results[0].Type
		elem, ok := mlir.ElementOf(t).(mlir.FloatType)
		if !ok || elem.Width() > 64 {
			return nil
		}
		switch a := in[0].(type) {
		case mlir.FloatAttr:
			return []mlir.Folded{{Attr: mlir.RoundedFloat(f.Value(a.Value), t)}}
		case mlir.DenseAttr:
			if a.IsSplat() && a.Len() > 0 {
				return []mlir.Folded{{Attr: mlir.DenseFloats(t, []float64{f.Value(a.FloatAt(0))})}}
			}
		}
		return nil
	}
}
