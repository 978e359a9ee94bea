// SPDX-License-Identifier: Apache-2.0

// Package affine defines MLIR's affine dialect: loops, conditions and accesses whose
// bounds and positions are affine in the surrounding loops.
package affine
