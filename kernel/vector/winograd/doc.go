// SPDX-License-Identifier: Apache-2.0

// Package winograd makes vector programs of 3×3 convolutions with stride 1 by Winograd's F(2×2, 3×3) (Lavin and Gray,
// Fast Algorithms for Convolutional Neural Networks, 2016): 16 multiplications give 4 elements of the result instead of
// 36.
//
// The input is transformed, block by block, into 16 matrices of tiles by channels. The matrices are multiplied with the
// transformed filters, whose output channels are in the lanes, so that any number of tiles fills the registers. The sums
// are transformed back and turned to have pixels in the lanes, and the epilogue follows.
//
// Where the transformed filters stay in the second-level cache, a unit does all channels of a few tiles and keeps what
// is between in that cache too. Larger filters, which come from memory, are read once, by units of a few channels of
// many tiles, and transformed on the way, since transformed filters have 16/9 of the size. Filters that vary are packed
// in every run.
//
// The rounding error is about as large as the direct sum's. An infinite input makes the whole of its 2×2 tiles of
// results NaN.
package winograd
