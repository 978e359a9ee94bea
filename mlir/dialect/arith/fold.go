package arith

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// foldLimit is the number of elements up to which constant tensors that are no
// splats are computed at compile time.
const foldLimit = 4096

// foldArithmetic folds constants and operations that give one of their operands.
func foldArithmetic(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded {
	name := op.Name[len("arith."):]
	t := op.Results[0].Type
	if v := identity(name, op, in); v != nil {
		return []mlir.Folded{{Value: v}}
	}
	if a := absorbing(name, op, in); a != nil {
		return []mlir.Folded{{Attr: a}}
	}
	w := mlir.BitWidth(mlir.ElementOf(t))
	if w > 64 {
		return nil
	}
	if _, isFloat := mlir.ElementOf(t).(mlir.FloatType); isFloat {
		return foldFloats(t, in, func(x []float64) (float64, bool) { return computeFloat(name, x) })
	}
	if w == 0 {
		w = 64 // index
	}
	return foldInts(t, in, func(x []int64) (int64, bool) { return computeInt(name, x, w) })
}

// Neutral right operands: x op c = x.
var (
	neutralInt = map[string]int64{"addi": 0, "subi": 0, "muli": 1, "divsi": 1, "divui": 1,
		"ceildivsi": 1, "ceildivui": 1, "floordivsi": 1, "ori": 0, "xori": 0, "andi": -1,
		"shli": 0, "shrsi": 0, "shrui": 0}
	// x + -0 is x for both zeros, x + 0 is not.
	neutralFloat = map[string]float64{"addf": math.Copysign(0, -1), "subf": 0, "mulf": 1, "divf": 1}
	idempotent   = map[string]bool{"andi": true, "ori": true, "maxsi": true, "maxui": true,
		"minsi": true, "minui": true, "maximumf": true, "minimumf": true, "maxnumf": true,
		"minnumf": true}
)

// identity returns the operand that op is equal to, or nil. Bools are left to the
// constants: 1 is both one and minus one for them.
func identity(name string, op *mlir.Operation, in []mlir.Attribute) *mlir.Value {
	x := op.Operands[0]
	if name == "negf" {
		if x.Def != nil && x.Def.Name == "arith.negf" {
			return x.Def.Operands[0]
		}
		return nil
	}
	if idempotent[name] && x == op.Operands[1] {
		return x
	}
	e := uniform(in[1])
	if n, ok := neutralInt[name]; ok && e != nil {
		if i, isInt := e.(mlir.IntegerAttr); isInt && i.Value == n &&
			!mlir.SameType(i.Type, mlir.I1) {
			return x
		}
	}
	if n, ok := neutralFloat[name]; ok && e != nil {
		if f, isFloat := e.(mlir.FloatAttr); isFloat && f.Value == n &&
			math.Signbit(f.Value) == math.Signbit(n) {
			return x
		}
	}
	return nil
}

// absorbing returns zero for x*0, x&0, x-x, x^x and the like, or nil.
func absorbing(name string, op *mlir.Operation, in []mlir.Attribute) mlir.Attribute {
	t := op.Results[0].Type
	switch name {
	case "subi", "xori":
		if op.Operands[0] == op.Operands[1] {
			return constant(t, 0)
		}
	case "muli", "andi":
		if i, ok := uniform(in[1]).(mlir.IntegerAttr); ok && i.Value == 0 {
			return constant(t, 0)
		}
	}
	return nil
}

// uniform returns the element of a scalar or a splat, or nil.
func uniform(a mlir.Attribute) mlir.Attribute {
	switch a := a.(type) {
	case mlir.IntegerAttr, mlir.FloatAttr:
		return a
	case mlir.DenseAttr:
		if !a.IsSplat() {
			return nil
		}
		switch elem := a.Elem().(type) {
		case mlir.IntegerType, mlir.IndexType:
			return mlir.IntegerAttr{Value: a.IntAt(0), Type: elem}
		case mlir.FloatType:
			return mlir.FloatAttr{Value: a.FloatAt(0), Type: elem}
		}
	}
	return nil
}

// constant returns an integer of a scalar type, or a splat of it.
func constant(t mlir.Type, v int64) mlir.Attribute {
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		if _, unranked := t.(mlir.UnrankedTensorType); unranked {
			return nil
		}
		return mlir.IntegerAttr{Value: v, Type: t}
	}
	return dense(t, []int64{v}, nil)
}

// dense returns elements of a static type, or nil.
func dense(t mlir.Type, ints []int64, floats []float64) mlir.Attribute {
	shape, _, ok := mlir.ShapeOf(t)
	n, static := mlir.NumElements(shape)
	if have := max(len(ints), len(floats)); !ok || !static || have != 1 && have != n || n == 0 {
		return nil
	}
	if floats != nil {
		return mlir.DenseFloats(t, floats)
	}
	return mlir.DenseInts(t, ints)
}

// stored returns the number of elements to compute: 1 if all operands are scalars or
// splats. It reports false for operands that are unknown or too large.
func stored(in []mlir.Attribute) (int, bool) {
	n := 1
	for _, a := range in {
		switch a := a.(type) {
		case mlir.IntegerAttr, mlir.FloatAttr:
		case mlir.DenseAttr:
			if a.Len() == 0 || a.Stored() > foldLimit || mlir.ElementSize(a.Elem()) > 8 {
				return 0, false
			}
			n = max(n, a.Stored())
		default:
			return 0, false
		}
	}
	return n, true
}

func intAt(a mlir.Attribute, i int) int64 {
	if d, ok := a.(mlir.DenseAttr); ok {
		return d.IntAt(i)
	}
	n, _ := a.(mlir.IntegerAttr)
	return n.Value
}

func floatAt(a mlir.Attribute, i int) float64 {
	if d, ok := a.(mlir.DenseAttr); ok {
		return d.FloatAt(i)
	}
	f, _ := a.(mlir.FloatAttr)
	return f.Value
}

func foldInts(t mlir.Type, in []mlir.Attribute, f func([]int64) (int64, bool)) []mlir.Folded {
	out, ok := foldEach(in, intAt, f)
	if !ok {
		return nil
	}
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		return []mlir.Folded{{Attr: mlir.IntegerAttr{Value: out[0], Type: t}}}
	}
	return folded(dense(t, out, nil))
}

func foldFloats(t mlir.Type, in []mlir.Attribute, f func([]float64) (float64, bool)) []mlir.Folded {
	out, ok := foldEach(in, floatAt, f)
	if !ok {
		return nil
	}
	if _, _, shaped := mlir.ShapeOf(t); !shaped {
		return []mlir.Folded{{Attr: mlir.RoundedFloat(out[0], t)}}
	}
	return folded(dense(t, nil, out))
}

// foldEach computes f for each element of constants, and reports false where they are no constants or f has no value.
func foldEach[T int64 | float64](in []mlir.Attribute, at func(mlir.Attribute, int) T, f func([]T) (T, bool)) ([]T, bool) {
	n, ok := stored(in)
	if !ok {
		return nil, false
	}
	out, args := make([]T, n), make([]T, len(in))
	for i := range out {
		for j, a := range in {
			args[j] = at(a, i)
		}
		if out[i], ok = f(args); !ok {
			return nil, false
		}
	}
	return out, true
}

func folded(a mlir.Attribute) []mlir.Folded {
	if a == nil {
		return nil
	}
	return []mlir.Folded{{Attr: a}}
}

// computeFloat computes in f64. The type's rounding afterwards gives the exact result
// of one operation in f32 and narrower: 53 bits are at least twice theirs and two.
func computeFloat(name string, x []float64) (float64, bool) {
	switch name {
	case "negf":
		return -x[0], true
	case "addf":
		return x[0] + x[1], true
	case "subf":
		return x[0] - x[1], true
	case "mulf":
		return x[0] * x[1], true
	case "divf":
		return x[0] / x[1], true
	case "remf":
		return math.Mod(x[0], x[1]), true
	case "maximumf":
		return math.Max(x[0], x[1]), true
	case "minimumf":
		return math.Min(x[0], x[1]), true
	}
	return 0, false
}
