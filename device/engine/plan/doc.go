// SPDX-License-Identifier: Apache-2.0

// Package plan orders the kernels of a graph and gives its tensors memory.
//
// A [Plan] has all that runs need: steps in their order (order.go), each with the code of its kernel (generate.go), and
// slots, which share one arena (memory.go); a result may take the memory of an operand that ends (inplace.go,
// overwrite.go). A plan is stored without machine code (stored.go).
package plan
