// SPDX-License-Identifier: Apache-2.0

// Package stream writes products of a vector and a matrix that is read once, in the order in which it lies in memory.
//
// Of rows that are contiguous, some are multiplied by their elements of the vector and added, column by column
// ([Rows]). Columns that are contiguous give dot products, of a few columns far from each other at a time ([Dots]).
// Elements that are shorter than the sums are widened in registers.
package stream
