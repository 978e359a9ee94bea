// SPDX-License-Identifier: Apache-2.0

// Package nest generates AVX-512 and AVX2 code for loop nests.
//
// # From a body to machine code
//
// A body is lowered to a sequence: vector instructions in static single
// assignment form. What does not depend on the inner loops is hoisted out of
// them. The sequence is emitted with registers assigned on the way (the value
// whose next use is farthest is spilled); the code is emitted twice, and the
// second time the registers that were left hold the busiest constants. Bodies
// stay in registers altogether; kept values go through a buffer in scratch
// memory that fits the cache.
//
// # Lanes
//
// All values of a kernel have the same number of lanes: a vector's bytes divided
// by 4, or by 8 if anything in it is 8 bytes wide. Integers narrower than 32 bits
// are computed in 32 bits and cut to their width after every instruction; f16
// and bf16 in f32. A bool is a mask register or a vector of 0 and -1, made when
// needed.
//
// The lanes run along one loop. If that is an inner loop, each outer point is
// worked on alone and reductions combine their lanes at the end; if it is an
// outer loop, each lane is an outer point. Extents are constants of the code, so
// tails are code of their own: masked on AVX-512, blended on AVX2.
//
// A copy whose source and destination are contiguous along different loops goes
// through registers in squares.
//
// # Accuracy
//
// All operations of the kernel language are compiled. The largest errors of the
// functions, in units in the last place (ULP), which the tests check: of f32 over the
// whole range, of f64 against series in a few hundred bits. A function of f32 that has
// no sequence of its own is computed in f64, in half as many lanes, and so are those
// of f16 and bf16, which go through f32. Angles of every size are reduced exactly. On
// AVX-512 tanh and erf of f32 are one of 32 polynomials, whose coefficients a permutation
// fetches.
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
// Sigmoid of f32 may be 0 where it is below 2⁻¹²⁶. The floating remainders (rem, mod,
// floordiv), nextafter and all of the arithmetic on integers are exact.
//
// Quotients by what a loop does not change are rounded correctly but for ties that
// digits beyond the 47th decide. In a fixed order (Fixed of [cpu.Features]) all
// quotients are rounded correctly. Sums are kept in several accumulators; one that
// would add more than a few hundred values is put aside every 256 values and added
// to a sum of sums.
//
// # What it leaves to others
//
// Compile returns [kernel.ErrUnsupported] for
//
//	store_at                    scattered stores
//	load_at                     where the point itself is outside the port
//	store                       of every inner point to the same element
//	reductions                  over no value at all, argmax and argmin of bool
//	extents of 0, more than 24 ports or 16 loops
//
// and where registers do not suffice even with spilling.
//
// # Files
//
//   - From a nest to code: package schedule, plan.go, lower.go, generate.go, stage.go, loop.go, point.go, code.go.
//   - Instructions and registers: value.go, vector.go, liveness.go, emitter.go, spill.go, constant.go, guard.go,
//     interleave.go, memory.go.
//   - Memory: port.go, load.go, store.go, gather.go, prefetch.go.
//   - Operations: integer.go, divide.go, quotient.go, cast.go, reduce.go, select.go.
//   - Functions are those of package vector/function, which function.go writes to a sequence; exponential.go
//     and longdivision.go have what this processor does in a way of its own.
package nest
