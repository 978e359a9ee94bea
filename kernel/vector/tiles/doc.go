// SPDX-License-Identifier: Apache-2.0

// Package tiles writes the inner code of products: tiles of sums of a few rows by a few vectors, which stay in
// registers over the whole depth of a sum.
//
// The code of a [Tiles] is called for panels of B, as wide as a tile, and for rows of A below each other. A step of a
// sum loads the vectors of a panel's row, and multiplies the vectors by the element of each row of A, read into all
// lanes. Where the processor multiplies by one lane of a vector, the rows of A are panels too, whose vectors are loaded;
// and where it multiplies two rows by two columns at once, a vector has the four sums until the last step. The sums
// start at zero, at numbers in front of the panel, or at sums of earlier steps, which wait in memory; at the end they
// wait in memory, or go through an epilogue (package nest).
package tiles
