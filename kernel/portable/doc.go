// SPDX-License-Identifier: Apache-2.0

// Package portable runs every kernel on every CPU, in Go alone.
//
// # How
//
// One loop of a kernel, the one along which most operands lie side by side, is cut into blocks of [Lanes] elements. A
// body is compiled to a list of steps; each step does one instruction for a whole block with a tight loop over typed
// slices, so that dispatch costs little and the working set stays in the L1 cache. Instructions that do not depend on
// the inner loops run once per outer point. Contractions and convolutions pack panels into the accumulator's type and
// multiply them with a register tile of two rows by four columns. Convolutions 3×3 are Winograd's, unless numbers are
// large or sums in a fixed order are asked for.
//
// Scans go forward along all lines of a block at once. Sorts give every element a key that orders as it does, and sort
// the keys by radix; few places of a long line are selected first, and the first few kept in order while the line
// passes by. Scatters fold row by row, in the order of the updates.
//
// # Values
//
// f16 and bf16 are computed in f32 and rounded after every instruction. The functions of f32 are computed in f64 by
// package math and rounded once, so their error is below 0.51 units in the last place (ULP); the functions of f64 are
// package math's own, but for exponentials that it lets overflow early. Sums of f16, bf16 and f32 are kept in f64, one
// for each lane, and combined pairwise; sums of f64 likewise, in f64.
//
// # Files
//
// portable.go compiles a kernel, each kind in a file or more of its own: nest.go with nestcompile.go, body.go and
// reduce.go; contraction.go, convolution.go and attention.go on tile.go, with epilogue.go; scan.go; sort.go with
// sortkeys.go, sortpass.go and radix.go; scatter.go with scatterfold.go; random.go. The steps of a body work on lanes
// (lane.go): memory.go, read.go, arithmetic.go, compare.go, function.go, cast.go, fold.go.
package portable
