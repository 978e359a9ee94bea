// SPDX-License-Identifier: Apache-2.0

// Package nest makes vector programs of loop nests.
//
// # Lanes
//
// All values of a kernel have the same number of lanes: a vector's bytes divided by 4, or by 8 if anything in it is 8
// bytes wide. Integers narrower than 32 bits are computed in 32 bits and cut to their width after every instruction; f16
// and bf16 in f32. A bool is a mask.
//
// The lanes run along one loop. If that is an inner loop, each outer point is worked on alone and reductions combine
// their lanes at the end; if it is an outer loop, each lane is an outer point. Extents are constants of the code, so
// tails are code of their own.
//
// # Units
//
// Loops of the code are the inner ones, the lanes and as many of the outer ones as make a call worth its while; a range
// of one more loop is in the call block. Go iterates the others.
//
// # What it leaves to others
//
// [Compile] returns [kernel.ErrUnsupported] for scattered stores, stores of every inner point to the same element,
// reductions over nothing, extents of 0, and rows that take too long for one call.
package nest
