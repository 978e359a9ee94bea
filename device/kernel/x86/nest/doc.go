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
// The largest errors of the functions of f32, in units in the last place (ULP),
// which the tests check over the whole range:
//
//	exp 1.1, exp2 1.1, expm1 2, log 1.5, log2 2, log10 2, log1p 2,
//	sigmoid 2.5 (0 may stand for results below 2⁻¹²⁶), tanh 2.5, erf 2
//
// Quotients by what a loop does not change are rounded correctly but for ties that
// digits beyond the 47th decide. Sums are kept in several accumulators; one that
// would add more than a few hundred values is put aside every 256 values and added
// to a sum of sums.
//
// # What it leaves to others
//
// Compile returns [ErrUnsupported] for functions of f64, other functions of f32,
// integer division, scattered stores, extents of 0, and for 64-bit integers on
// AVX2 mostly.
package nest
