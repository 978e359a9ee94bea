// SPDX-License-Identifier: Apache-2.0

// Command mlir runs a program that was written by hand in MLIR's linalg form, and
// prints the stages that it passes on its way to the array.
package main
