package arith

import "github.com/go-acap/acap/mlir"

// Constant appends a constant; the attribute gives its type.
func Constant(b *mlir.Builder, value mlir.Attribute) *mlir.Value {
	return b.Insert(constantOp(value, mlir.TypeOf(value))).Result()
}

// Index appends a constant of type index.
func Index(b *mlir.Builder, v int) *mlir.Value {
	return Constant(b, mlir.IntegerAttr{Value: int64(v), Type: mlir.Index})
}

// Binary appends the operation of the given short name ("addf") of two values of
// one type.
func Binary(b *mlir.Builder, name string, x, y *mlir.Value) *mlir.Value {
	return b.Create("arith."+name, []*mlir.Value{x, y}, []mlir.Type{x.Type}, nil).Result()
}

// Sums and products of floats.
func AddF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "addf", x, y) }
func SubF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "subf", x, y) }
func MulF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "mulf", x, y) }

// Extremes of floats: NaN if either is NaN.
func MaximumF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "maximumf", x, y) }
func MinimumF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "minimumf", x, y) }

// Integer arithmetic, which wraps around.
func AddI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "addi", x, y) }
func SubI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "subi", x, y) }
func MulI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "muli", x, y) }

// Quotients and remainders of unsigned integers.
func DivUI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "divui", x, y) }
func RemUI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "remui", x, y) }

// Bits.
func AndI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value  { return Binary(b, "andi", x, y) }
func OrI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value   { return Binary(b, "ori", x, y) }
func XorI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value  { return Binary(b, "xori", x, y) }
func ShRUI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "shrui", x, y) }

// Extremes of integers, signed and unsigned.
func MaxSI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "maxsi", x, y) }
func MaxUI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "maxui", x, y) }
func MinSI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "minsi", x, y) }
func MinUI(b *mlir.Builder, x, y *mlir.Value) *mlir.Value { return Binary(b, "minui", x, y) }

// Select appends c ? x : y.
func Select(b *mlir.Builder, c, x, y *mlir.Value) *mlir.Value {
	return b.Create("arith.select", []*mlir.Value{c, x, y}, []mlir.Type{x.Type}, nil).Result()
}

// IntPredicate is a comparison of integers.
type IntPredicate int

// The comparisons of integers: signed, then unsigned.
const (
	EQ IntPredicate = iota
	NE
	SLT
	SLE
	SGT
	SGE
	ULT
	ULE
	UGT
	UGE
)

var intPredicates = [...]string{
	"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

// FloatPredicate is a comparison of floats. The ordered ones are false and the
// unordered ones true if either side is NaN.
type FloatPredicate int

// The comparisons of floats.
const (
	AlwaysFalse FloatPredicate = iota
	OEQ
	OGT
	OGE
	OLT
	OLE
	ONE
	ORD
	UEQ
	UNGT
	UNGE
	UNLT
	UNLE
	UNE
	UNO
	AlwaysTrue
)

var floatPredicates = [...]string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
	"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"}

// CmpI appends a comparison of integers.
func CmpI(b *mlir.Builder, p IntPredicate, x, y *mlir.Value) *mlir.Value {
	return compare(b, "arith.cmpi", int(p), x, y)
}

// CmpF appends a comparison of floats.
func CmpF(b *mlir.Builder, p FloatPredicate, x, y *mlir.Value) *mlir.Value {
	return compare(b, "arith.cmpf", int(p), x, y)
}

func compare(b *mlir.Builder, name string, p int, x, y *mlir.Value) *mlir.Value {
	return b.Create(name, []*mlir.Value{x, y}, []mlir.Type{boolLike(x.Type)},
		mlir.Attrs{{Name: "predicate", Value: mlir.Int(p)}}).Result()
}

// Cast appends the conversion of the given short name ("extf") to an element type.
func Cast(b *mlir.Builder, name string, x *mlir.Value, elem mlir.Type) *mlir.Value {
	return b.Create("arith."+name, []*mlir.Value{x},
		[]mlir.Type{mlir.WithElement(x.Type, elem)}, nil).Result()
}

// Conversions to another element type.
func ExtF(b *mlir.Builder, x *mlir.Value, e mlir.Type) *mlir.Value {
	return Cast(b, "extf", x, e)
}
func TruncF(b *mlir.Builder, x *mlir.Value, e mlir.Type) *mlir.Value {
	return Cast(b, "truncf", x, e)
}
func TruncI(b *mlir.Builder, x *mlir.Value, e mlir.Type) *mlir.Value {
	return Cast(b, "trunci", x, e)
}
func IndexCast(b *mlir.Builder, x *mlir.Value, e mlir.Type) *mlir.Value {
	return Cast(b, "index_cast", x, e)
}
