// SPDX-License-Identifier: Apache-2.0

// Package tensor defines MLIR's tensor dialect: making, reading, slicing,
// padding and reshaping immutable tensors.
//
// The builders compute result types from their arguments where the operation
// leaves no choice:
//
//	zero := tensor.Empty(b, mlir.Tensor(dtype.F32, []int{4, 8}))
//	left := tensor.ExtractSlice(b, x, tensor.Slice{
//		Offsets: tensor.Statics(0, 0), Sizes: tensor.Statics(4, 4)})
package tensor
