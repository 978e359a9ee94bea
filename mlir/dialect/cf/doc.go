// SPDX-License-Identifier: Apache-2.0

// Package cf defines MLIR's cf dialect: branches between the blocks of a region,
// and assertions.
//
// [Br] ends a block:
//
//	cf.Br(b, next, x)
package cf
