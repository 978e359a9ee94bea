// SPDX-License-Identifier: Apache-2.0

// Package blocks generates code that reads matrices stored in blocks of a packed format (dtype.Format): products of a few
// rows with such a matrix, and rows of its values for products of many.
//
// # Products
//
// A result is a dot product of a row of A with a column of B, whose blocks are read once, in the order in which they lie.
// A vector register has 32 numbers of a block as bytes, which are exact. If A is rounded ([kernel.Contraction].Rounded), a
// first phase writes its rows as bytes with a scale for each 32, and bytes are multiplied and summed as integers
// (VPMADDUBSW, VPMADDWD, or VPDPBUSD). Sums of 32 are multiplied by the scales of both sides, which were multiplied for 256 numbers at once,
// and summed as floats (span.go). A unit reads several columns that are far from each other, so that the processor fetches several
// streams ahead: one stream has 16 of the 25 GB a second that four have. If A is not rounded, the bytes become the values that
// package block reads, with its roundings, and are multiplied by FMA.
//
// # Many rows
//
// With more rounded rows a unit fills panels once for all of them: four numbers of each of eight columns in a vector of bytes, and the
// scales of the columns (panel.go). Four bytes of a row, in all lanes, times such a vector are sums of pairs, of which as many are added in
// 16 bits as cannot overflow: for numbers of four bits a whole chunk. Numbers with a sign leave it to the bytes of the row, and are summed
// in 32 bits at once, so that many rows of them are as fast as floats.
//
// On a processor with AMX panels have sixteen columns, and a chunk of sixteen rows by sixteen columns is one product of
// tiles, of all formats alike (square.go).
//
// # Formats
//
// A format is two pieces of code (type format): one brings 32 numbers into a register, the other the scales of a block.
// The formats of 32 values are in small.go, those of 256 in large.go, groups in group.go. Others are refused with
// [kernel.ErrUnsupported].
//
// The sums of a unit lie in scratch memory, from where a loop nest does the epilogue.
package blocks
