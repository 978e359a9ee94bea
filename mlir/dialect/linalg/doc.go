// SPDX-License-Identifier: Apache-2.0

// Package linalg defines MLIR's linalg dialect: structured computations on
// tensors. An operation walks a space of loops; an affine map for each operand
// says which element a point of the space touches, and a region computes the
// outputs of the point from these elements.
//
//	y := linalg.Generic(b, []*mlir.Value{x}, []*mlir.Value{zero},
//		[]mlir.AffineMap{mlir.Identity(2), mlir.Projection(2, 0)},
//		[]string{linalg.Parallel, linalg.Reduction},
//		func(b *mlir.Builder, args []*mlir.Value) []*mlir.Value {
//			return []*mlir.Value{arith.AddF(b, args[0], args[1])}
//		})[0]
//
// Named operations ([MatMul], convolutions, poolings, elementwise) have their maps
// by name and carry the same kind of region, which their custom form leaves out:
// [IndexingMaps], [Iterators], [Inputs] and [Outputs] treat all of them alike.
//
// The table of named operations is the only one: whoever compiles, runs or counts an operation takes its
// loops, maps and region from here. It has what LLVM 19 to 22 define (up to LLVM 21 in
// mlir/python/mlir/dialects/linalg/opdsl/ops/core_named_ops.py).
package linalg
