// SPDX-License-Identifier: Apache-2.0

// Package embedding makes one vector of the rows that a model has for a text, as sentence-transformers does: a
// [Pipeline] has a prompt in front of the text, the pooling of the rows, dense layers behind the pooling, and the
// vector's length is 1. A pipeline is read from a folder of sentence-transformers or from a GGUF file.
package embedding
