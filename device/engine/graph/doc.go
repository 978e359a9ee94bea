// SPDX-License-Identifier: Apache-2.0

// Package graph is a function as data between its conversion and its code: nodes that are loop nests on flat
// memory, and clusters of nodes that become kernels.
//
// Every value of the function is a [View] of a [Tensor]: reshapes, transposes, slices, broadcasts and fills are views
// (view.go), which the operands of nodes read in place. A [Node] computes tensors at the points of its loops (node.go),
// which for a product have roles (product.go). A [Cluster] is a set of nodes that become one kernel (cluster.go).
package graph
