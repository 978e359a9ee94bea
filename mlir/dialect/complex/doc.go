// SPDX-License-Identifier: Apache-2.0

// Package complex defines MLIR's complex dialect: arithmetic on complex numbers.
package complex
