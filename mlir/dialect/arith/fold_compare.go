package arith

import "github.com/go-acap/acap/mlir"

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
