// SPDX-License-Identifier: Apache-2.0

// Package digits holds a small trained model and ten pictures to show it with: a
// LeNet that names digits drawn with common fonts, 28 × 28, white on black.
//
// It is data for examples and tests: [Model] goes to nn.ReadTorchScript, [ONNX] to
// nn.ReadONNX, [Picture] through data.Gray to the model's input.
package digits
