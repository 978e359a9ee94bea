// SPDX-License-Identifier: Apache-2.0

// Package fastmath rewrites the arithmetic of kernels where speed is wanted more than the last digits. How far
// it goes is a level from 0, nothing, to 4; each holds what the levels below it do. Docs/precision.md has
// the table.
package fastmath
