// SPDX-License-Identifier: Apache-2.0

// Package dtype names the element types of tensors and says how they combine.
//
// A [DType] is one byte, comparable, and cheap to pass. Its text forms are the
// short names of the conformance data ("f32"), the names of PyTorch
// ("float32") and the element types of MLIR ("f32", "i64", "i1", "ui8").
//
// # Promotion
//
// [Promote] is PyTorch's table (c10/core/ScalarType.h, promoteTypes): the
// higher category wins (bool < integer < float < complex); inside a category
// the wider type wins; f16 with bf16 gives f32; u8 with a signed integer gives
// the next wider signed integer. PyTorch has no rule for u16, u32 and u64 beside other integers. Here u16
// and u32 follow that of u8, and u64 has no common type with signed integers ([Compatible]): NumPy's f64
// would lose digits.
//
// # Floats of 8 bits
//
// The four types of 8 bits store numbers. Operators that only move elements take them; those that compute refuse them,
// as PyTorch's do: convert to a wider float, which all have exactly. Conversions to them round to nearest, ties to
// even. A number that is too large becomes infinite in f8e5m2, the largest number in f8e4m3fn, and NaN in the fnuz
// types, as in PyTorch 2.14.
//
// # Half precision
//
// f16 converts through github.com/x448/float16. [BFloat16] is here: the upper
// half of a float32, rounded to nearest even.
package dtype
