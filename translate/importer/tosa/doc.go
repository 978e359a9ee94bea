// Package tosa lowers the tosa dialect, as LLVM 19 has it, to linalg on tensors of static
// shapes. Integers are signed; quantization attributes of convolutions and products, the
// Fourier transforms and variables are refused by name.
package tosa
