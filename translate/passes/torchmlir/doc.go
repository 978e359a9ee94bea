// SPDX-License-Identifier: Apache-2.0

// Package torchmlir rewrites modules from torch-mlir's dialect to aten, and back.
package torchmlir
