// SPDX-License-Identifier: Apache-2.0

// Package block reads numbers that are stored in blocks, which share scales: the formats of GGUF files that
// [dtype.Format] names, and the formats of a [dtype.Group].
//
//	values := make([]float32, 4096)
//	block.Decode(dtype.Q4_K, values, row)
//
// Values of GGUF's formats have the bits that its own reader, gguf-py, gives: both multiply and round in the same
// order.
//
// [Round] is the other direction for the operand that a product reads beside packed weights: blocks of 8 bits whose
// scale is an f32.
//
// # Files
//
// decode.go has the entry and the formats of 32 values, superblock.go those of 256 with scales in parts, table.go those
// whose values come from a table, grids.go the tables, and group.go the formats of a group.
package block
