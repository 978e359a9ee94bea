// SPDX-License-Identifier: Apache-2.0

// Package acap defines the structured operations that linalg lacks: scans, sorts,
// searches, scatters, random bits, packed blocks and an order. They stand beside linalg on tensors of static shapes and
// are signless as linalg is: "unsigned" says how integers compare, and an i1 compares
// as the numbers 0 and 1.
//
//	%0 = acap.scan add %x axis 1 : tensor<3x4xf32>
//	%1 = acap.scan max %x axis 1 positions : tensor<3x4xf32>
//	%2, %3 = acap.sort %x axis 1 descending from 2 : tensor<3x4xf32> to tensor<3x1xf32>
//	%4 = acap.scatter add %u at %i into %x axis 0 : tensor<5x4xf32>, tensor<5x1xi64> into tensor<3x4xf32>
//	%5 = acap.rng %key, %counter : tensor<2x3xi32>
//	%6 = acap.unpack %w q8_0 rounds : tensor<4x34xi8>
//	%7 = acap.search %v in %s right : tensor<3x2xf32>, tensor<3x4xf32>
//	%8 = acap.after %x, %y : tensor<3x4xf32>, tensor<2xf32>
//
// # What they mean
//
// A scan gives at every place of a line along the axis the fold of the elements up to
// and including it, in the order of the line. Floating elements of add, mul and
// logaddexp are folded in f64 and rounded where they are stored, as PyTorch does on a
// CPU: a long running sum in f32 would lose its digits. max and min propagate NaN.
// With "positions" they give the position (i64) in the line of the last element so far
// that is the extreme of those up to it; of several NaNs they give the position of the last one.
//
// A sort is stable, also when it is descending. NaN counts as larger than any number,
// and -0 equals 0. The results are the places from "from" on of every sorted line, as
// many as the results have along the axis, and the positions that their elements had:
// a top-k, a k-th element and a whole sort are one operation.
//
// A scatter folds every update into one element of a copy of the tensor "into": the
// one at the update's own place, but for the axis at the index. Updates come in
// row-major order, so that the result is the same on any number of threads. An extent of the index that is 1 stands for
// the updates' extent: one index then moves a whole slice. An index outside the axis is an error when the program runs.
//
// The random bits are those of Philox4x32-10 (Salmon, Moraes, Dror and Shaw: "Parallel
// Random Numbers: As Easy as 1, 2, 3", SC11). Element i, counted row-major, is word i
// mod 4 of the block with the key of 64 bits and the counter of 128 bits whose low half
// is "counter" and whose high half is i div 4. Key and counter are operands: a program
// that draws other numbers is the same program.
//
// An unpack gives the values, f32, of blocks of a format that dtype.Format names: rows of bytes that are whole blocks.
// A product that reads them need not have them in memory, and with "rounds" may round the rows of its other operand to
// 8 bits, in blocks of 32 that share a scale.
//
// A search gives the place (i64) of every value in a sorted line of the sequence: how many elements of the line come
// before the value. An element comes before a greater value, with "right" before an equal one too, and before a NaN
// always. Lines lie along the last dimension. A sequence of one dimension serves all values; other sequences have the
// dimensions of the values but for the last. Of a line that is not sorted, or that has a NaN, the places mean nothing.
//
// An after is its first operand, taken when the second one has been computed. It copies nothing. A value that is
// computed from an after differs from the value that is computed from its operand, so that the two are not merged:
// gradients that compute values again rather than keep them have it.
//
// # Upstream
//
// mlir-opt does not know the dialect. Package passes has a reference expansion to scf,
// tensor and linalg, which it does know, of all operations but unpack.
package acap
