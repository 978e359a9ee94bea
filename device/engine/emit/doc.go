// SPDX-License-Identifier: Apache-2.0

// Package emit writes the kernels of clusters: nests (nest.go), and contractions, convolutions, attention and kernels
// on whole tensors with what is fused into them (head.go).
package emit
