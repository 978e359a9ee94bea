// SPDX-License-Identifier: Apache-2.0

// Package scf defines the structured loops and conditions of MLIR's scf dialect:
// for, while and if, with the values that go round as operands and results.
package scf
