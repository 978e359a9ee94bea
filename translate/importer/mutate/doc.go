// SPDX-License-Identifier: Apache-2.0

// Package mutate changes files a little, for tests that nothing in a file can break the program that
// reads it. Bytes that are changed at random are mostly refused by the first check; what is changed
// here keeps the form of its format, so that it comes far: nodes of an ONNX graph are dropped,
// shuffled and given other operators, inputs and attributes; calls, numbers and names of a TorchScript
// program are exchanged, and instructions of its pickles; words of a text likewise.
//
// [File] chooses by the name of the file. The same random numbers give the same changes.
package mutate
