// SPDX-License-Identifier: Apache-2.0

// Package math defines MLIR's math dialect: elementary functions of numbers, and
// element by element of vectors and tensors.
//
//	y := math.Exp(b, x)
package math
