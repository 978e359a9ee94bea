// SPDX-License-Identifier: Apache-2.0

// Package scan makes vector programs of running folds. Of lines that lie side by side, the accumulators of a group stay
// in registers while the group goes forward along the axis, one row after the other; of lines that lie one behind the
// other, several go forward together, each with an accumulator of its own. Each line is folded in its own order, so the
// bits are those of the portable back end. A fold that may be done in any order, an extreme or one of integers, goes
// forward along one line by a vector of it at a time. Positions of extremes have accumulators beside those of the elements.
package scan
