// SPDX-License-Identifier: Apache-2.0

// Package fuse puts the nodes of a graph into clusters, each of which becomes one kernel.
//
// Producers and consumers are joined by identifying their loops (align.go), which are split where shapes were reshaped
// in between. A cluster is a pointwise chain with any number of results; rows that are folded and walked through again,
// such as softmax and layer_norm; a contraction or convolution with its epilogue, whose loops the kernel walks through
// as head.go says.
package fuse
