// SPDX-License-Identifier: Apache-2.0

// Package gguf reads weights from files in the GGUF format, versions 2 and 3
// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), in which llama.cpp and related programs store language
// models.
//
//	f, err := gguf.Open("model.gguf")
//	weight, err := f.Tensor("blk.0.attn_q.weight")
//
// # Types
//
// F16, BF16, F32, F64 and signed integers keep their types. Quantized tensors are read as f32, with the values that
// gguf-py gives bit for bit: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K to Q6_K, IQ1 to IQ4, TQ1_0, TQ2_0, MXFP4 and NVFP4.
// Others are an error that names the type. Extents are in PyTorch's order: the last one counts neighbours in memory.
//
// # In place
//
// [File.Stored] gives the bytes of a tensor where the file has them, mapped and not copied: blocks, which
// tensor.Pack makes a matrix of, or elements.
//
// # Rows
//
// Files of llama and architectures like it have the rows of queries and keys (attn_q and attn_k) in another order than
// PyTorch's models: the two rows that a rotary embedding turns together lie side by side, not half a head apart.
// [File.Tensor] and [File.All] give the rows as they are in the file. [File.State] gives them in PyTorch's order, which
// package nn loads.
//
// # Several files
//
// A model that llama-gguf-split divided (model-00001-of-00003.gguf and so on) is opened by its first file. The metadata
// are the first file's without the keys split.no, split.count and split.tensors.count. A part that is missing, or is of
// another model, is an error.
//
// # Trust
//
// Files are not trusted: counts and lengths are bounded by what the file can hold, tensors must lie inside of it and
// must not overlap, and no name comes twice.
package gguf
