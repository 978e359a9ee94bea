// SPDX-License-Identifier: Apache-2.0

// Package inference folds what a trained model does not need when it only computes: dropout that is off, products that
// are linear layers, and batch norms with fixed statistics.
package inference
