// SPDX-License-Identifier: Apache-2.0

// Package memref defines MLIR's memref dialect: memory that is allocated, read, written
// and looked at in parts.
package memref
