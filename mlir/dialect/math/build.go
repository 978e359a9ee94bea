package math

import "github.com/go-acap/acap/mlir"

// Unary appends the operation of the given short name ("exp").
func Unary(b *mlir.Builder, name string, x *mlir.Value) *mlir.Value {
	return b.Create("math."+name, []*mlir.Value{x}, []mlir.Type{x.Type}, nil).Result()
}

// Binary appends the operation of the given short name ("atan2").
func Binary(b *mlir.Builder, name string, x, y *mlir.Value) *mlir.Value {
	return b.Create("math."+name, []*mlir.Value{x, y}, []mlir.Type{x.Type}, nil).Result()
}

// Functions of one value. RoundEven rounds halves to even, Round away from zero;
// CtLZ, CtTZ and CtPop count leading zeros, trailing zeros and ones.
func AbsF(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "absf", x) }
func Acos(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "acos", x) }
func Acosh(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "acosh", x) }
func Asin(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "asin", x) }
func Asinh(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "asinh", x) }
func Atan(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "atan", x) }
func Atanh(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "atanh", x) }
func Cbrt(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "cbrt", x) }
func Ceil(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "ceil", x) }
func Cos(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "cos", x) }
func Cosh(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "cosh", x) }
func Erf(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "erf", x) }
func Exp(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "exp", x) }
func Exp2(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "exp2", x) }
func Expm1(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "expm1", x) }
func Floor(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "floor", x) }
func Log(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "log", x) }
func Log10(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "log10", x) }
func Log1p(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "log1p", x) }
func Log2(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "log2", x) }
func Round(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "round", x) }
func RoundEven(b *mlir.Builder, x *mlir.Value) *mlir.Value { return Unary(b, "roundeven", x) }
func Rsqrt(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "rsqrt", x) }
func Sin(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "sin", x) }
func Sinh(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "sinh", x) }
func Sqrt(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "sqrt", x) }
func Tan(b *mlir.Builder, x *mlir.Value) *mlir.Value       { return Unary(b, "tan", x) }
func Tanh(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "tanh", x) }
func Trunc(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "trunc", x) }
func AbsI(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "absi", x) }
func CtLZ(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "ctlz", x) }
func CtPop(b *mlir.Builder, x *mlir.Value) *mlir.Value     { return Unary(b, "ctpop", x) }
func CtTZ(b *mlir.Builder, x *mlir.Value) *mlir.Value      { return Unary(b, "cttz", x) }

// Functions of two values.
func Atan2(b *mlir.Builder, y, x *mlir.Value) *mlir.Value { return Binary(b, "atan2", y, x) }
func CopySign(b *mlir.Builder, x, sign *mlir.Value) *mlir.Value {
	return Binary(b, "copysign", x, sign)
}
func PowF(b *mlir.Builder, x, y *mlir.Value) *mlir.Value  { return Binary(b, "powf", x, y) }
func FPowI(b *mlir.Builder, x, n *mlir.Value) *mlir.Value { return Binary(b, "fpowi", x, n) }
func IPowI(b *mlir.Builder, x, n *mlir.Value) *mlir.Value { return Binary(b, "ipowi", x, n) }

// FMA appends x*y + z with one rounding.
func FMA(b *mlir.Builder, x, y, z *mlir.Value) *mlir.Value {
	return b.Create("math.fma", []*mlir.Value{x, y, z}, []mlir.Type{x.Type}, nil).Result()
}
