// SPDX-License-Identifier: Apache-2.0

// Package direct makes vector programs of convolutions with sums in f32, and of u8 with i8, that add up the products as
// the definition says. Output channels are in the lanes, filters packed into panels of a few vectors of channels, and one
// element of the input is broadcast for each pixel of a register tile, from wherever the strides say it is. So any layout,
// stride, dilation and grouping costs the same. Where the result has its columns side by side, tiles are transposed before
// the epilogue. A model of the core ([cpu.Core]: products, loads and instructions in a cycle, the latency of a sum) picks
// the tile.
//
// Padding takes no copy where a tile is a piece of one output row: filter rows that lie outside the image are skipped by
// the loop, filter columns by the code of the tiles at the edges. Small images, whose tiles span several rows, are first
// copied with a border of zeros ([github.com/go-acap/acap/kernel/convolution.OnCopy]).
//
// Filters that the processor would have to wait for are fetched while the ones before them are multiplied. f16 and bf16
// are converted to f32 while they are copied. Filters are packed once if they are constant, and else in a first phase.
package direct
