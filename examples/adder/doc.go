// SPDX-License-Identifier: Apache-2.0

// Command adder is the first example: a sum on the host, the same on the array
// with its MLIR, and a trace that goes on growing until its value is printed.
package main
