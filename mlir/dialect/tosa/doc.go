// SPDX-License-Identifier: Apache-2.0

// Package tosa defines MLIR's tosa dialect, the Tensor Operator Set Architecture: its
// operations have the functional form, and those with regions or constants the generic
// one.
//
// An operation may have the form of TOSA 0.80, which LLVM had up to version 19, or the form of TOSA 1.0, which gives
// zero points, shifts and shapes as operands (version1.go): [IsVersion1].
package tosa
