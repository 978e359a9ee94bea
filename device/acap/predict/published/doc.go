// SPDX-License-Identifier: Apache-2.0

// Package published has kernels as people publish them with their times, and the mappings in which those kernels run on
// an array: products, pointwise kernels, kernels over rows, and attention. A kernel is told by its shape and its types,
// without the row of a table that it was measured in.
package published
