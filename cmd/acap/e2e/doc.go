// SPDX-License-Identifier: Apache-2.0

// Package e2e runs programs end to end under configurations, and compares their results with what they should be.
//
// A [Program] is one of this package (cases.go), a model with its inputs and outputs in a folder (program.go), or a
// test of torch-mlir's suite that was written to files (suite.go). A [Config] is a way to run a program (config.go,
// upstream.go). An [Outcome] tells what became of a program under a configuration (outcome.go): a program that must
// fail and passes is wrong, too.
package e2e
