// SPDX-License-Identifier: Apache-2.0

// Package schedule says which tokens of which sequences are computed together. A [Batch] begins sequences where the
// cache has pages for them, reads long prompts in pieces, in turn with the tokens of other sequences, and takes the
// pages of the youngest sequence where pages run out. A [Pass] is the numbers of what is computed at once; passes of
// the same numbers are one program.
//
// A [Simulation] does the same with given times of passes, and computes nothing.
package schedule
