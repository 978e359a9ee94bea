// SPDX-License-Identifier: Apache-2.0

// Package rewrite changes the nodes of a graph before they are fused: softmax between two products becomes attention
// (attention.go), values that cost less than a load are computed where they are read, and conversions move into
// products (inline.go), and long sums to few results get a second level (splitreduce.go).
package rewrite
