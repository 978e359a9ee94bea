// SPDX-License-Identifier: Apache-2.0

// Package attention computes softmax(scale·Q·Kᵀ + mask)·V from compiled pieces: for a
// block of queries, a contraction gives the scaled and masked scores, which stay in
// scratch memory that fits the second-level cache; a loop nest turns every row into
// probabilities; and a second contraction multiplies them with V. A causal mask
// costs nothing beyond the diagonal: the keys that no query of a block sees are
// left out, and only the square on the diagonal is masked.
package attention
