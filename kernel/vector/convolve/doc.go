// SPDX-License-Identifier: Apache-2.0

// Package convolve chooses the way in which a 2-d convolution is done by vector programs:
//
//   - A 1×1 filter with stride 1 over an image without gaps is a contraction, of package gemm. For bytes, each row of
//     pixels is one where rows have gaps or the filter has a stride.
//   - A depthwise convolution, and one with few output channels, has pixels in the lanes, see package planes. A depthwise
//     one whose result has its channels side by side is a loop nest with channels in the lanes
//     ([convolution.ByChannels]).
//   - An image of 16-bit floats, and an image of a depthwise convolution in another layout than the result, is copied
//     first ([convolution.Bordered]).
//   - A 3×3 filter with stride 1 and many channels is done by Winograd's algorithm, see package winograd.
//   - Gradients of filters are convolutions by large filters: with few output channels in a group their sums are dot
//     products ([convolution.ByDots]), and where each image gives one pixel, images are rows of one image
//     ([convolution.ImagesAsRows]).
//   - All others with sums in f32, and of u8 with i8, are direct, see package direct.
//   - Sums in f64 and in other integers, and images that run backwards, are products of package gemm: the patches under
//     the filter are copied, for a block of rows at a time that stays in the second-level cache
//     ([convolution.ByPatches]). Filters are packed by every unit then.
package convolve
