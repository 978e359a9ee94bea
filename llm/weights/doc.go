// SPDX-License-Identifier: Apache-2.0

// Package weights reads the weights of language models from a GGUF file, [GGUF], and from a folder of Hugging Face, [Folder]. Both are
// [Files]: weights have the names, the order of rows and the shapes that GGUF gives them, and stay as they are stored, so that products
// read them where they lie. Of a folder, names.go says which tensors a weight is made of and how they are changed.
//
// A tensor of the text model that no network would read is an error (unread.go), because scores would be others without
// it.
package weights
