// SPDX-License-Identifier: Apache-2.0

// Package buf holds the memory of tensors: contiguous, row-major, aligned to 64
// bytes (a cache line and the widest vector register).
//
// A [Buffer] is a dtype, a shape and bytes in the machine's little-endian
// order. Once a buffer has been handed to a program or a tensor it is
// immutable; code that fills one owns it until then. The memory may leave a buffer
// for another one if it was declared [Buffer.Recyclable]; see lazy.Recycler.
package buf
