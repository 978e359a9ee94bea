package ops

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Elem is one element inside the body of a generic.
type Elem struct {
	V *mlir.Value
	D dtype.DType
}

// Scalars writes arith and math operations into the body of a generic. Operands
// of a binary operation have equal types; a bool is an i1.
type Scalars struct {
	*mlir.Builder
	values func(Value) *mlir.Value // of open numbers
}

func (s *Scalars) op(name string, d dtype.DType, attrs mlir.Attrs, x ...Elem) Elem {
	operands := make([]*mlir.Value, len(x))
	for i, e := range x {
		operands[i] = e.V
	}
	return Elem{s.Create(name, operands, []mlir.Type{loweredElem(d)}, attrs).Result(), d}
}

// Const returns a number of a type.
func (s *Scalars) Const(d dtype.DType, v float64) Elem {
	switch {
	case d == dtype.Bool && v != 0: // NaN, too
		return s.ConstInt(d, 1)
	case d.IsFloat8():
		bits := mlir.IntegerAttr{Value: int64(int8(dtype.Float8Bits(d, float32(v)))), Type: loweredElem(d)}
		return s.op("arith.constant", d, mlir.Attrs{{Name: "value", Value: bits}})
	case d == dtype.U64 && v >= 1<<63:
		return s.ConstInt(d, int64(saturateUnsigned(v)))
	case !d.IsFloat():
		return s.ConstInt(d, saturate(v))
	}
	return s.op("arith.constant", d, mlir.Attrs{{Name: "value", Value: mlir.Float(v, loweredElem(d))}})
}

// saturate converts to int64, with what lies outside at the nearest end.
func saturate(v float64) int64 {
	switch {
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}

// saturateUnsigned is saturate for what is not negative and uint64.
func saturateUnsigned(v float64) uint64 {
	if v >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(v)
}

// ConstInt returns an integer or bool of a type.
func (s *Scalars) ConstInt(d dtype.DType, v int64) Elem {
	if d.IsFloat() {
		return s.Const(d, float64(v))
	}
	if d == dtype.Bool && v != 0 {
		v = 1
	}
	a := mlir.IntegerAttr{Value: v, Type: loweredElem(d)}
	return s.op("arith.constant", d, mlir.Attrs{{Name: "value", Value: a}})
}

// Of returns a Scalar argument as an element of a type.
func (s *Scalars) Of(d dtype.DType, v Scalar) Elem {
	if v.open != nil {
		return s.opened(d, v.kind, v.open)
	}
	if !d.IsFloat() && v.Kind() == KindInt {
		return s.ConstInt(d, int64(v.Int()))
	}
	return s.Const(d, v.Float())
}

// Widen converts floats of 8 and 16 bits to float32, and returns elements of other types as they are.
func (s *Scalars) Widen(x Elem) Elem { return s.Cast(x, widened(x.D)) }

func widened(d dtype.DType) dtype.DType {
	if d.IsFloat() && d.Size() < 4 {
		return dtype.F32
	}
	return d
}

// Cast converts an element: floats to integers truncate, anything to bool is
// x != 0, integers wrap.
func (s *Scalars) Cast(x Elem, d dtype.DType) Elem {
	from := x.D
	switch {
	case from == d:
		return x
	case from.IsFloat8():
		return s.Cast(s.decode8(x), d)
	case d.IsFloat8():
		return s.encode8(s.Cast(x, dtype.F32), d)
	case d == dtype.Bool:
		return s.Cmp("ne", x, s.Const(from, 0))
	case from.IsFloat() && d.IsFloat():
		return s.castFloat(x, d)
	case from.IsFloat():
		return s.castToInt(x, d)
	case d.IsFloat():
		if from.IsSigned() {
			return s.op("arith.sitofp", d, nil, x)
		}
		return s.op("arith.uitofp", d, nil, x)
	case d.Bits() == from.Bits():
		return Elem{x.V, d}
	case d.Bits() < from.Bits():
		return s.op("arith.trunci", d, nil, x)
	case from.IsSigned():
		return s.op("arith.extsi", d, nil, x)
	}
	return s.op("arith.extui", d, nil, x)
}

func (s *Scalars) castFloat(x Elem, d dtype.DType) Elem {
	switch {
	case x.D.Size() < d.Size():
		return s.op("arith.extf", d, nil, x)
	case x.D.Size() > d.Size():
		return s.op("arith.truncf", d, nil, x)
	}
	return s.castFloat(s.castFloat(x, dtype.F32), d) // between f16 and bf16
}

// castToInt goes through i64 for the narrow types, so that they wrap as they do
// in PyTorch instead of being undefined.
func (s *Scalars) castToInt(x Elem, d dtype.DType) Elem {
	if d == dtype.U64 {
		return s.op("arith.fptoui", d, nil, x)
	}
	return s.Cast(s.op("arith.fptosi", dtype.I64, nil, x), d)
}

// Bits returns the bits of a float as a signed integer of its width; integers
// stay as they are.
func (s *Scalars) Bits(x Elem) Elem {
	if !x.D.IsFloat() {
		return x
	}
	return s.Bitcast(x, bitsType(x.D))
}

// bitsType is the signed integer type as wide as a floating type.
func bitsType(d dtype.DType) dtype.DType {
	return map[int]dtype.DType{16: dtype.I16, 32: dtype.I32, 64: dtype.I64}[d.Bits()]
}

// Bitcast reinterprets the bits as another type of the same width.
func (s *Scalars) Bitcast(x Elem, d dtype.DType) Elem { return s.op("arith.bitcast", d, nil, x) }

// binary appends the float, signed or unsigned form of an operation.
func (s *Scalars) binary(float, signed, unsigned string, x, y Elem) Elem {
	if x.D != y.D {
		panic(fmt.Sprintf("BUG: ops: %s of %v and %v", float, x.D, y.D))
	}
	name := signed
	switch {
	case x.D.IsFloat():
		name = float
	case !x.D.IsSigned():
		name = unsigned
	}
	return s.op(name, x.D, nil, x, y)
}

// Add returns x + y; of bools, x or y.
func (s *Scalars) Add(x, y Elem) Elem {
	if x.D == dtype.Bool {
		return s.Or(x, y)
	}
	return s.binary("arith.addf", "arith.addi", "arith.addi", x, y)
}

// Sub returns x - y.
func (s *Scalars) Sub(x, y Elem) Elem {
	return s.binary("arith.subf", "arith.subi", "arith.subi", x, y)
}

// Mul returns x × y; of bools, x and y.
func (s *Scalars) Mul(x, y Elem) Elem {
	if x.D == dtype.Bool {
		return s.And(x, y)
	}
	return s.binary("arith.mulf", "arith.muli", "arith.muli", x, y)
}

// Div returns x / y; integers truncate.
func (s *Scalars) Div(x, y Elem) Elem {
	return s.binary("arith.divf", "arith.divsi", "arith.divui", x, y)
}

// FloorDiv returns ⌊x / y⌋.
func (s *Scalars) FloorDiv(x, y Elem) Elem {
	if x.D.IsFloat() {
		return s.Floor(s.Div(x, y))
	}
	return s.binary("", "arith.floordivsi", "arith.divui", x, y)
}

// Rem returns the remainder with the sign of x (C's fmod).
func (s *Scalars) Rem(x, y Elem) Elem {
	return s.binary("arith.remf", "arith.remsi", "arith.remui", x, y)
}

// Max propagates NaN.
func (s *Scalars) Max(x, y Elem) Elem {
	return s.binary("arith.maximumf", "arith.maxsi", "arith.maxui", x, y)
}

// Min propagates NaN.
func (s *Scalars) Min(x, y Elem) Elem {
	return s.binary("arith.minimumf", "arith.minsi", "arith.minui", x, y)
}

// MaxNum ignores a NaN if the other is a number.
func (s *Scalars) MaxNum(x, y Elem) Elem {
	return s.binary("arith.maxnumf", "arith.maxsi", "arith.maxui", x, y)
}

// MinNum ignores a NaN if the other is a number.
func (s *Scalars) MinNum(x, y Elem) Elem {
	return s.binary("arith.minnumf", "arith.minsi", "arith.minui", x, y)
}

// And, Or and Xor are bitwise on integers and logical on bools.
func (s *Scalars) And(x, y Elem) Elem { return s.op("arith.andi", x.D, nil, x, y) }

// Or is the bitwise or.
func (s *Scalars) Or(x, y Elem) Elem { return s.op("arith.ori", x.D, nil, x, y) }

// Xor is the bitwise exclusive or.
func (s *Scalars) Xor(x, y Elem) Elem { return s.op("arith.xori", x.D, nil, x, y) }

// Not inverts all bits.
func (s *Scalars) Not(x Elem) Elem {
	all := int64(-1)
	if x.D == dtype.Bool {
		all = 1
	}
	return s.Xor(x, s.ConstInt(x.D, all))
}

// Shl shifts left.
func (s *Scalars) Shl(x, y Elem) Elem { return s.op("arith.shli", x.D, nil, x, y) }

// Shr shifts right, arithmetically for signed types.
func (s *Scalars) Shr(x, y Elem) Elem {
	return s.binary("", "arith.shrsi", "arith.shrui", x, y)
}

// Neg returns -x.
func (s *Scalars) Neg(x Elem) Elem {
	if x.D.IsFloat() {
		return s.op("arith.negf", x.D, nil, x)
	}
	return s.Sub(s.ConstInt(x.D, 0), x)
}

// Abs returns |x|.
func (s *Scalars) Abs(x Elem) Elem {
	switch {
	case x.D.IsFloat():
		return s.Math("absf", x)
	case !x.D.IsSigned():
		return x
	}
	return s.Math("absi", x)
}

// Math appends math.<name> of operands of one floating type.
func (s *Scalars) Math(name string, x ...Elem) Elem {
	return s.op("math."+name, x[0].D, nil, x...)
}

// Floor returns ⌊x⌋ of a float.
func (s *Scalars) Floor(x Elem) Elem { return s.Math("floor", x) }

// Exp returns eˣ.
func (s *Scalars) Exp(x Elem) Elem { return s.Math("exp", x) }

// Log returns the natural logarithm.
func (s *Scalars) Log(x Elem) Elem { return s.Math("log", x) }

// floatPredicates are the predicates of arith.cmpf by relation, ordered except for ne; those below are for arith.cmpi.
var floatPredicates = map[string]int64{"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13,
	"uno": 14}
var signedPredicates = map[string]int64{"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
var unsignedPredicates = map[string]int64{"eq": 0, "ne": 1, "lt": 6, "le": 7, "gt": 8, "ge": 9}

// Cmp compares: eq, ne, lt, le, gt, ge, and uno (either is NaN) of floats.
// Comparisons with NaN are false, except ne.
func (s *Scalars) Cmp(relation string, x, y Elem) Elem {
	name, table := "arith.cmpi", signedPredicates
	switch {
	case x.D.IsFloat():
		name, table = "arith.cmpf", floatPredicates
	case !x.D.IsSigned():
		table = unsignedPredicates
	}
	p, ok := table[relation]
	if !ok || x.D != y.D {
		panic(fmt.Sprintf("BUG: ops: compare %s of %v and %v", relation, x.D, y.D))
	}
	return s.op(name, dtype.Bool, mlir.Attrs{{Name: "predicate",
		Value: mlir.IntegerAttr{Value: p, Type: mlir.I64}}}, x, y)
}

// IsNaN reports whether x is NaN.
func (s *Scalars) IsNaN(x Elem) Elem {
	if !x.D.IsFloat() {
		return s.ConstInt(dtype.Bool, 0)
	}
	return s.Cmp("uno", x, x)
}

// Select returns cond ? x : y.
func (s *Scalars) Select(cond, x, y Elem) Elem { return s.op("arith.select", x.D, nil, cond, x, y) }

// Index returns the value of loop d as an i64.
func (s *Scalars) Index(d int) Elem {
	index := s.Create("linalg.index", nil, []mlir.Type{mlir.Index}, mlir.Attrs{{Name: "dim", Value: mlir.Int(d)}})
	return s.op("arith.index_cast", dtype.I64, nil, Elem{index.Result(), dtype.I64})
}

// At reads t at computed indices (i64, one per dimension). An index outside the
// tensor is an error when the program runs.
func (s *Scalars) At(t Lowered, index ...Elem) Elem {
	operands := []*mlir.Value{t.V}
	for _, i := range index {
		cast := s.Create("arith.index_cast", []*mlir.Value{i.V}, []mlir.Type{mlir.Index}, nil)
		operands = append(operands, cast.Result())
	}
	return Elem{s.Create("tensor.extract", operands, []mlir.Type{loweredElem(t.D)}, nil).Result(), t.D}
}

// Lowest returns the identity of a maximum: -∞ or the smallest integer.
func Lowest(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(-1)
	case !d.IsSigned():
		return 0
	}
	return -math.Ldexp(1, d.Bits()-1)
}

// Highest returns the identity of a minimum.
func Highest(d dtype.DType) float64 {
	switch {
	case d.IsFloat():
		return math.Inf(1)
	case d == dtype.Bool:
		return 1
	case !d.IsSigned():
		return math.Ldexp(1, d.Bits()) - 1 // 2⁶⁴ - 1 rounds to 2⁶⁴, which saturates
	}
	return math.Ldexp(1, d.Bits()-1) - 1 // 2⁶³ - 1 rounds to 2⁶³, which saturates
}
