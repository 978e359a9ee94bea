// SPDX-License-Identifier: Apache-2.0

// Package rows generates code for products of a few rows, A, with a matrix whose columns are contiguous, B: one token of each of several
// sequences with the weights of a language model, for example.
//
// B is read from memory once, where it lies. The code takes a few columns at a time and sums their products with four rows after four
// rows; from the second four on the columns are in the first-level cache. Elements of B are widened to f32 in registers. A and the sums are
// f32, B is f32, f16 or bf16. The sums of a unit lie in scratch memory, from where a loop nest does the epilogue (epilogue.Columns).
package rows
