package arith

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// foldCast converts constants. Conversions to integers fold only where the value fits.
func foldCast(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	from, to := mlir.ElementOf(op.Operands[0].Type), mlir.ElementOf(op.Results[0].Type)
	t := op.Results[0].Type
	wf, wt := mlir.BitWidth(from), mlir.BitWidth(to)
	if wf > 64 || wt > 64 || op.Attrs.Get("roundingmode") != nil {
		return nil
	}
	if wt == 0 {
		wt = 64
	}
	if wf == 0 {
		wf = 64
	}
	switch op.Name {
	case "arith.extf", "arith.truncf":
		return foldFloats(t, in, func(x []float64) (float64, bool) { return x[0], true })
	case "arith.extsi", "arith.trunci", "arith.index_cast":
		return foldInts(t, in, func(x []int64) (int64, bool) {
			if wf == 1 {
				return wrap(-x[0], wt), true
			}
			return wrap(x[0], wt), true
		})
	case "arith.extui", "arith.index_castui":
		return foldInts(t, in, func(x []int64) (int64, bool) {
			return wrap(int64(unsigned(x[0], wf)), wt), true
		})
	case "arith.sitofp", "arith.uitofp":
		return foldToFloat(op, in, wf)
	case "arith.fptosi":
		return foldToInt(t, in, wt)
	}
	return nil
}

// foldToFloat converts integers that f64 holds exactly, so that only the last step
// rounds.
func foldToFloat(op *mlir.Operation, in []mlir.Attribute, w int) []mlir.Folded {
	n, ok := stored(in)
	if !ok {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		v := intAt(in[0], i)
		if op.Name == "arith.uitofp" {
			if v = int64(unsigned(v, w)); v < 0 {
				return nil
			}
		} else if w == 1 {
			v = -v
		}
		if v > 1<<53 || v < -1<<53 {
			return nil
		}
		out[i] = float64(v)
	}
	t := op.Results[0].Type
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		return []mlir.Folded{{Attr: mlir.RoundedFloat(out[0], t)}}
	}
	return folded(dense(t, nil, out))
}

func foldToInt(t mlir.Type, in []mlir.Attribute, w int) []mlir.Folded {
	n, ok := stored(in)
	if !ok {
		return nil
	}
	limit := math.Ldexp(1, w-1)
	out := make([]int64, n)
	for i := range out {
		v := math.Trunc(floatAt(in[0], i))
		if !(v >= -limit && v < limit) {
			return nil
		}
		out[i] = wrap(int64(v), w)
	}
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		return []mlir.Folded{{Attr: mlir.IntegerAttr{Value: out[0], Type: t}}}
	}
	return folded(dense(t, out, nil))
}
