// SPDX-License-Identifier: Apache-2.0

// Package quantize turns trained programs of f32 into programs whose products are of bytes.
//
// [Calibrate] runs a program on samples and notes the range of every tensor that is multiplied by
// constant weights: by linear layers, products of matrices, and convolutions of one group.
// [Calibration.Quantize] writes the program in which these tensors are u8, with one scale and zero
// point for the tensor, and the weights i8, with one scale for each output channel. Sums are exact
// in i32 and return to f32 with bias and scales. All else stays in f32, a convolution next to one of several
// groups too, where bytes would cost more than they gain. Batch norms with fixed statistics are multiplied
// into the weights before.
//
//	c, err := quantize.Calibrate(ctx, dev, module, samples)
//	exe, err := dev.Compile(ctx, c.Quantize())
//
// With u8 q, i8 w, scale s and zero point z of the tensor, and scale r of a channel:
//
//	q = clamp(round(x / s) + z, 0, 255)   w = round(W / r)   r = max|W| / 127
//	x·W ≈ (Σ q·w - z·Σ w) · s·r
//
// A range is widened to hold 0, so that padding and what a ReLU cuts off are exact. A tensor of four
// dimensions whose bytes go into a convolution lies with its channels side by side, unless it is a
// picture of up to three channels, and later readers of it get what the bytes stand for: the f32 tensor
// need not be stored.
package quantize
