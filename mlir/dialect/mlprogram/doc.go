// SPDX-License-Identifier: Apache-2.0

// Package mlprogram defines MLIR's ml_program dialect: functions, graphs and global
// values of machine learning programs.
package mlprogram
