// SPDX-License-Identifier: Apache-2.0

// Package expand writes out as loops what linalg has no operation for, so that tools which do not know
// the acap dialect or the operators of the host can run a whole program. No device runs the loops.
//
// [ACAP] (the pass expand-acap) writes scans, sorts, searches, scatters and random bits; [Host] (expand-host) Fourier
// transforms, factorizations, products of matrices and polynomials, in double precision.
package expand
