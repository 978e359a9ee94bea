// SPDX-License-Identifier: Apache-2.0

// Package ub defines MLIR's ub dialect: values that stand for undefined behaviour.
package ub
