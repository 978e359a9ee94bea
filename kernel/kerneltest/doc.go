// SPDX-License-Identifier: Apache-2.0

// Package kerneltest helps to test back ends: [Eval] is a slow and obvious
// interpreter of nests that says what every kernel must compute, [Check] compares
// a compiled kernel with the interpreter, and [Processors] runs a test for
// processors of all kinds.
package kerneltest
