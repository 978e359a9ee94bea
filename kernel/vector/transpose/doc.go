// SPDX-License-Identifier: Apache-2.0

// Package transpose writes vector programs that transpose: squares of elements in registers, and nests that copy
// between two operands that are contiguous along different loops.
//
// All processors have vectors of 16 bytes, so elements change places within parts of 16 bytes. A register holds as many
// parts of rows as it has room for, and a transposed register is a run of a line of the result. A nest goes through
// tiles. A tile has a line of the cache in each row, and as many rows as one register has elements of a column. Tiles
// at the far edges lie over their neighbours, and copy some elements again.
//
// [Compile] refuses a nest ([kernel.ErrUnsupported]) whose rows or columns are shorter than 16 bytes.
package transpose
