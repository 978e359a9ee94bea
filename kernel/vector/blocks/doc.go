// SPDX-License-Identifier: Apache-2.0

// Package blocks makes vector programs that read matrices stored in blocks of a packed format (dtype.Format), for processors with
// vectors of 16 bytes: products of rows with such a matrix, and its values.
//
// # Formats
//
// A format is two pieces of code (type format): one brings 32 numbers of a block, a chunk, into two vectors of signed bytes, the
// other brings the scales of chunks, and least values, into vectors of f32. The formats of 32 values are in small.go, those of 256
// in large.go, groups in group.go. Values of other formats are decoded in Go.
//
// # Few rows
//
// A result is a dot product of a row of A with a column of B, whose blocks are read once, where they lie. If A is rounded
// ([kernel.Contraction].Rounded), a first phase writes its rows as bytes with a scale for each 32 (round.go). Bytes are
// multiplied and summed as integers, a chunk at a time, and the sums are multiplied by the scales of both sides (bytes.go). If
// A is not rounded, the numbers become the values that package block reads, with its roundings (values.go). A unit
// reads several columns that are far from each other, so that the processor fetches several streams ahead.
//
// # Many rows
//
// With more rounded rows a unit fills panels once for all of them: numbers of several columns in a vector, and behind those of a
// chunk the scales of the columns (panel.go). Tiles of rows by columns are summed as integers for each chunk (tile.go), by
// products of four bytes, or of squares of two rows by two columns.
//
// What is not rounded, and all with more rows on a processor without such products, is left to package product, which reads the
// values that a [Decoder] writes.
package blocks
