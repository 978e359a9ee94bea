// SPDX-License-Identifier: Apache-2.0

// Package convolution makes convolutions of other kernels, whatever the instruction set: of a product with the pixels
// where the filter is 1×1 ([AsContraction]), of products of the patches under the filter ([ByPatches]), of a
// convolution whose image is a copy with a border ([Bordered], [OnCopy]), of a loop nest with channels in the lanes ([ByChannels])
// or of dot products ([ByDots]), of a convolution of one image whose rows are images ([ImagesAsRows]), and of fast code
// beside exact code that runs where infinite or large numbers would show how the fast code adds ([Guard]). An epilogue
// that is not in the code of the sums is a loop nest ([Defer]). Functions that compile the parts are arguments.
package convolution
