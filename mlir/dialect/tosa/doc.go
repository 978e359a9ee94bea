// Package tosa defines MLIR's tosa dialect, the Tensor Operator Set Architecture: its
// operations have the functional form, and those with regions or constants the generic
// one.
package tosa
