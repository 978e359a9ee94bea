// Package complex defines MLIR's complex dialect: arithmetic on complex numbers.
package complex
