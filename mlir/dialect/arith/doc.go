// SPDX-License-Identifier: Apache-2.0

// Package arith defines MLIR's arith dialect: constants, arithmetic, comparisons
// and conversions on integers and floats, and element by element on vectors and
// tensors of them.
//
// The builders append one operation each and return its result:
//
//	sum := arith.AddF(b, x, y)
//	two := arith.Constant(b, mlir.Float(2, mlir.F32))
//	positive := arith.CmpF(b, arith.OGT, sum, two)
package arith
