// SPDX-License-Identifier: Apache-2.0

// Package reference computes expected results, with plain loops in float64, for the operators that PyTorch 1.13 lacks,
// so that no recording has their values. Package reference also states the distributions of random operators.
//
// [Functions] and [Distributions] name the operators; a test compares each with every
// sample of its operator, on the host and on the array.
package reference
