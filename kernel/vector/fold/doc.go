// SPDX-License-Identifier: Apache-2.0

// Package fold writes what scans and scatters do with elements: how two of them become one, and how one is rounded to its
// type. Products use the sums of the lanes of vectors.
package fold
