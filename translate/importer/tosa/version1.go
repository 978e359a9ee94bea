package tosa

import (
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
	"github.com/go-acap/acap/mlir/dialect/tosa"
)

// Operations of TOSA 1.0 are lowered by the rules of TOSA 0.80 where operands took the place of attributes, and
// by rules of their own where zero points, ways of rounding or of treating NaN make another computation.

// version1 are the rules of TOSA 1.0 for operations whose form it has changed.
var version1 = map[string]func(l *lowering) *mlir.Value{}

// attributes are what TOSA 1.0 gives as operands, from the second one on, by the names that attributes had.
var attributes = map[string][]string{
	"slice": {"start", "size"}, "tile": {"multiples"}, "resize": {"scale", "offset", "border"}, "reshape": {"new_shape"},
}

func init() {
	for name, list := range attributes {
		version1[name] = func(l *lowering) *mlir.Value {
			attrs := append(mlir.Attrs(nil), l.op.Attrs...)
			for i, attr := range list {
				attrs = append(attrs, mlir.Named{Name: attr, Value: mlir.Ints(l.constants(1 + i))})
			}
			if word, ok := tosa.Word(l.op.Attrs.Get("mode")); ok {
				attrs = append(without(attrs, "mode"), mlir.Named{Name: "mode", Value: mlir.StringAttr(word)})
			}
			return l.as(name, l.op.Operands[:1], attrs)
		}
	}
	version1["transpose"] = func(l *lowering) *mlir.Value { return transpose(l, l.ints("perms", -1)) }
	version1["pad"] = func(l *lowering) *mlir.Value { return pad(l, scalarOf(l, 2)) }
	version1["const"] = func(l *lowering) *mlir.Value {
		return l.Create("arith.constant", nil, []mlir.Type{l.result()}, mlir.Attrs{{Name: "value", Value: l.op.Attrs.Get("values")}}).Result()
	}
	version1["mul"] = func(l *lowering) *mlir.Value {
		shift := l.constants(2)
		return l.as("mul", l.op.Operands[:2], mlir.Attrs{{Name: "shift", Value: mlir.Int(shift[0])}})
	}
	version1["clamp"] = func(l *lowering) *mlir.Value {
		return l.elementwise(l.result(), l.op.Operands, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
			low, high := l.number(b, "min_val"), l.number(b, "max_val")
			return extreme(l, b, extreme(l, b, x[0], low, true), high, false)
		})
	}
	for _, name := range []string{"maximum", "minimum"} {
		version1[name] = func(l *lowering) *mlir.Value {
			return l.elementwise(l.result(), l.op.Operands, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
				return extreme(l, b, x[0], x[1], name == "maximum")
			})
		}
	}
	for _, name := range []string{"reduce_max", "reduce_min"} {
		version1[name] = func(l *lowering) *mlir.Value {
			return l.reduction(func(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return extreme(l, b, x, y, name == "reduce_max") },
				l.identity(map[bool]func(mlir.Type) float64{true: lowest, false: highest}[name == "reduce_max"]))
		}
	}
	version1["max_pool2d"] = func(l *lowering) *mlir.Value {
		if ignoresNaN(l) && isFloat(l.result().Elem) {
			return numbersPooled(l)
		}
		return rules["max_pool2d"](l)
	}
	version1["negate"], version1["argmax"] = negate, argmax
	version1["rescale"] = rescale1
	version1["avg_pool2d"] = average1
	version1["matmul"] = func(l *lowering) *mlir.Value {
		return l.as("matmul", []*mlir.Value{l.shifted(0, 2), l.shifted(1, 3)}, nil)
	}
	for _, name := range []string{"conv2d", "depthwise_conv2d", "conv3d", "transpose_conv2d"} {
		version1[name] = func(l *lowering) *mlir.Value {
			return l.as(name, []*mlir.Value{l.shifted(0, 3), l.shifted(1, 4), l.in(2)}, l.op.Attrs)
		}
	}
	rules["intdiv"], rules["reduce_product"] = rules["int_div"], rules["reduce_prod"]
}

func without(attrs mlir.Attrs, name string) (rest mlir.Attrs) {
	for _, a := range attrs {
		if a.Name != name {
			rest = append(rest, a)
		}
	}
	return rest
}

// as lowers an operation by the rule of another form of it.
func (l *lowering) as(name string, operands []*mlir.Value, attrs mlir.Attrs) *mlir.Value {
	op := mlir.NewOp("tosa."+name, operands, mlir.TypesOf(l.op.Results), attrs)
	op.Loc = l.op.Loc
	return rules[name](&lowering{Builder: l.Builder, r: l.r, op: op})
}

// scalarOf is the one element of an operand.
func scalarOf(l *lowering, i int) *mlir.Value {
	v := l.in(i)
	if s := l.shape(v); len(s) != 1 || s[0] != 1 {
		l.fail("operand %d has one element, not %v", i, s)
	}
	return tensordialect.Extract(l.Builder, v, arith.Index(l.Builder, 0))
}

// shifted is an operand without its zero point: integers become as wide as the sums.
func (l *lowering) shifted(i, zero int) *mlir.Value {
	v, z := l.in(i), scalarOf(l, zero)
	t := v.Type.(mlir.TensorType)
	if isFloat(t.Elem) {
		if list := l.numbers(zero); len(list) != 1 || list[0] != 0 {
			l.fail("zero points of floats are 0")
		}
		return v
	}
	wide := l.result().Elem
	t.Elem = wide
	return l.elementwise(t, []*mlir.Value{v}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.SubI(b, wider(b, x[0], wide), wider(b, z, wide))
	})
}

// numbers are the elements of an operand that is a constant of floats.
func (l *lowering) numbers(i int) []float64 {
	v := l.in(i)
	if v.Def != nil {
		for _, name := range []string{"value", "values"} {
			if d, ok := v.Def.Attrs.Get(name).(mlir.DenseAttr); ok && d.Len() <= 1<<16 {
				if list, ok := d.Float(); ok {
					return list
				}
			}
		}
	}
	l.fail("operand %d has to be a constant", i)
	return nil
}

// number is the attribute of that name as a constant.
func (l *lowering) number(b *mlir.Builder, name string) *mlir.Value {
	switch a := l.op.Attrs.Get(name).(type) {
	case mlir.FloatAttr, mlir.IntegerAttr:
		return arith.Constant(b, a)
	}
	l.fail("needs a number %s", name)
	return nil
}

func ignoresNaN(l *lowering) bool {
	word, _ := tosa.Word(l.op.Attrs.Get("nan_mode"))
	return word == "IGNORE"
}

// identity is what a fold of extremes starts from: NaN where NaN is ignored, so that a fold of nothing else gives it.
func (l *lowering) identity(bound func(mlir.Type) float64) func(mlir.Type) float64 {
	if !ignoresNaN(l) || !isFloat(elem(l.in(0))) {
		return bound
	}
	return func(mlir.Type) float64 { return math.NaN() }
}

// numbersPooled is a pool of maxima that ignores NaN: a window without a number gives NaN.
func numbersPooled(l *lowering) *mlir.Value {
	t := l.result()
	least, nan := number(l.Builder, t.Elem, lowest(t.Elem)), number(l.Builder, t.Elem, math.NaN())
	v := l.padded(l.in(0), 2, nan)
	pool := func(pick func(b *mlir.Builder, isNumber, x *mlir.Value) *mlir.Value) *mlir.Value {
		picked := l.elementwise(v.Type.(mlir.TensorType), []*mlir.Value{v}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
			return pick(b, arith.CmpF(b, arith.OEQ, x[0], x[0]), x[0])
		})
		return linalg.Window(l.Builder, "pooling_nhwc_max", picked, l.empty(l.ints("kernel", 2), t.Elem),
			l.filled(t.Shape, least), dense(l.ints("stride", 2)))
	}
	largest := pool(func(b *mlir.Builder, isNumber, x *mlir.Value) *mlir.Value { return arith.Select(b, isNumber, x, least) })
	any := pool(func(b *mlir.Builder, isNumber, _ *mlir.Value) *mlir.Value {
		return arith.Select(b, isNumber, number(b, t.Elem, 1), number(b, t.Elem, 0))
	})
	return l.elementwise(t, []*mlir.Value{largest, any}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.Select(b, arith.CmpF(b, arith.OEQ, x[1], number(b, t.Elem, 0)), nan, x[0])
	})
}

// extreme is the greater or the lesser of two; NaN comes through, unless nan_mode says that it is ignored.
func extreme(l *lowering, b *mlir.Builder, x, y *mlir.Value, largest bool) *mlir.Value {
	names := map[bool][3]string{true: {"maximumf", "maxnumf", "maxsi"}, false: {"minimumf", "minnumf", "minsi"}}[largest]
	switch {
	case !isFloat(x.Type):
		return arith.Binary(b, names[2], x, y)
	case ignoresNaN(l):
		return arith.Binary(b, names[1], x, y)
	}
	return arith.Binary(b, names[0], x, y)
}

// negate is -(x - zero) + zero', within the type.
func negate(l *lowering) *mlir.Value {
	t := l.result()
	if isFloat(t.Elem) {
		return l.as("negate", []*mlir.Value{l.shifted(0, 1)}, nil)
	}
	in, out := scalarOf(l, 1), scalarOf(l, 2)
	return l.elementwise(t, l.op.Operands[:1], func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		wide := func(v *mlir.Value) *mlir.Value { return wider(b, v, mlir.I64) }
		y := arith.AddI(b, arith.SubI(b, wide(in), wide(x[0])), wide(out))
		return within(b, y, t.Elem, false)
	})
}

// within narrows an i64 to the nearest number of a type.
func within(b *mlir.Builder, y *mlir.Value, t mlir.Type, unsigned bool) *mlir.Value {
	bits := mlir.BitWidth(t)
	if bits >= 64 {
		return y
	}
	low, high := -1<<(bits-1), 1<<(bits-1)-1
	if unsigned {
		low, high = 0, 1<<bits-1
	}
	y = arith.MinSI(b, arith.MaxSI(b, y, integer(b, mlir.I64, low)), integer(b, mlir.I64, high))
	return narrowed(b, y, t)
}

// average1 is the average of numbers without their zero point, with the zero point of the result added.
func average1(l *lowering) *mlir.Value {
	t := l.result()
	if isFloat(t.Elem) {
		return l.as("avg_pool2d", []*mlir.Value{l.shifted(0, 1)}, l.op.Attrs)
	}
	wide := mlir.TensorType{Shape: t.Shape, Elem: mlir.I32}
	in, zero, out := l.in(0), scalarOf(l, 1), scalarOf(l, 2)
	from := mlir.TensorType{Shape: l.shape(in), Elem: mlir.I32}
	x := l.elementwise(from, []*mlir.Value{in}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.SubI(b, wider(b, x[0], mlir.I32), wider(b, zero, mlir.I32))
	})
	op := mlir.NewOp("tosa.avg_pool2d", []*mlir.Value{x}, []mlir.Type{wide}, l.op.Attrs)
	op.Loc = l.op.Loc
	mean := rules["avg_pool2d"](&lowering{Builder: l.Builder, r: l.r, op: op})
	return l.elementwise(t, []*mlir.Value{mean}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return within(b, arith.AddI(b, wider(b, x[0], mlir.I64), wider(b, out, mlir.I64)), t.Elem, false)
	})
}

// rescale1 is rescale with multipliers, shifts and zero points in operands; integers may be unsigned.
func rescale1(l *lowering) *mlir.Value {
	t := l.result()
	flag := func(name string) bool {
		a, _ := l.op.Attrs.Get(name).(mlir.IntegerAttr)
		return a.Value != 0
	}
	rounding, _ := tosa.Word(l.op.Attrs.Get("rounding_mode"))
	if rounding != "SINGLE_ROUND" && rounding != "DOUBLE_ROUND" {
		l.fail("rounding_mode %s is not supported", rounding)
	}
	if !flag("scale32") && rounding == "DOUBLE_ROUND" {
		l.fail("rounds twice with multipliers of 32 bits alone")
	}
	multipliers, shifts := l.in(1), l.in(2)
	n := l.shape(multipliers)[0]
	if m := l.shape(shifts)[0]; m != n || n != 1 && (len(t.Shape) == 0 || n != t.Shape[len(t.Shape)-1]) {
		l.fail("%d multipliers and %d shifts do not fit", n, m)
	}
	in, out := scalarOf(l, 3), scalarOf(l, 4)
	wide := func(b *mlir.Builder, v *mlir.Value, unsigned bool) *mlir.Value {
		if unsigned && mlir.BitWidth(v.Type) < 64 {
			return arith.Cast(b, "extui", v, mlir.I64)
		}
		return wider(b, v, mlir.I64)
	}
	return l.elementwise(t, []*mlir.Value{l.in(0), multipliers, shifts}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		v := arith.SubI(b, wide(b, x[0], flag("input_unsigned")), wide(b, in, flag("input_unsigned")))
		y := scaled(b, v, x[1], x[2], rounding == "DOUBLE_ROUND")
		y = arith.AddI(b, y, wide(b, out, flag("output_unsigned")))
		return within(b, y, t.Elem, flag("output_unsigned"))
	})
}
