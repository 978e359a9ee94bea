// SPDX-License-Identifier: Apache-2.0

// Package bufferization defines MLIR's bufferization dialect: the steps between tensors
// and memory.
package bufferization
