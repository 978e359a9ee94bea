// SPDX-License-Identifier: Apache-2.0

// Package lowering brings aten operations down: [Decompose] to operations that have a form for kernels, [ToLinalg] to
// linalg on tensors, and [ReturnElimination] from results to memory that the caller gives.
package lowering
