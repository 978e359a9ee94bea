// SPDX-License-Identifier: Apache-2.0

// Package reference computes, with plain loops in float64, what the operators give that
// PyTorch 1.13 does not have, so that no value recorded from it says what is right. It
// also states how random operators are distributed.
//
// [Functions] and [Distributions] name the operators; a test compares each with every
// sample of its operator, on the host and on the array.
package reference
