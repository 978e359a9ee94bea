// SPDX-License-Identifier: Apache-2.0

// Package scan makes vector programs of running folds. Where lines lie side by side, the accumulators of a group of
// lines stay in registers while the group goes forward along the axis, row by row. Where lines lie one behind the
// other, several lines go forward together, each with an accumulator of its own. Each line is folded in its own order,
// so the bits are equal to the bits of the portable back end. A fold that may be done in any order, such as an extreme
// or a sum of integers, goes forward along one line by a vector at a time. Positions of extremes have accumulators
// beside the accumulators of the elements.
package scan
