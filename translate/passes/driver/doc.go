// SPDX-License-Identifier: Apache-2.0

// Package driver runs passes over the text of a file of MLIR, as mlir-opt does: whole, or part by part, with the errors
// that the file expects, and with what passes get and leave printed in between.
package driver
