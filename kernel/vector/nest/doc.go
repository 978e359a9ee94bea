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
// Two rows whose lanes run along an inner loop go through each stage one after the other, so that one is under way while
// the other combines its lanes. Copies of long bodies take turns (vector.Builder.Interleave).
//
// # Units
//
// Loops of the code are the inner ones, the lanes and as many of the outer ones as make a call worth its while; a range
// of one more loop is in the call block. Go iterates the others.
//
// # Accuracy
//
// The largest errors of the functions, in units in the last place (ULP), which the tests check: of f32 over the whole
// range, of f64 against series in a few hundred bits. A function of f32 that has no sequence of its own is computed in
// f64, in half as many lanes, and so are functions of f16 and bf16, which go through f32. Angles of every size are
// reduced exactly.
//
//	          f32    f64                f32    f64
//	exp       1.1    1         sin      0.501  1
//	exp2      1.1    1         cos      0.501  1
//	expm1     2      2.5       tan      0.501  2
//	log       1.5    1         asin     0.501  2.5
//	log2      2      2         acos     0.501  2
//	log10     2      2         atan     0.501  1.5
//	log1p     2      2         atan2    0.501  2
//	sigmoid   2.5    2.5       sinh     0.501  3
//	tanh      2.5    3         cosh     0.501  2.5
//	erf       2      2         asinh    0.501  3
//	erfc      0.501  6         acosh    0.501  3
//	pow       0.501  1.2       atanh    0.501  3
//	hypot     0.501  2         cbrt     0.501  1
//
// Sigmoid of f32 may be 0 where it is below 2⁻¹²⁶. The floating remainders (rem, mod, floordiv), nextafter and all of the
// arithmetic on integers are exact. Quotients of f32 by what a loop does not change are products (quotient.go), except in
// a fixed order (vector.Backend.Fixed), where all quotients are rounded correctly. A sum that would add more than a few
// hundred values in one accumulator is put aside every 256 values and added to a sum of sums.
//
// # What it leaves to others
//
// [Compile] returns [kernel.ErrUnsupported] for scattered stores, stores of every inner point to the same element,
// reductions over nothing, extents of 0, and rows that take too long for one call.
package nest
