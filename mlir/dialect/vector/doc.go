// SPDX-License-Identifier: Apache-2.0

// Package vector defines MLIR's vector dialect: vectors of several dimensions, their
// transfer from and to memory, and reductions over them.
package vector
