package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// Kernels hold an i1 as a truth value. The arithmetic that truth values lack is done in integers of 8 bits, and the
// result is the lowest bit. A 1 is -1 for an operation with signs.

// bitwise has the operations on i1 that are done in integers of 8 bits; true says that operands have a sign.
var bitwise = map[string]bool{
	"arith.ceildivsi": true, "arith.ceildivui": false, "arith.divsi": true, "arith.divui": false, "arith.floordivsi": true,
	"arith.remsi": true, "arith.remui": false, "arith.shli": false, "arith.shrsi": true, "arith.shrui": false,
	"math.absi": true, "math.ctpop": false, "math.ipowi": true,
}

// onBits reports whether an operation is one of [bitwise] on i1, or counts zeros of i1.
func (s *scalars) onBits(op *mlir.Operation, x []int) bool {
	_, is := bitwise[op.Name]
	return (is || countsZeros(op)) && len(x) > 0 && s.b.Type(x[0]) == dtype.Bool
}

// countsZeros reports whether an operation counts the zeros in front of the first one or behind the last one.
func countsZeros(op *mlir.Operation) bool { return op.Name == "math.ctlz" || op.Name == "math.cttz" }

// throughBytes translates an operation on i1 with f, the translation for integers.
func (s *scalars) throughBytes(f func(*scalars, *mlir.Operation, []int) int, op *mlir.Operation, x []int) int {
	b := s.b
	if countsZeros(op) {
		return b.Unary(kernel.Not, x[0])
	}
	for i, v := range x {
		x[i] = b.Cast(dtype.I8, v)
		if bitwise[op.Name] {
			x[i] = signed(b, v)
		}
	}
	one := b.Const(dtype.I8, 1)
	return b.Cast(dtype.Bool, b.Binary(kernel.And, f(s, op, x), one))
}
