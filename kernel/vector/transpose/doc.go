// SPDX-License-Identifier: Apache-2.0

// Package transpose writes vector programs that transpose: squares of elements in registers, and nests that copy between
// operands of which each is contiguous along another loop.
//
// Elements of one to eight bytes change places within the 16 bytes that all processors have vectors of: rows are read in
// parts of 16 bytes, as many into one register as it has room for, so that a transposed register is a run of a line of
// the result. A nest goes through tiles: in each row, a line of the cache; of rows, as many as fill a register with
// elements of one column. Tiles at the far edges lie over their neighbours, and copy some elements again.
//
// A nest is left to others ([kernel.ErrUnsupported]) if its rows or columns are shorter than 16 bytes.
package transpose
