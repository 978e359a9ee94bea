// SPDX-License-Identifier: Apache-2.0

// Package shape computes with the extents of tensors: sizes, row-major strides,
// broadcasting and the normalization of dimension numbers.
//
// A shape is a plain []int, outermost extent first; nil is the shape of a
// scalar. Shapes are never modified once made, so they are shared freely.
// Functions that can fail return an [*Error], which names the shapes and the
// rule that they break.
package shape
