// SPDX-License-Identifier: Apache-2.0

// Package index defines MLIR's index dialect: arithmetic on integers of the width of a
// pointer.
package index
