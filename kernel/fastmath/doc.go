// SPDX-License-Identifier: Apache-2.0

// Package fastmath rewrites the arithmetic of kernels where speed is wanted more than the last digits. A level from 0
// (nothing) to 4 says how far the rewriting goes; each level includes the levels below. The table of the levels is in
// docs/precision.md.
package fastmath
