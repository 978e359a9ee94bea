// SPDX-License-Identifier: Apache-2.0

// Package rows writes vector programs for products of a few rows, A, with a matrix whose columns are contiguous, B: one
// token of each of several sequences with the weights of a language model, for example.
//
// B is read from memory once, where it lies. The code takes a part of four columns at a time and sums its products with
// three rows after three rows; from the second three on the columns are in the first-level cache. Each of these tiles
// fetches columns of the part that comes next, so that memory works while it multiplies. Elements of B are widened to
// f32, in registers or, for more than two tiles, once in a piece of the cache. A and the sums are f32, B is f32, f16 or
// bf16. The sums of a unit lie in scratch memory, from where a loop nest does the epilogue (schedule.Columns).
//
// Up to 48 rows this is faster than panels of B that are packed in every run (package gemm): 1.1 to 1.3 times at 16 and
// 32 rows of 2048 elements with AVX2.
package rows
