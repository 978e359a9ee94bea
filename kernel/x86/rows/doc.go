// SPDX-License-Identifier: Apache-2.0

// Package rows generates code for products of a few rows with a matrix whose columns are contiguous, such as the weights of a language model
// with a token of each of several sequences.
//
// The matrix is read once, where it lies: for some columns, whose elements are widened to f32 in registers, the code adds up products with
// all rows, four rows at a time, which find the columns in the first-level cache. A and the sums are f32, B is f32, f16 or bf16. The sums
// of a unit lie in scratch memory, from where a loop nest does the epilogue (epilogue.Columns).
package rows
