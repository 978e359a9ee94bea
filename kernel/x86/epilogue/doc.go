// SPDX-License-Identifier: Apache-2.0

// Package epilogue puts the pointwise work of a direct convolution on its accumulators into the code of the sums.
//
// The accumulators of a register tile are vectors along one loop of the kernel (the lanes), one row
// of vectors for each index of another (the rows). The work on a tile is a vector program, which
// package nest writes and which finds the accumulators in their registers. New looks at an epilogue
// for given row and lane loops and says whether it can run in the registers that a tile leaves
// free: arithmetic, minimum and maximum, clamps, bias along either loop, residuals of any row
// stride, and conversions. Everything else, the transcendental functions above all, is refused with
// an error; the caller then stores the raw sums to scratch memory and runs the epilogue as a loop
// nest on them.
package epilogue
