package stablehlo

import (
	"math"
	"strings"

	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// scalars appends the arithmetic of single elements to the body of a linalg.generic.
type scalars struct {
	*mlir.Builder
	c *block
}

func isFloat(t mlir.Type) bool { _, ok := t.(mlir.FloatType); return ok }

func isUnsigned(t mlir.Type) bool {
	i, ok := t.(mlir.IntegerType)
	return ok && (i.Signedness == mlir.Unsigned || i.Width == 1)
}

func isBool(t mlir.Type) bool { return mlir.SameType(t, mlir.I1) }

func isHalf(t mlir.Type) bool { return mlir.SameType(t, mlir.F16) || mlir.SameType(t, mlir.BF16) }

// widened is the type in which elements of t compute.
func widened(t mlir.Type) mlir.Type {
	if isHalf(t) {
		return mlir.F32
	}
	return signlessElem(t)
}

func (s scalars) widen(x *mlir.Value) *mlir.Value {
	if isHalf(x.Type) {
		return arith.ExtF(s.Builder, x, mlir.F32)
	}
	return x
}

// narrow rounds a result to an element type.
func (s scalars) narrow(x *mlir.Value, t mlir.Type) *mlir.Value {
	if isTiny(t) && isFloat(x.Type) {
		return s.rounded(x, t.(mlir.FloatType))
	}
	if isHalf(t) && mlir.SameType(x.Type, mlir.F32) {
		return arith.TruncF(s.Builder, x, t)
	}
	return x
}

func (s scalars) float(v float64, t mlir.Type) *mlir.Value {
	return arith.Constant(s.Builder, mlir.Float(v, t))
}

func (s scalars) int(v int64, t mlir.Type) *mlir.Value {
	return arith.Constant(s.Builder, mlir.IntegerAttr{Value: v, Type: t})
}

// number is v in the type of x.
func (s scalars) number(v int64, x *mlir.Value) *mlir.Value {
	if isFloat(x.Type) {
		return s.float(float64(v), x.Type)
	}
	return s.int(v, x.Type)
}

func (s scalars) binary(name string, x, y *mlir.Value) *mlir.Value {
	return arith.Binary(s.Builder, name, x, y)
}

func (s scalars) math(name string, x ...*mlir.Value) *mlir.Value {
	return s.Create("math."+name, x, []mlir.Type{x[0].Type}, nil).Result()
}

func (s scalars) sel(cond, x, y *mlir.Value) *mlir.Value { return arith.Select(s.Builder, cond, x, y) }

// unary are the functions of one float: the name in StableHLO or CHLO without its dialect, and the one in math.
var unary = func() map[string]string {
	names := map[string]string{}
	for _, f := range scalar.Functions {
		if f.Operands == 1 && f.MLIR != "" && f.StableHLO != "" {
			names[short(f.StableHLO)] = strings.TrimPrefix(f.MLIR, "math.")
		}
	}
	return names
}()

// floats and integers are the arithmetic that arith has; integers name the signed and the
// unsigned form.
var (
	floats = map[string]string{"add": "addf", "subtract": "subf", "multiply": "mulf", "divide": "divf",
		"remainder": "remf", "maximum": "maximumf", "minimum": "minimumf"}
	integers = map[string][2]string{"add": {"addi", "addi"}, "subtract": {"subi", "subi"},
		"multiply": {"muli", "muli"}, "maximum": {"maxsi", "maxui"}, "minimum": {"minsi", "minui"},
		"and": {"andi", "andi"}, "or": {"ori", "ori"}, "xor": {"xori", "xori"}}
	bools = map[string]string{"add": "ori", "multiply": "andi", "maximum": "ori", "minimum": "andi",
		"and": "andi", "or": "ori", "xor": "xori", "subtract": "xori"}
)

// apply appends the elementwise operation op to elements x, whose types with their signs are the types of op's
// operands.
func (s scalars) apply(op *mlir.Operation, x []*mlir.Value) *mlir.Value {
	t := operandElem(op, 0)
	out := resultElem(op)
	name := short(op.Name)
	switch name {
	case "convert":
		return s.convert(x[0], t, out)
	case "compare":
		return s.compare(op, x, t)
	case "select":
		return s.sel(x[0], x[1], x[2])
	case "reduce_precision":
		return s.reducePrecision(op, x[0])
	case "bitcast_convert":
		if mlir.BitWidth(t) == mlir.BitWidth(out) {
			return s.bitcast(x[0], signlessElem(out))
		}
	}
	wide := make([]*mlir.Value, len(x))
	for i := range x {
		wide[i] = s.widen(x[i])
	}
	var r *mlir.Value
	if isFloat(t) {
		r = s.applyFloat(name, wide)
	} else {
		r = s.wrapped(s.applyInt(name, s.bits(name, wide, t), t), out)
	}
	if r == nil {
		s.c.fail("is not supported for elements of type %s", t)
	}
	return s.narrow(r, out)
}

// wrapped brings a number into the range of integers of 2 or 4 bits.
func (s scalars) wrapped(x *mlir.Value, t mlir.Type) *mlir.Value {
	if x == nil || !isNarrow(t) {
		return x
	}
	width := int64(mlir.BitWidth(t))
	if isUnsigned(t) {
		return s.binary("andi", x, s.number(1<<width-1, x))
	}
	return s.binary("shrsi", s.binary("shli", x, s.number(8-width, x)), s.number(8-width, x))
}

// bits gives operations that look at the bits of integers of 2 or 4 bits these bits alone.
func (s scalars) bits(name string, x []*mlir.Value, t mlir.Type) []*mlir.Value {
	if !isNarrow(t) {
		return x
	}
	width := int64(mlir.BitWidth(t))
	switch name {
	case "shift_right_logical", "popcnt":
		x[0] = s.binary("andi", x[0], s.number(1<<width-1, x[0]))
	case "count_leading_zeros": // of 8 bits with the number on top and ones below
		top := s.binary("shli", x[0], s.number(8-width, x[0]))
		x[0] = s.binary("ori", top, s.number(1<<(8-width)-1, x[0]))
	}
	return x
}

// short is the name without its dialect, and without the prefix of operations that broadcast.
func short(name string) string {
	_, name, _ = strings.Cut(name, ".")
	return strings.TrimPrefix(name, "broadcast_")
}

func operandElem(op *mlir.Operation, i int) mlir.Type {
	if i >= len(op.Operands) {
		return nil
	}
	t, _ := op.Operands[i].Type.(mlir.TensorType)
	return t.Elem
}

func resultElem(op *mlir.Operation) mlir.Type {
	t, _ := op.Result().Type.(mlir.TensorType)
	return t.Elem
}

func (s scalars) applyFloat(name string, x []*mlir.Value) *mlir.Value {
	if f := floats[name]; f != "" {
		return s.binary(f, x[0], x[1])
	}
	if f := unary[name]; f != "" {
		return s.math(f, x[0])
	}
	switch name {
	case "negate":
		return arith.Cast(s.Builder, "negf", x[0], x[0].Type)
	case "square":
		return s.binary("mulf", x[0], x[0])
	case "power":
		return s.math("powf", x...)
	case "atan2":
		return s.math("atan2", x...)
	case "logistic":
		one := s.number(1, x[0])
		return s.binary("divf", one, s.binary("addf", one,
			s.math("exp", arith.Cast(s.Builder, "negf", x[0], x[0].Type))))
	case "sign": // 0 keeps its sign, NaN stays
		zero := s.number(0, x[0])
		signed := s.math("copysign", s.number(1, x[0]), x[0])
		return s.sel(arith.CmpF(s.Builder, arith.ONE, x[0], zero), signed, x[0])
	case "clamp":
		return s.binary("minimumf", s.binary("maximumf", x[1], x[0]), x[2])
	case "is_finite":
		return arith.CmpF(s.Builder, arith.OLT, s.math("absf", x[0]), s.float(math.Inf(1), x[0].Type))
	case "is_inf":
		return arith.CmpF(s.Builder, arith.OEQ, s.math("absf", x[0]), s.float(math.Inf(1), x[0].Type))
	case "is_pos_inf":
		return arith.CmpF(s.Builder, arith.OEQ, x[0], s.float(math.Inf(1), x[0].Type))
	case "is_neg_inf":
		return arith.CmpF(s.Builder, arith.OEQ, x[0], s.float(math.Inf(-1), x[0].Type))
	}
	return nil
}

func (s scalars) applyInt(name string, x []*mlir.Value, t mlir.Type) *mlir.Value {
	unsigned := isUnsigned(t)
	if isBool(t) && bools[name] != "" {
		return s.binary(bools[name], x[0], x[1])
	}
	if f, ok := integers[name]; ok {
		if unsigned {
			return s.binary(f[1], x[0], x[1])
		}
		return s.binary(f[0], x[0], x[1])
	}
	pick := func(signed, other string) string {
		if unsigned {
			return other
		}
		return signed
	}
	switch name {
	case "divide":
		return s.divide(x[0], x[1], unsigned)
	case "remainder":
		return s.remainder(x[0], x[1], unsigned)
	case "negate":
		return s.binary("subi", s.number(0, x[0]), x[0])
	case "not":
		return s.binary("xori", x[0], s.number(-1, x[0]))
	case "abs":
		if unsigned {
			return x[0]
		}
		return s.binary("maxsi", x[0], s.binary("subi", s.number(0, x[0]), x[0]))
	case "sign":
		positive := s.number(1, x[0])
		if unsigned {
			return s.binary("minui", x[0], positive)
		}
		return s.binary("maxsi", s.number(-1, x[0]), s.binary("minsi", positive, x[0]))
	case "clamp":
		return s.binary(pick("minsi", "minui"), s.binary(pick("maxsi", "maxui"), x[1], x[0]), x[2])
	case "popcnt":
		return s.math("ctpop", x[0])
	case "count_leading_zeros":
		return s.math("ctlz", x[0])
	case "shift_left":
		return s.shift("shli", x[0], x[1])
	case "shift_right_logical":
		return s.shift("shrui", x[0], x[1])
	case "shift_right_arithmetic":
		width := int64(mlir.BitWidth(x[0].Type))
		return s.binary("shrsi", x[0], s.binary("minui", x[1], s.number(width-1, x[1])))
	case "power":
		return s.power(x[0], x[1], unsigned)
	case "square":
		return s.binary("muli", x[0], x[0])
	case "mulhi":
		return s.Create("arith."+pick("mulsi_extended", "mului_extended"), x, []mlir.Type{x[0].Type, x[0].Type}, nil).Results[1]
	}
	return nil
}

// divide truncates; x / 0 has all bits set, and the least number by -1 is itself.
func (s scalars) divide(x, y *mlir.Value, unsigned bool) *mlir.Value {
	zero, ones := s.number(0, y), s.number(-1, y)
	none := arith.CmpI(s.Builder, arith.EQ, y, zero)
	if unsigned {
		q := s.binary("divui", x, s.sel(none, s.number(1, y), y))
		return s.sel(none, ones, q)
	}
	minus := arith.CmpI(s.Builder, arith.EQ, y, ones)
	safe := s.sel(s.binary("ori", none, minus), s.number(1, y), y)
	q := s.sel(minus, s.binary("subi", zero, x), s.binary("divsi", x, safe))
	return s.sel(none, ones, q)
}

// remainder has the sign of x; x % 0 is x.
func (s scalars) remainder(x, y *mlir.Value, unsigned bool) *mlir.Value {
	zero := s.number(0, y)
	none := arith.CmpI(s.Builder, arith.EQ, y, zero)
	if unsigned {
		return s.sel(none, x, s.binary("remui", x, s.sel(none, s.number(1, y), y)))
	}
	minus := arith.CmpI(s.Builder, arith.EQ, y, s.number(-1, y))
	safe := s.sel(s.binary("ori", none, minus), s.number(1, y), y)
	return s.sel(none, x, s.sel(minus, zero, s.binary("remsi", x, safe)))
}

// shift gives 0 for amounts of the width and more.
func (s scalars) shift(name string, x, y *mlir.Value) *mlir.Value {
	width := int64(mlir.BitWidth(x.Type))
	inside := arith.CmpI(s.Builder, arith.ULT, y, s.number(width, y))
	zero := s.number(0, x)
	return s.sel(inside, s.binary(name, x, s.sel(inside, y, zero)), zero)
}

// power multiplies by squaring. A negative exponent gives 1 or -1 for bases of size 1, else 0.
func (s scalars) power(x, y *mlir.Value, unsigned bool) *mlir.Value {
	one := s.number(1, x)
	result, square := one, x
	bits := mlir.BitWidth(x.Type)
	for i := range bits {
		bit := s.binary("andi", s.binary("shrui", y, s.number(int64(i), y)), one)
		set := arith.CmpI(s.Builder, arith.NE, bit, s.number(0, x))
		result = s.sel(set, s.binary("muli", result, square), result)
		square = s.binary("muli", square, square)
	}
	if unsigned {
		return result
	}
	negative := arith.CmpI(s.Builder, arith.SLT, y, s.number(0, y))
	odd := arith.CmpI(s.Builder, arith.NE, s.binary("andi", y, one), s.number(0, y))
	minus := s.number(-1, x)
	unit := s.sel(arith.CmpI(s.Builder, arith.EQ, x, one), one,
		s.sel(arith.CmpI(s.Builder, arith.EQ, x, minus), s.sel(odd, minus, one), s.number(0, x)))
	return s.sel(negative, unit, result)
}

var (
	floatRelations = map[string]arith.FloatPredicate{"EQ": arith.OEQ, "NE": arith.UNE, "LT": arith.OLT,
		"LE": arith.OLE, "GT": arith.OGT, "GE": arith.OGE}
	signedRelations = map[string]arith.IntPredicate{"EQ": arith.EQ, "NE": arith.NE, "LT": arith.SLT,
		"LE": arith.SLE, "GT": arith.SGT, "GE": arith.SGE}
	unsignedRelations = map[string]arith.IntPredicate{"EQ": arith.EQ, "NE": arith.NE, "LT": arith.ULT,
		"LE": arith.ULE, "GT": arith.UGT, "GE": arith.UGE}
)

func (s scalars) compare(op *mlir.Operation, x []*mlir.Value, t mlir.Type) *mlir.Value {
	direction := hlo.Enum(op.Attrs.Get("comparison_direction"))
	if _, ok := floatRelations[direction]; !ok {
		s.c.fail("the direction %q is not known", direction)
	}
	switch {
	case isFloat(t) && hlo.Enum(op.Attrs.Get("compare_type")) == "TOTALORDER":
		return arith.CmpI(s.Builder, signedRelations[direction], s.ordered(x[0]), s.ordered(x[1]))
	case isFloat(t):
		return arith.CmpF(s.Builder, floatRelations[direction], s.widen(x[0]), s.widen(x[1]))
	case isUnsigned(t):
		return arith.CmpI(s.Builder, unsignedRelations[direction], x[0], x[1])
	}
	return arith.CmpI(s.Builder, signedRelations[direction], x[0], x[1])
}

// ordered maps a float to a signed integer in IEEE 754's total order.
func (s scalars) ordered(x *mlir.Value) *mlir.Value {
	width := mlir.BitWidth(x.Type)
	bits := s.bitcast(x, mlir.IntegerType{Width: width})
	flipped := s.binary("xori", bits, s.int(math.MaxInt64>>(64-width), bits.Type))
	return s.sel(arith.CmpI(s.Builder, arith.SLT, bits, s.number(0, bits)), flipped, bits)
}

func (s scalars) bitcast(x *mlir.Value, t mlir.Type) *mlir.Value {
	if mlir.SameType(x.Type, t) {
		return x
	}
	return arith.Cast(s.Builder, "bitcast", x, t)
}
