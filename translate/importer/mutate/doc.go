// SPDX-License-Identifier: Apache-2.0

// Package mutate changes files a little, for tests that no file can break its reader. The first check of a reader
// refuses most files with random bytes. The changes of this package keep the form of the format, so that files pass the
// first checks: nodes of an ONNX graph are dropped, shuffled and given other operators, inputs and attributes; calls,
// numbers and names of a TorchScript program are exchanged, and so are instructions of its pickles and words of a text.
//
// [File] chooses by the name of the file. The same random numbers give the same changes.
package mutate
