// SPDX-License-Identifier: Apache-2.0

// Package walk runs functions by walking them, one operation after the other: programs on memory (memref, affine), on
// vectors, with parallel loops (scf.parallel, scf.forall) and with extents that are known only at run time. Package
// compiler compiles groups of operations on tensors of known shapes; this package runs operations that are in no group.
//
// Parallel loops run in order. Errors such as an index that is out of range come with the
// line of the operation. Allocations are bounded, and a run ends when its context does.
//
// [RunDesign] runs an array that is described in mlir-aie's dialects: its cores, the channels of its DMAs and the host
// are walked in turns, each until it waits for a lock, an object or data.
package walk
