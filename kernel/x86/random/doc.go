// SPDX-License-Identifier: Apache-2.0

// Package random generates code for the random bits of Philox4x32-10: each lane of 64
// bits is a block, whose words are multiplied by VPMULUDQ, and the blocks are in the
// lanes in the order in which two unpacking instructions write their words one behind
// the other.
package random
