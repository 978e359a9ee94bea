// SPDX-License-Identifier: Apache-2.0

// Package product makes vector programs of contractions and convolutions.
//
// The result is cut into register tiles of some rows by some vectors. Both operands are copied into panels first: of A
// the rows of a tile side by side, of B its columns, so that a tile reads both one behind the other. A step of the sum
// multiplies vectors of B by elements of A. Products of bytes take four steps at once, where the processor sums four
// products.
//
// A constant operand is packed once ([kernel.Packer]), another one by a first phase ([kernel.Prologue]). Copies are loop
// nests. The patches of an image that a convolution multiplies are panels that each unit makes for itself.
//
// Few rows or columns, which are read once, are no product but a loop nest with a sum: it reads operands in place.
//
// The sums are stored as they are. Any other epilogue is work for a nest behind them, see package native.
package product
