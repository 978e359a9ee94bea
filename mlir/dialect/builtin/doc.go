// SPDX-License-Identifier: Apache-2.0

// Package builtin defines the operations of MLIR's builtin dialect that stand in
// text: module and unrealized_conversion_cast.
package builtin
