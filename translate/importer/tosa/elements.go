package tosa

import (
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	mathdialect "github.com/go-acap/acap/mlir/dialect/math"
)

// scalar computes an element from the operands' elements.
type scalar func(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value

// named applies an operation by its name for floats, and for integers.
func named(float, integer string) scalar {
	return func(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		name := integer
		if isFloat(x[0].Type) {
			name = float
		}
		if name == "" {
			l.fail("does not work on %s", x[0].Type)
		}
		return b.Create(name, x, []mlir.Type{x[0].Type}, nil).Result()
	}
}

func comparison(float arith.FloatPredicate, integer arith.IntPredicate) scalar {
	return func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		if isFloat(x[0].Type) {
			return arith.CmpF(b, float, x[0], x[1])
		}
		return arith.CmpI(b, integer, x[0], x[1])
	}
}

var elements = map[string]scalar{
	"add": named("arith.addf", "arith.addi"), "sub": named("arith.subf", "arith.subi"),
	"maximum": named("arith.maximumf", "arith.maxsi"), "minimum": named("arith.minimumf", "arith.minsi"),
	"pow": named("math.powf", ""), "int_div": named("", "arith.divsi"),
	"bitwise_and": named("", "arith.andi"), "bitwise_or": named("", "arith.ori"), "bitwise_xor": named("", "arith.xori"),
	"logical_and": named("", "arith.andi"), "logical_or": named("", "arith.ori"), "logical_xor": named("", "arith.xori"),
	"logical_left_shift": named("", "arith.shli"), "logical_right_shift": named("", "arith.shrui"),
	"equal": comparison(arith.OEQ, arith.EQ), "greater": comparison(arith.OGT, arith.SGT),
	"greater_equal": comparison(arith.OGE, arith.SGE),
	"abs":           named("math.absf", "math.absi"), "ceil": named("math.ceil", ""), "floor": named("math.floor", ""),
	"exp": named("math.exp", ""), "log": named("math.log", ""), "tanh": named("math.tanh", ""), "erf": named("math.erf", ""),
	"sin": named("math.sin", ""), "cos": named("math.cos", ""), "rsqrt": named("math.rsqrt", ""),
	"clz":      named("", "math.ctlz"),
	"identity": func(_ *lowering, _ *mlir.Builder, x []*mlir.Value) *mlir.Value { return x[0] },
	"select": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.Select(b, x[0], x[1], x[2])
	},
	"negate": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		if isFloat(x[0].Type) {
			return b.Create("arith.negf", x, []mlir.Type{x[0].Type}, nil).Result()
		}
		return arith.SubI(b, integer(b, x[0].Type, 0), x[0])
	},
	"bitwise_not": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.XorI(b, x[0], integer(b, x[0].Type, -1))
	},
	"logical_not": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.XorI(b, x[0], arith.Constant(b, mlir.Bool(true)))
	},
	"reciprocal": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return arith.Binary(b, "divf", number(b, x[0].Type, 1), x[0])
	},
	"sigmoid": func(_ *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		one := number(b, x[0].Type, 1)
		e := mathdialect.Exp(b, b.Create("arith.negf", x, []mlir.Type{x[0].Type}, nil).Result())
		return arith.Binary(b, "divf", one, arith.AddF(b, one, e))
	},
	"mul": multiply, "clamp": clamp, "arithmetic_right_shift": shiftRight, "cast": cast, "table": table,
}

func init() {
	for name, f := range elements {
		rules[name] = func(l *lowering) *mlir.Value {
			in := l.op.Operands
			if name == "table" {
				in = in[:1]
			}
			return l.elementwise(l.result(), in, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value { return f(l, b, x) })
		}
	}
	rules["const"] = func(l *lowering) *mlir.Value {
		return l.Create("arith.constant", nil, []mlir.Type{l.result()}, mlir.Attrs{{Name: "value", Value: l.op.Attrs.Get("value")}}).Result()
	}
	rules["rescale"] = rescale
	for name, fold := range map[string]struct {
		float, integer string
		init           func(t mlir.Type) float64
	}{
		"sum":  {"addf", "addi", func(mlir.Type) float64 { return 0 }},
		"prod": {"mulf", "muli", func(mlir.Type) float64 { return 1 }},
		"max":  {"maximumf", "maxsi", lowest}, "min": {"minimumf", "minsi", highest},
		"all": {"", "andi", func(mlir.Type) float64 { return 1 }}, "any": {"", "ori", func(mlir.Type) float64 { return 0 }},
	} {
		rules["reduce_"+name] = func(l *lowering) *mlir.Value {
			op := fold.integer
			if isFloat(elem(l.in(0))) {
				op = fold.float
			}
			if op == "" {
				l.fail("does not work on %s", elem(l.in(0)))
			}
			return l.reduction(func(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return arith.Binary(b, op, x, y) }, fold.init)
		}
	}
	rules["argmax"] = argmax
}

// lowest and highest are what the extremes of a type begin with.
func lowest(t mlir.Type) float64 {
	if isFloat(t) {
		return math.Inf(-1)
	}
	return -math.Ldexp(1, mlir.BitWidth(t)-1)
}

func highest(t mlir.Type) float64 {
	if isFloat(t) {
		return math.Inf(1)
	}
	return -1 - lowest(t)
}

// reduction folds the elements along an axis, from what init gives for their type.
func (l *lowering) reduction(fold func(b *mlir.Builder, x, y *mlir.Value) *mlir.Value, init func(t mlir.Type) float64) *mlir.Value {
	v := l.in(0)
	shape := l.shape(v)
	axis := l.axis(shape)
	rest := append(append([]int{}, shape[:axis]...), shape[axis+1:]...)
	start := l.filled(rest, number(l.Builder, elem(v), init(elem(v))))
	out := l.reduce(v, axis, []*mlir.Value{start}, func(s scalars, x []*mlir.Value) []*mlir.Value {
		return []*mlir.Value{fold(s.Builder, x[0], x[1])}
	})[0]
	return l.reshape(out, l.result().Shape)
}

// argmax is the first place of the greatest element, or of the first NaN unless nan_mode says that NaN is ignored.
func argmax(l *lowering) *mlir.Value {
	v, out := l.in(0), l.result()
	axis := l.axis(l.shape(v))
	inits := []*mlir.Value{l.zeros(out.Shape, out.Elem), l.filled(out.Shape, number(l.Builder, elem(v), lowest(elem(v))))}
	return l.reduce(v, axis, inits, func(s scalars, x []*mlir.Value) []*mlir.Value {
		more := comparison(arith.OGT, arith.SGT)(l, s.Builder, []*mlir.Value{x[0], x[2]})
		if isFloat(elem(v)) && !ignoresNaN(l) {
			first := arith.AndI(s.Builder, arith.CmpF(s.Builder, arith.UNE, x[0], x[0]), arith.CmpF(s.Builder, arith.OEQ, x[2], x[2]))
			more = arith.OrI(s.Builder, more, first)
		}
		at := arith.IndexCast(s.Builder, s.index(axis), out.Elem)
		return []*mlir.Value{arith.Select(s.Builder, more, at, x[1]), arith.Select(s.Builder, more, x[0], x[2])}
	})[0]
}

// wider extends an integer.
func wider(b *mlir.Builder, x *mlir.Value, t mlir.Type) *mlir.Value {
	if mlir.BitWidth(x.Type) >= mlir.BitWidth(t) {
		return x
	}
	return arith.Cast(b, "extsi", x, t)
}

// scaled is x * multiplier / 2^shift, rounded, in 64 bits; a double rounding moves numbers
// away from zero first where the shift is above 31.
func scaled(b *mlir.Builder, x, multiplier, shift *mlir.Value, double bool) *mlir.Value {
	wide := func(v *mlir.Value) *mlir.Value { return wider(b, v, mlir.I64) }
	n := func(v int) *mlir.Value { return integer(b, mlir.I64, v) }
	s := wide(shift)
	half := arith.Binary(b, "shli", n(1), arith.SubI(b, s, n(1)))
	half = arith.Select(b, arith.CmpI(b, arith.SGT, s, n(0)), half, n(0))
	if double {
		away := arith.Select(b, arith.CmpI(b, arith.SGE, wide(x), n(0)), n(1<<30), n(-1<<30))
		away = arith.Select(b, arith.CmpI(b, arith.SGT, s, n(31)), away, n(0))
		half = arith.AddI(b, half, away)
	}
	return arith.Binary(b, "shrsi", arith.AddI(b, arith.MulI(b, wide(x), wide(multiplier)), half), s)
}

func multiply(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
	t := l.result().Elem
	if isFloat(t) {
		return arith.MulF(b, x[0], x[1])
	}
	shift := 0
	if l.op.Attrs.Get("shift") != nil {
		shift = l.int("shift")
	}
	if shift == 0 {
		return arith.MulI(b, wider(b, x[0], t), wider(b, x[1], t))
	}
	return narrowed(b, scaled(b, x[0], x[1], integer(b, mlir.I8, shift), false), t)
}

func narrowed(b *mlir.Builder, x *mlir.Value, t mlir.Type) *mlir.Value {
	if mlir.BitWidth(x.Type) == mlir.BitWidth(t) {
		return x
	}
	return arith.TruncI(b, x, t)
}

func clamp(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
	t := x[0].Type
	if isFloat(t) {
		low, _ := l.op.Attrs.Get("min_fp").(mlir.FloatAttr)
		high, _ := l.op.Attrs.Get("max_fp").(mlir.FloatAttr)
		return arith.MinimumF(b, arith.MaximumF(b, x[0], number(b, t, low.Value)), number(b, t, high.Value))
	}
	low := max(l.int("min_int"), int(lowest(t)))
	high := min(l.int("max_int"), int(highest(t)))
	return arith.MinSI(b, arith.MaxSI(b, x[0], integer(b, t, low)), integer(b, t, high))
}

func shiftRight(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
	t := x[0].Type
	y := arith.Binary(b, "shrsi", x[0], x[1])
	if round, _ := l.op.Attrs.Get("round").(mlir.IntegerAttr); round.Value == 0 {
		return y
	}
	one, zero := integer(b, t, 1), integer(b, t, 0)
	last := arith.AndI(b, arith.Binary(b, "shrsi", x[0], arith.SubI(b, x[1], one)), one)
	last = arith.Select(b, arith.CmpI(b, arith.SGT, x[1], zero), last, zero)
	return arith.AddI(b, y, last)
}

// cast converts; floats become integers rounded to even, and as near as the type has them.
func cast(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
	v, t := x[0], l.result().Elem
	boolean := mlir.SameType(v.Type, mlir.I1)
	from, to := mlir.BitWidth(v.Type), mlir.BitWidth(t)
	switch {
	case mlir.SameType(v.Type, t):
		return v
	case mlir.SameType(t, mlir.I1) && isFloat(v.Type):
		return arith.CmpF(b, arith.UNE, v, number(b, v.Type, 0))
	case mlir.SameType(t, mlir.I1):
		return arith.CmpI(b, arith.NE, v, integer(b, v.Type, 0))
	case isFloat(v.Type) && isFloat(t):
		if from < to {
			return arith.ExtF(b, v, t)
		}
		return arith.TruncF(b, v, t)
	case isFloat(t) && boolean:
		return arith.Cast(b, "uitofp", v, t)
	case isFloat(t):
		return arith.Cast(b, "sitofp", v, t)
	case isFloat(v.Type):
		return toInteger(b, v, t)
	case boolean:
		return arith.Cast(b, "extui", v, t)
	}
	if from < to {
		return arith.Cast(b, "extsi", v, t)
	}
	return arith.TruncI(b, v, t)
}

func toInteger(b *mlir.Builder, v *mlir.Value, t mlir.Type) *mlir.Value {
	rounded := mathdialect.Unary(b, "roundeven", v)
	low, high := number(b, v.Type, lowest(t)), number(b, v.Type, highest(t)+1)
	whole := arith.Cast(b, "fptosi", arith.MaximumF(b, rounded, low), t)
	most := arith.Constant(b, mlir.IntegerAttr{Value: 1<<(mlir.BitWidth(t)-1) - 1, Type: t})
	return arith.Select(b, arith.CmpF(b, arith.OGE, rounded, high), most, whole)
}

// rescale is the integer arithmetic of quantized numbers: (x - zero) * multiplier / 2^shift
// + zero, within the type of the result.
func rescale(l *lowering) *mlir.Value {
	t := l.result()
	multipliers, shifts := l.ints("multiplier", -1), l.ints("shift", -1)
	channel := len(t.Shape) - 1
	if len(multipliers) != len(shifts) || len(multipliers) == 0 || len(multipliers) > 1 && (channel < 0 || t.Shape[channel] != len(multipliers)) {
		l.fail("multipliers and shifts do not fit")
	}
	double := false
	if a, ok := l.op.Attrs.Get("double_round").(mlir.IntegerAttr); ok {
		double = a.Value != 0
	}
	row := func(values []int) *mlir.Value {
		list := make([]int64, len(values))
		for i, n := range values {
			list[i] = int64(n)
		}
		return arith.Constant(l.Builder, mlir.DenseInts(mlir.TensorType{Shape: []int{len(list)}, Elem: mlir.I64}, list))
	}
	body := func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		v := arith.SubI(b, wider(b, x[0], mlir.I64), integer(b, mlir.I64, l.int("input_zp")))
		y := arith.AddI(b, scaled(b, v, x[1], x[2], double), integer(b, mlir.I64, l.int("output_zp")))
		if mlir.BitWidth(t.Elem) < 64 {
			y = arith.MinSI(b, arith.MaxSI(b, y, integer(b, mlir.I64, int(lowest(t.Elem)))), integer(b, mlir.I64, int(highest(t.Elem))))
		}
		return narrowed(b, y, t.Elem)
	}
	if len(t.Shape) == 0 {
		return linalg.Generic(l.Builder, []*mlir.Value{l.in(0)}, []*mlir.Value{l.empty(t.Shape, t.Elem)},
			[]mlir.AffineMap{mlir.Identity(0), mlir.Identity(0)}, nil, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
				return []*mlir.Value{body(b, []*mlir.Value{x[0], integer(b, mlir.I64, multipliers[0]), integer(b, mlir.I64, shifts[0])})}
			})[0]
	}
	return l.elementwise(t, []*mlir.Value{l.in(0), row(multipliers), row(shifts)}, body)
}

// table looks 8 bits up, and interpolates between the entries for the high 9 of 16 bits.
func table(l *lowering, b *mlir.Builder, x []*mlir.Value) *mlir.Value {
	entries, t := l.in(1), l.result().Elem
	entry := func(i *mlir.Value) *mlir.Value {
		at := arith.IndexCast(b, i, mlir.Index)
		return b.Create("tensor.extract", []*mlir.Value{entries, at}, []mlir.Type{elem(entries)}, nil).Result()
	}
	n := func(v int) *mlir.Value { return integer(b, mlir.I32, v) }
	wide := wider(b, x[0], mlir.I32)
	switch mlir.BitWidth(x[0].Type) {
	case 8:
		return entry(arith.AddI(b, wide, n(128)))
	case 16:
		i := arith.AddI(b, arith.Binary(b, "shrsi", wide, n(7)), n(256))
		low, high := wider(b, entry(i), t), wider(b, entry(arith.AddI(b, i, n(1))), t)
		part := arith.MulI(b, arith.SubI(b, high, low), arith.AndI(b, wide, n(127)))
		return arith.AddI(b, arith.Binary(b, "shli", low, n(7)), part)
	}
	l.fail("works on 8 and 16 bits, not on %s", x[0].Type)
	return nil
}
