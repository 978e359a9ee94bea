// SPDX-License-Identifier: Apache-2.0

// Package torchoperators says of every functional operator of PyTorch 2.14 what becomes of it: [All].
package torchoperators
