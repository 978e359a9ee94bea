// SPDX-License-Identifier: Apache-2.0

// Package blocks makes vector programs that read matrices stored in blocks of a packed format (dtype.Format): products
// of rows with such a matrix, and its values. Vectors have 16 bytes, or 32: a chunk of 32 numbers is in two vectors of
// bytes or in one.
//
// # Formats
//
// A format is two pieces of code (type format): one brings the 32 numbers of a chunk into vectors of bytes, the other
// brings the scales of chunks, and least values, into vectors of f32. The formats of 32 values are in small.go, formats
// of 256 in large.go, groups in group.go. Values of other formats are decoded in Go.
//
// # Few rows
//
// A result is a dot product of a row of A with a column of B, whose blocks are read once, where they lie. If A is
// rounded ([kernel.Contraction].Rounded), a first phase writes its rows as bytes with a scale for each 32 (round.go).
// Bytes are multiplied and summed as integers, a chunk at a time (dot.go), and the sums are multiplied by the scales of
// both sides (bytes.go). If A is not rounded, the numbers become the values that package block reads, with its
// roundings (values.go). The columns that are read at once are far from each other, so that each is the beginning of a
// run of memory, which the processor and the code fetch ahead.
//
// Processors with vectors of 32 bytes multiply bytes without a sign by bytes with a sign. Numbers without a sign keep
// their zero there, and what the zero takes away comes with the sums of the bytes of a row. Numbers with a sign give it
// to the bytes. Scales that are small integers multiply the sums as such (sixteens.go).
//
// # Many rows
//
// With more rounded rows a unit fills panels once for all of them: numbers of several columns in a vector, and behind
// the numbers of a chunk the scales of the columns (panel.go). Tiles of rows by columns (tile.go) are summed as
// integers for each chunk: by products of four bytes, of pairs, or of squares of two rows by two columns (integers.go),
// or of squares of sixteen by sixteen (square.go). The sums are then scaled (scaled.go).
//
// Rows that are not rounded, and more rows on a processor of arm64 without such products, are left to package gemm, which
// multiplies the values that a [Decoder] and a [Rounder] write.
//
// The sums of a unit lie in scratch memory, from where a loop nest does the epilogue.
package blocks
