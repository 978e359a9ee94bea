// SPDX-License-Identifier: Apache-2.0

// Package stablehlo writes programs in the stablehlo dialect (with chlo for what StableHLO
// lacks), so that other compilers can read them.
//
// It starts from the linalg form: every operator that lowers to linalg can be written, without a
// rule of its own. A linalg.generic becomes operations on whole tensors: what it reads is brought to
// the extents of its loops (broadcast_in_dim, transpose, slice, reverse, or a gather of computed
// places), its body becomes elementwise operations, and its reductions become reduce, or
// dot_general where they sum products of two operands. Matrix products and convolutions
// stay what they are.
//
// The text reads back: package translate/importer/stablehlo lowers it to linalg again.
package stablehlo
