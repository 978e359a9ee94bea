// SPDX-License-Identifier: Apache-2.0

// Package transpose writes the transposition of a square of elements held in vectors.
package transpose
