// Package scan generates code for running folds of lines that lie side by side: the
// accumulators of a group of lines stay in vector registers while the group goes forward
// along the axis, one row after the other. Each line is folded in its own order, so the
// bits are those of the portable back end. Lines that lie one behind the other, and
// types and folds that the processor has no instruction for, are left to it.
package scan
