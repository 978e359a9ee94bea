// SPDX-License-Identifier: Apache-2.0

// Package precision holds the passes that choose the element types in which a program of the
// aten dialect computes.
//
// # Autocast
//
// autocast-bf16 and autocast-f16 are automatic mixed precision: products of matrices and
// convolutions take operands of 16 bits, and sum in f32; what would lose by that, such as a softmax
// or a norm, computes in f32; everything else computes in the type of what it is given. [Operators] lists the kind of
// every operator. It follows PyTorch's torch.autocast.
//
// The functions of a module keep their types: what they take and return is converted inside.
// Tensors of integers, bools, f64 and complex numbers are left alone.
package precision
