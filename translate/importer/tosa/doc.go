// SPDX-License-Identifier: Apache-2.0

// Package tosa lowers the tosa dialect, of TOSA 0.80 as LLVM 19 has it and of TOSA 1.0 as LLVM 22 does, to linalg on
// tensors of static shapes. Integers are signed; quantization attributes of convolutions and products, the Fourier
// transforms and variables are refused by name.
package tosa
