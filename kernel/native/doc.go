// SPDX-License-Identifier: Apache-2.0

// Package native compiles kernels with the best back end of this machine.
//
// The back ends are avx512, avx2 and portable, in this order, and on arm64 neon and portable. The environment
// variable ACAP_KERNELS names one of them to use it and none above it; a kernel
// that a back end cannot compile goes to the next. Where the system refuses executable
// memory, as hardened ones do, all kernels are portable, and standard error says so once.
package native
