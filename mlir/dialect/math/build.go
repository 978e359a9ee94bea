package math

import "github.com/go-acap/acap/mlir"

// Unary appends the operation of the given short name ("exp").
func Unary(b *mlir.Builder, name string, x *mlir.Value) *mlir.Value {
	return b.Create("math."+name, []*mlir.Value{x}, []mlir.Type{x.Type}, nil).Result()
}

// Functions of one value.
func AbsF(b *mlir.Builder, x *mlir.Value) *mlir.Value  { return Unary(b, "absf", x) }
func Exp(b *mlir.Builder, x *mlir.Value) *mlir.Value   { return Unary(b, "exp", x) }
func Log1p(b *mlir.Builder, x *mlir.Value) *mlir.Value { return Unary(b, "log1p", x) }
