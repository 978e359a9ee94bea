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
// the next wider signed integer.
//
// # Half precision
//
// f16 converts through github.com/x448/float16. [BFloat16] is here: the upper
// half of a float32, rounded to nearest even.
package dtype
