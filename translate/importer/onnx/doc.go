// SPDX-License-Identifier: Apache-2.0

// Package onnx reads ONNX models and turns their graphs into ATen calls.
//
// An ONNX file is one protocol buffer (message ModelProto of onnx.proto): a graph of nodes, each
// behind those that it needs (where a file has another order, it is put right), the weights as
// initializers, subgraphs as attributes of If, Loop and Scan, and functions that nodes may call.
// [Read] reads a file that is in memory; package proto decodes it. Weights larger than the message format allows lie
// in files beside the model; [Load] reads them: no name leads out of the model's directory, but a link in it may.
//
// # Forward
//
// [Model.Forward] walks the nodes once. Values whose elements are known (initializers, constants,
// shapes and what is computed from them) are computed here as far as they are small, because ONNX
// passes shapes, axes and numbers of repetitions as tensors; all else goes to an
// [importer.Builder] as ATen calls. Shapes are static, so that Shape is always known, a branch of
// If is chosen, and loops are unrolled. A shape that depends on elements which are not known is an
// error that names the node and the value, unless the builder is an [importer.Reader], as the builders of
// [Model.Specialize] and [Model.Bind] are: it has them computed, and what follows holds for them. A Reader is also
// asked for the condition of an If, whose other side then need not fit the inputs; without a Reader both sides run, and
// the condition chooses between their results.
//
// Operators follow the version that the model imports of ai.onnx, from 1 to 28; where the meaning
// of an operator changed, for example axis of Softmax at version 13, the operator's file says so.
// From com.microsoft come those that optimised models contain, such as FusedMatMul, Attention,
// SkipLayerNormalization and MoE, and from ai.onnx.preview.training optimisers and Gradient.
// Those of ai.onnx.ml, versions 1 to 5, are trees, support vectors, linear models, labels and
// features; where the names of classes are texts, the classes must be known when the model is read.
//
// # Files
//
//   - The file: package proto decodes it, model.go checks it and loads its weights. bound.go has models for given
//     inputs, with sequences, maps and texts among them.
//   - Forward: evaluate.go walks graphs; node.go is a node while it runs, with what operators ask it for, and value.go
//     what a name stands for. fold.go computes on elements that are known, text.go on texts; limits.go bounds both.
//   - Quantized tensors: bytes.go has products of bytes and their exact sums, bytes_elementwise.go sums and products
//     of elements.
//   - Operators: registry.go finds them by domain and name. A family of ai.onnx is a file op_*.go, where an operator that
//     com.microsoft or ai.onnx.preview has under a name of its own stands with those like it.
//   - Other domains: ai.onnx.ml in ml_*.go, com.microsoft in microsoft.go and microsoft_*.go, and
//     ai.onnx.preview.training in training.go (optimisers) and training_gradient.go. Package picture decodes files of pictures.
//
// # Errors
//
// Files are not trusted: sizes are checked before memory is allocated, nesting and the number of
// executed nodes are bounded. Errors are one line with the file and either the byte offset or the
// node: model.onnx: node 12 "conv1" (Conv): ...; they wrap the typed errors of package ops.
package onnx
