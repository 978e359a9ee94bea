// SPDX-License-Identifier: Apache-2.0

// Package fold writes the operations of scans and scatters on elements: how two elements are combined, and how an
// element is rounded to its type. Products use the package's sums over the lanes of vectors, and loop nests use its
// identities.
package fold
