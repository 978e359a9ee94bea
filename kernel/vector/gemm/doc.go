// SPDX-License-Identifier: Apache-2.0

// Package gemm compiles contractions to machine code. It chooses a plan; vector programs of other packages do the work.
// Package tiles multiplies tile by tile, package stream multiplies with a matrix that is read once, and package panel
// packs operands.
//
// # Shape of the work
//
// The result is cut into register tiles of a few rows by a few vectors. A program, made for the strides and the depth
// of one contraction, walks over the panels (tile columns) of a unit of work and, for each, over the tiles from top to
// bottom; a tile runs its whole sum in registers and then its epilogue. Where the second-level cache does not keep the
// rows of A, the rows are cut into bands: all panels of the unit are multiplied by one band before the next band. Rows
// are broadcast from A one element at a time, columns are vectors of B. Tile heights are balanced so that the last tile
// of a column is not much lower than the other tiles, and a last panel that is not full uses masks.
//
// # Operands
//
// A is read in place where its rows do not fall on each other in the cache. Otherwise, or when its elements must be
// converted, a first phase ([kernel.Code].RunPrologue) copies it with padded rows. Where the processor multiplies by a
// lane of a vector (lanes.go), A is always copied, to panels of the rows of a tile. B is read in place when it is
// small, its rows begin on lines of the cache and the first-level cache keeps a panel of it, or when few tiles have all
// rows. It is packed into panels once if it is constant ([kernel.Code].Pack), and else by each unit of work, for its
// own columns, into scratch memory that stays in the second-level cache; with few rows, or where A leaves room in that
// cache or rows fetched early do so in the first-level, by the first tile of each panel while it computes. For matrix tiles, a first phase
// packs the panels that serve several units, and each call of Run splits an A of few rows into pieces for itself. B
// whose columns are contiguous is transposed on the way. While a panel is multiplied, the B that comes next is fetched
// (type ahead), unless it is so small that the caches have it.
//
// B that is stored in blocks of a packed format is packed by each unit of work from the values of its blocks (package
// blocks), which no memory ever has all of. Rows of A that are to be rounded with it are rounded as they are copied.
//
// # Sources
//
// Which tile is best, and from where operands should be read, follows K. Goto and R. van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", ACM TOMS 34 (2008): the panel of B stays in a cache close by while A
// streams. Two limits decide between tiles of the same number of sums: how often A and B are read, which is with the
// width and the height of the tile, and how many instructions there are beside the multiplications.
//
// # Types
//
// f32 and f64 multiply and add with FMA. bf16 uses VDPBF16PS, i8 and u8 VPDPBUSD (of AVX-VNNI with AVX2), where the
// processor has them. VDPBF16PS sums pairs, rounds to nearest even, and takes subnormal numbers for zero. VPDPBUSD wants
// one operand with a sign and one without, A or B; a tile adds 128 to an A with a sign beside such a B, and the
// accumulators start at -128 times the column sums of B, exactly. Without VPDPBUSD, for two operands without sign, or for
// other integers of up to 16 bits, both operands become i16, and VPMADDWD multiplies and adds pairs, exactly too; with AVX2
// bytes are crossed: half as many multiplications of sums of A and B, exactly too (tiles.Multiply). Where
// there is AMX, products that fill its tiles use TDPBF16PS, which rounds like VDPBF16PS, and TDPBSSD, TDPBUSD, TDPBSUD or
// TDPBUUD; the processors that have it give VDPBF16PS a fraction of their rate. Large products of f32 and of
// f16 are made on the same tiles, from two or three bf16 pieces of each number (split.go): faster than with FMA, and as
// exact. Processors of arm64 sum four products of bytes by SDOT and UDOT, and squares of two rows by two columns by
// SMMLA, UMMLA, USMMLA and BFMMLA. i32 and i64 multiply vectors of their own. All other combinations are converted to the
// accumulator's type while they are packed.
//
// # Epilogues
//
// A tile of vector registers has its epilogue where its sums are. Matrix tiles store a row of tiles to scratch memory,
// from which the epilogue reads the sums at once. Where sums are the result, tiles are stored in the result.
//
// An epilogue that no vector program can be is left to a loop nest, compiled by the function that Compile is given: a
// unit then writes its sums to scratch memory, and the nest reads them from there.
package gemm
