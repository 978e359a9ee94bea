// SPDX-License-Identifier: Apache-2.0

// Package taps makes vector programs of convolutions.
//
// The result is cut into register tiles of some filters by some vectors of pixels. For every tap of the filter a step of
// a tile's sums multiplies vectors of pixels by elements of filters. Filters are copied into panels, those of a tile side
// by side: once if they are constant ([kernel.Packer]), otherwise by a first phase ([kernel.Prologue]). The image is read
// in place, or from a copy with a border of zeros that the first phase makes. Copies are loop nests.
//
// The sums are stored as they are. Any other epilogue is work for a nest behind them, see package native.
package taps
