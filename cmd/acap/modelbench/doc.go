// SPDX-License-Identifier: Apache-2.0

// Package modelbench times a model on this computer, beside the runtimes from Python that read the same file: ONNX
// Runtime and PyTorch. [Prepare] compiles the model, [Model.Measure] runs rounds of each runtime in turn and returns
// [Figures].
package modelbench
