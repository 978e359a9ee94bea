// SPDX-License-Identifier: Apache-2.0

// Package workload describes a kernel by what it must do, not by how.
//
// A [Kernel] is the unit that the mapper lays over the array: one fused
// contraction, pointwise chain, normalization, attention, convolution or data
// movement. It knows shapes, element types and the number
// of operations, and it can count: multiply-accumulates ([Kernel.MACs]),
// operations ([Kernel.Ops]) and the bytes that any implementation must move
// between memory and array ([Kernel.ReadBytes], [Kernel.WriteBytes]). It holds
// no data.
//
// # Kinds
//
//	Contraction  C[b,m,n] = epilogue(Σk A[b,m,k] B[b,k,n])
//	Pointwise    out[i] = f(in0[i], in1[i], …)
//	Normalize    rows reduced and rescaled: sum, softmax, layer norm, scan, sort, scatter
//	Attention    softmax(Q Kᵀ) V over heads
//	Convolution  N C H W with K filters of R × S
//	Move         transposes, copies and gathers: no arithmetic
package workload
