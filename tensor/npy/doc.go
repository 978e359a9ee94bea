// SPDX-License-Identifier: Apache-2.0

// Package npy reads and writes NumPy's .npy files, one array each.
//
// [Read] and [ReadFile] accept the format versions 1, 2 and 3, little- and big-endian numbers and
// both storage orders; the result is always a row-major buffer in the machine's order. [Write] and
// [WriteFile] write little-endian, row-major files of version 1 whose data starts at a multiple of
// 64 bytes, as NumPy does.
//
//	dtype         bool u8  i8  u16 i16 u32 i32 u64 i64 f16 f32 f64 c64 c128 bf16
//	descriptor    |b1  |u1 |i1 <u2 <i2 <u4 <i4 <u8 <i8 <f2 <f4 <f8 <c8 <c16 none
//
// The format has no bfloat16: NumPy stores such arrays as untyped two-byte items, which cannot be
// told from others. Writing one is an error (convert to f32, which holds every bf16 exactly), and
// so is reading one.
//
// [ReadArchiveFile] and [WriteArchiveFile] read and write .npz files, zip archives of arrays by name.
//
// Files are not trusted: a header's sizes are checked before memory is allocated, and memory grows
// only with data that is really there. Errors name the file and the byte offset of the fault.
//
// The format is described in NumPy's numpy/lib/format.py (NEP 1).
package npy
