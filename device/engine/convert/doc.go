// SPDX-License-Identifier: Apache-2.0

// Package convert makes the graph of a function in the linalg form.
//
// Structured operations of linalg, by the loops, maps and regions that package mlir/dialect/linalg gives them
// (generic.go), and arith and math on whole tensors (elementwise.go) go the same way (structured.go). Sums of products
// become contractions (contract.go) or convolutions (convolve.go) by the way in which their operands walk through the
// loops, whatever operation says so; a border of zeros before a convolution becomes its padding, which contributes
// nothing to the sums, as in PyTorch: no NaN where the filter is infinite. Scans, sorts, scatters and random bits are
// kernels on whole tensors (ordered.go). A reduction that folds in a way that kernels do not have is evaluated by
// package reference. A large function is converted in pieces, at once (pieces.go).
package convert
