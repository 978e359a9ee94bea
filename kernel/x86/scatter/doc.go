// SPDX-License-Identifier: Apache-2.0

// Package scatter generates code for the runs of updates that scatters consist of: sums,
// and what is assigned, of elements of 4 and 8 bytes. Where the runs are, and all other
// folds and types, is left to the portable back end, whose bits the code gives: updates
// of a run are folded in order.
package scatter
