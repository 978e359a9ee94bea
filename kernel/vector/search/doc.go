// SPDX-License-Identifier: Apache-2.0

// Package search makes vector programs of binary searches: each lane looks for a value of its own, in steps that all lanes
// take alike, as the lengths of their parts of the line are the same.
package search
