// SPDX-License-Identifier: Apache-2.0

// Command finetune teaches a model from a file something else: a network that names digits
// white on black, read from TorchScript or from ONNX, learns to name them black on white.
// The convolutions stay frozen; what changed is written to a .safetensors file.
package main
