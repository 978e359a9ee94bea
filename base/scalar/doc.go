// SPDX-License-Identifier: Apache-2.0

// Package scalar is the table of the functions of numbers that kernels compute: for each
// function its name in kernels, in MLIR and in StableHLO, its number of operands, its
// value, and what it costs. Dialects, importers, exporters, folds and back ends take
// theirs from the table. The oracles of tests keep tables of their own.
//
// A function of numbers that is a formula of these functions needs no row: operators write
// the formula, and every back end computes it (erfcx in package ops is an example).
package scalar
