// SPDX-License-Identifier: Apache-2.0

// Package conv compiles 2-d convolutions to machine code.
//
// Six ways, chosen by Compile:
//
//   - A 1×1 filter with stride 1 over an image without gaps is a contraction, and package gemm does it.
//   - A depthwise convolution, and one with few output channels, has pixels in the lanes, see package planes.
//   - A 3×3 filter with stride 1 and many channels is done by Winograd's F(2×2, 3×3), see package winograd.
//   - A filter of five rows or more over few channels and wide rows is done by pairs of result rows, on processors with
//     many registers, see package rowpairs.
//   - All others with sums in f32 are direct: output channels in the lanes, filters packed into
//     panels of a few vectors of channels, and one element of the input broadcast for each pixel of
//     a register tile, from wherever the strides say it is. So any layout, stride, dilation and
//     grouping costs the same. Where the result has its columns side by side, tiles are transposed
//     in registers before the epilogue. A model of the core (cpu.Core: products, loads and instructions
//     in a cycle, the latency of a sum) picks the tile; BenchmarkTiles compares it with times.
//   - Sums in f64 and in integers, and images that run backwards, are products of package gemm
//     (convolution.ByPatches): the patches under the filter are copied, for a block of rows at a time
//     that stays in the second-level cache.
//
// Padding takes no copy where a tile is a piece of one output row: filter rows that lie outside the
// image are skipped by the loop, filter columns by the code of the tiles at the edges. Small
// images, whose tiles span several rows, are first copied with a border of zeros.
//
// Filters that the processor would have to wait for are fetched while the ones before them are
// multiplied.
//
// f16 and bf16 are converted to f32 while they are copied. Filters are packed once if they are
// constant, and else in a first phase; by products they are packed by every unit.
package conv
