// SPDX-License-Identifier: Apache-2.0

// Package arm64 is the back end for 64-bit Arm processors: it makes machine code of the vector programs of kernels.
package arm64
