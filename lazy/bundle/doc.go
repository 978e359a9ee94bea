// SPDX-License-Identifier: Apache-2.0

// Package bundle is the file of a recorded program: its MLIR, its inputs, and what is known of where
// it came from. A bundle is all that is needed to run the program again elsewhere.
//
// The file is a zip archive: program.mlir in the aten form with the lines of Go, the elements
// of input N as little-endian bytes in inputs/N, and about.json.
package bundle
