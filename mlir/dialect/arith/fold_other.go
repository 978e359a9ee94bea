package arith

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// foldCompare computes comparisons of constants.
func foldCompare(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	p, _ := op.Attrs.Get("predicate").(mlir.IntegerAttr)
	n, ok := stored(in)
	if !ok {
		return nil
	}
	elem := mlir.ElementOf(op.Operands[0].Type)
	w := mlir.BitWidth(elem)
	if w == 0 {
		w = 64
	}
	if w > 64 {
		return nil
	}
	_, isFloat := elem.(mlir.FloatType)
	out := make([]int64, n)
	for i := range out {
		if isFloat {
			x, y := floatAt(in[0], i), floatAt(in[1], i)
			out[i] = bit(compareFloats(FloatPredicate(p.Value), x, y))
		} else {
			out[i] = bit(compareInts(IntPredicate(p.Value), intAt(in[0], i), intAt(in[1], i), w))
		}
	}
	t := op.Results[0].Type
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		return []mlir.Folded{{Attr: mlir.IntegerAttr{Value: out[0], Type: mlir.I1}}}
	}
	return folded(dense(t, out, nil))
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func compareInts(p IntPredicate, a, b int64, w int) bool {
	ua, ub := unsigned(a, w), unsigned(b, w)
	if w == 1 {
		a, b = -(a & 1), -(b & 1)
	}
	switch p {
	case EQ:
		return ua == ub
	case NE:
		return ua != ub
	case SLT:
		return a < b
	case SLE:
		return a <= b
	case SGT:
		return a > b
	case SGE:
		return a >= b
	case ULT:
		return ua < ub
	case ULE:
		return ua <= ub
	case UGT:
		return ua > ub
	}
	return ua >= ub
}

func compareFloats(p FloatPredicate, a, b float64) bool {
	unordered := a != a || b != b
	switch p {
	case AlwaysFalse, AlwaysTrue:
		return p == AlwaysTrue
	case ORD, UNO:
		return unordered == (p == UNO)
	}
	if unordered {
		return p >= UEQ
	}
	if p >= UEQ {
		p -= UEQ - OEQ
	}
	switch p {
	case OEQ:
		return a == b
	case OGT:
		return a > b
	case OGE:
		return a >= b
	case OLT:
		return a < b
	case OLE:
		return a <= b
	}
	return a != b
}

// foldSelect folds a choice that is known, or between equal values.
func foldSelect(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	if op.Operands[1] == op.Operands[2] {
		return []mlir.Folded{{Value: op.Operands[1]}}
	}
	c, ok := uniform(in[0]).(mlir.IntegerAttr)
	switch {
	case !ok:
		return nil
	case c.Value != 0:
		return []mlir.Folded{{Value: op.Operands[1]}}
	}
	return []mlir.Folded{{Value: op.Operands[2]}}
}

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
