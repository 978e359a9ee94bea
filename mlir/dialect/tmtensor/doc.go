// SPDX-License-Identifier: Apache-2.0

// Package tmtensor defines torch-mlir's dialect tm_tensor, into which that compiler lowers what linalg has no
// structured operation for: scans, scatters, sorts, the largest elements and attention. The dialect is read, verified
// and written; nothing compiles it.
package tmtensor
