package math

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// exact are the functions whose result in every format is the correctly rounded one
// of f64. The others differ between implementations in the last place, so that
// folding them could change results.
var exact = map[string]func(float64) float64{
	"absf": math.Abs, "ceil": math.Ceil, "floor": math.Floor, "trunc": math.Trunc,
	"round": math.Round, "roundeven": math.RoundToEven, "sqrt": math.Sqrt,
}

// fold computes exact functions of scalars and splats.
func fold(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	f := exact[op.Name[len("math."):]]
	t := op.Results[0].Type
	elem, ok := mlir.ElementOf(t).(mlir.FloatType)
	if f == nil || !ok || elem.Width() > 64 {
		return nil
	}
	switch a := in[0].(type) {
	case mlir.FloatAttr:
		return []mlir.Folded{{Attr: mlir.RoundedFloat(f(a.Value), t)}}
	case mlir.DenseAttr:
		if a.IsSplat() && a.Len() > 0 {
			return []mlir.Folded{{Attr: mlir.DenseFloats(t, []float64{f(a.FloatAt(0))})}}
		}
	}
	return nil
}
