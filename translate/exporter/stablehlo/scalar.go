package stablehlo

import (
	"math"
	"strings"

	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// direct are the operations of arith and math that the dialect has.
var direct = map[string]string{
	"arith.addf": "add", "arith.addi": "add", "arith.subf": "subtract", "arith.subi": "subtract",
	"arith.mulf": "multiply", "arith.muli": "multiply", "arith.divf": "divide", "arith.divsi": "divide",
	"arith.remf": "remainder", "arith.remsi": "remainder", "arith.maximumf": "maximum", "arith.maxsi": "maximum",
	"arith.minimumf": "minimum", "arith.minsi": "minimum", "arith.andi": "and", "arith.ori": "or",
	"arith.xori": "xor", "arith.shli": "shift_left", "arith.shrsi": "shift_right_arithmetic",
	"arith.shrui": "shift_right_logical", "arith.negf": "negate", "arith.select": "select",
	"math.absi": "abs", "math.ipowi": "power", "math.ctpop": "popcnt", "math.ctlz": "count_leading_zeros",
	"math.isfinite": "is_finite", "math.isinf": "chlo.is_inf",
	"arith.extf": "convert", "arith.truncf": "convert", "arith.extsi": "convert", "arith.trunci": "convert",
	"arith.sitofp": "convert", "arith.fptosi": "convert", "arith.index_cast": "convert",
	"arith.bitcast": "bitcast_convert",
}

func init() {
	for _, f := range scalar.Functions {
		if f.MLIR != "" && f.StableHLO != "" {
			direct[f.MLIR] = strings.TrimPrefix(f.StableHLO, "stablehlo.")
		}
	}
}

// unsigned are those whose operands the dialect takes as unsigned integers.
var unsigned = map[string]string{
	"arith.divui": "divide", "arith.remui": "remainder", "arith.maxui": "maximum", "arith.minui": "minimum",
	"arith.extui": "convert", "arith.uitofp": "convert", "arith.index_castui": "convert",
}

func elementwise(op *mlir.Operation) bool {
	return strings.HasPrefix(op.Name, "arith.") || strings.HasPrefix(op.Name, "math.")
}

// apply writes an operation on numbers as one on tensors.
func (w *writer) apply(op *mlir.Operation, x []*mlir.Value, dims []int) *mlir.Value {
	t := tensor(elemOf(op.Result().Type), dims)
	if name := direct[op.Name]; name != "" {
		return w.simple(op, name, t, x)
	}
	if name := unsigned[op.Name]; name != "" {
		for i := range x {
			x[i] = w.asUnsigned(x[i])
		}
		if name == "convert" {
			return w.create(name, t, nil, x...)
		}
		return w.create("bitcast_convert", t, nil, w.create(name, x[0].Type, nil, x...))
	}
	switch op.Name {
	case "arith.cmpf":
		return w.compareFloats(predicate(op), x, t)
	case "arith.cmpi":
		return w.compareInts(predicate(op), x, t)
	case "math.fma":
		return w.create("add", t, nil, w.create("multiply", t, nil, x[0], x[1]), x[2])
	case "math.isnan":
		return w.relation("NE", "FLOAT", t, x[0], x[0])
	case "math.exp2":
		return w.create("exponential", t, nil, w.scaled(x[0], math.Ln2))
	case "math.log2":
		return w.scaled(w.create("log", t, nil, x[0]), 1/math.Ln2)
	case "math.log10":
		return w.scaled(w.create("log", t, nil, x[0]), 1/math.Ln10)
	case "math.trunc":
		size := w.create("floor", t, nil, w.create("abs", t, nil, x[0]))
		return w.signed(size, x[0])
	case "math.copysign":
		return w.signed(w.create("abs", t, nil, x[0]), x[1])
	case "arith.maxnumf", "arith.minnumf":
		name := map[string]string{"arith.maxnumf": "maximum", "arith.minnumf": "minimum"}[op.Name]
		flags := tensor(mlir.I1, dims)
		r := w.create(name, t, nil, x...)
		r = w.create("select", t, nil, w.relation("NE", "FLOAT", flags, x[0], x[0]), x[1], r)
		return w.create("select", t, nil, w.relation("NE", "FLOAT", flags, x[1], x[1]), x[0], r)
	case "arith.floordivsi":
		return w.floorDivide(x, t)
	case "arith.fptoui":
		u := w.create("convert", tensor(asUnsigned(t.Elem), dims), nil, x[0])
		return w.create("bitcast_convert", t, nil, u)
	}
	w.fail("has no form in StableHLO")
	return nil
}

func (w *writer) simple(op *mlir.Operation, name string, t mlir.TensorType, x []*mlir.Value) *mlir.Value {
	if name == "convert" && mlir.SameType(elemOf(x[0].Type), t.Elem) {
		return x[0] // an index and an i64
	}
	if name == "convert" && mlir.SameType(t.Elem, mlir.I1) { // the lowest bit
		low := w.create("and", x[0].Type, nil, x[0], w.broadcast(w.number(1, elemOf(x[0].Type)), t.Shape, nil))
		return w.create("convert", t, nil, low)
	}
	if (op.Name == "arith.sitofp" || op.Name == "arith.extsi" || op.Name == "arith.index_cast") &&
		mlir.SameType(elemOf(x[0].Type), mlir.I1) { // all ones
		return w.create("negate", t, nil, w.create("convert", t, nil, x[0]))
	}
	return w.create(name, t, nil, x...)
}

// floorDivide rounds quotients of integers down: where something is left over, and the operands differ in sign,
// the quotient that is rounded to zero is one too large.
func (w *writer) floorDivide(x []*mlir.Value, t mlir.TensorType) *mlir.Value {
	flags := tensor(mlir.I1, t.Shape)
	constant := func(v float64) *mlir.Value { return w.broadcast(w.number(v, t.Elem), t.Shape, nil) }
	quotient, rest := w.create("divide", t, nil, x...), w.create("remainder", t, nil, x...)
	uneven := w.relation("NE", "SIGNED", flags, rest, constant(0))
	opposite := w.relation("LT", "SIGNED", flags, w.create("xor", t, nil, rest, x[1]), constant(0))
	less := w.create("subtract", t, nil, quotient, constant(1))
	return w.create("select", t, nil, w.create("and", flags, nil, uneven, opposite), less, quotient)
}

func (w *writer) scaled(x *mlir.Value, by float64) *mlir.Value {
	return w.create("multiply", x.Type, nil, x, w.broadcast(w.number(by, elemOf(x.Type)), shapeOf(x.Type), nil))
}

// signed gives a size the sign bit of another float.
func (w *writer) signed(size, sign *mlir.Value) *mlir.Value {
	elem := elemOf(size.Type)
	width := mlir.BitWidth(elem)
	bits := tensor(mlir.IntegerType{Width: width}, shapeOf(size.Type))
	b := w.create("bitcast_convert", bits, nil, sign)
	mask := w.literal(mlir.DenseInts(tensor(bits.Elem, []int{}), []int64{math.MinInt64 >> (64 - width)}))
	b = w.create("and", bits, nil, b, w.broadcast(mask, bits.Shape, nil))
	b = w.create("or", bits, nil, b, w.create("bitcast_convert", bits, nil, size))
	return w.create("bitcast_convert", size.Type, nil, b)
}

func asUnsigned(t mlir.Type) mlir.Type {
	if i, ok := t.(mlir.IntegerType); ok && i.Width > 1 {
		i.Signedness = mlir.Unsigned
		return i
	}
	return t
}

func (w *writer) asUnsigned(x *mlir.Value) *mlir.Value {
	t := tensor(asUnsigned(elemOf(x.Type)), shapeOf(x.Type))
	if mlir.SameType(t, x.Type) {
		return x
	}
	return w.create("bitcast_convert", t, nil, x)
}

func predicate(op *mlir.Operation) int {
	a, _ := op.Attrs.Get("predicate").(mlir.IntegerAttr)
	return int(a.Value)
}

func (w *writer) relation(direction, kind string, t mlir.Type, x, y *mlir.Value) *mlir.Value {
	return w.create("compare", t, mlir.Attrs{
		{Name: "compare_type", Value: mlir.OpaqueAttr{Text: "#stablehlo<comparison_type " + kind + ">"}},
		{Name: "comparison_direction", Value: mlir.OpaqueAttr{Text: "#stablehlo<comparison_direction " + direction + ">"}},
	}, x, y)
}

func (w *writer) not(x *mlir.Value) *mlir.Value { return w.create("not", x.Type, nil, x) }

func (w *writer) compareFloats(p int, x []*mlir.Value, t mlir.Type) *mlir.Value {
	is := func(direction string) *mlir.Value { return w.relation(direction, "FLOAT", t, x[0], x[1]) }
	nan := func() *mlir.Value {
		return w.create("or", t, nil, w.relation("NE", "FLOAT", t, x[0], x[0]), w.relation("NE", "FLOAT", t, x[1], x[1]))
	}
	switch arith.FloatPredicate(p) {
	case arith.OEQ:
		return is("EQ")
	case arith.OGT:
		return is("GT")
	case arith.OGE:
		return is("GE")
	case arith.OLT:
		return is("LT")
	case arith.OLE:
		return is("LE")
	case arith.UNE:
		return is("NE")
	case arith.ONE:
		return w.create("or", t, nil, is("LT"), is("GT"))
	case arith.UEQ:
		return w.not(w.create("or", t, nil, is("LT"), is("GT")))
	case arith.UNGT:
		return w.not(is("LE"))
	case arith.UNGE:
		return w.not(is("LT"))
	case arith.UNLT:
		return w.not(is("GE"))
	case arith.UNLE:
		return w.not(is("GT"))
	case arith.UNO:
		return nan()
	case arith.ORD:
		return w.not(nan())
	}
	w.fail("a comparison that is always the same")
	return nil
}

func (w *writer) compareInts(p int, x []*mlir.Value, t mlir.Type) *mlir.Value {
	direction := [...]string{"EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE"}[p]
	kind := "SIGNED"
	if arith.IntPredicate(p) >= arith.ULT {
		kind = "UNSIGNED"
		x = []*mlir.Value{w.asUnsigned(x[0]), w.asUnsigned(x[1])}
	}
	if mlir.SameType(elemOf(x[0].Type), mlir.I1) {
		kind = "UNSIGNED"
	}
	return w.relation(direction, kind, t, x[0], x[1])
}
