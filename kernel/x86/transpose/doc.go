// SPDX-License-Identifier: Apache-2.0

// Package transpose emits the transposition of a square of elements of 4 bytes held in vector registers.
package transpose
