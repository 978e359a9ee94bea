// SPDX-License-Identifier: Apache-2.0

// Package build makes the device program of a mapped kernel at the object FIFO level.
//
// [Program] makes the whole program. [Check] tells whether a machine can hold the program, by the first steps of the
// host. [FlatMemory] and [WideMemory] tell the data memory of a core without a program. Each kind of kernel has a
// builder of its own:
//
//	contraction, convolution    contraction.go: streams of operands, cores, cascades; contractionhost.go: transfers
//	attention                   attention.go
//	pointwise, normalization    flat.go, flathost.go: every core has a share of the points or rows
//	rows longer than a core     wide.go: by passes; merge.go: sorted blocks; ranges.go: parts of a row
//	rearrangement               move.go: through mem tiles, without cores
//
// All builders make their streams by [builder] in build.go, which deals out the channels of interface tiles and mem
// tiles. An array that is read in an order of its own is fetched in [Piece]s.
package build
