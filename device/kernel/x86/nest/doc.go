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
// # Accuracy
//
// Functions of f32, largest error over all values, tested:
//
//	exp, exp2, expm1, log, log2, log10, log1p, sigmoid, tanh, erf: see ULP
//
// Sums are kept in several accumulators, each of which adds at most a few hundred
// values before it is added to a sum of sums.
package nest
