// SPDX-License-Identifier: Apache-2.0

// Package importer holds what the importers of model files share: the [Builder] that receives a
// model's computation as ATen calls, and [Module], which writes such a computation as a module of
// the aten dialect.
//
// Every importer walks a model once, computes what is known (shapes, numbers, lists) by itself,
// and sends the operators on tensors to a Builder. The tensor library's Builder records them as if
// user code had made the calls; Module's writes them as MLIR. There is no third road.
package importer
