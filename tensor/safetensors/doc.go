// SPDX-License-Identifier: Apache-2.0

// Package safetensors reads and writes files of named tensors in the safetensors format
// (https://huggingface.co/docs/safetensors): eight bytes with the length of a header, the header in
// JSON, which gives the type, the shape and the place of every tensor, and the elements.
//
//	f, err := safetensors.Open("model.safetensors") // or model.safetensors.index.json
//	weight, err := f.Tensor("layer.0.weight")
//
//	err = safetensors.WriteFile("out.safetensors", []safetensors.Tensor{{"x", x}}, nil)
//
// # Memory
//
// [Open] maps the file. A tensor whose first element lies at a multiple of [buf.Alignment] is the file's memory itself:
// nothing is copied, and pages are read when they are used. The files of this package are so as far as the format
// allows; tensors that lie elsewhere are copied when they are asked for, but by [File.Stored]. [File.Rows] reads rows
// of a matrix. The mapping is private: whoever writes to a buffer changes neither the file nor other processes. It
// stays as long as a tensor may be in use, which is as long as the process, unless no tensor was handed out before
// [File.Close]. A file must not be cut while it is mapped.
//
// # Types
//
// Every type of the format has its own [dtype.DType], the unsigned integers and the floats of 8 bits too. There is none
// for c128. A tensor of a type that is not supported, such as F4, is refused when it is asked for; the file's other
// tensors are read.
//
// # Trust
//
// Files are not trusted: the header is bounded, every tensor must lie inside of the file, the
// tensors must fill it without gaps and overlaps, and a name must not come twice. Shards of an index
// lie beside it, or are links that lie beside it. Nothing in a file is executed.
package safetensors
