// SPDX-License-Identifier: Apache-2.0

// Package median has the median of a list of numbers.
package median
