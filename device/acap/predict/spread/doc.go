// SPDX-License-Identifier: Apache-2.0

// Package spread tells how far measurements may be from predictions where the maker of the measurements, who published
// them, has not been seen before.
//
// [Kinds] has the scores of rows of known makers: the logarithm of measured over predicted time. [Kinds.Spread] gives
// the interval that covers a share of the rows of an unknown maker. [Kinds.Coverages] leaves out each known maker in
// turn and counts how many rows of the maker the intervals of the others cover.
package spread
