// SPDX-License-Identifier: Apache-2.0

// Command formats runs one model from two files, TorchScript and ONNX, on the host and on the array. It prints
// what digits each names and how far their scores are apart, prints the array's report, and writes
// a timeline for ui.perfetto.dev and the page of the explorer.
package main
