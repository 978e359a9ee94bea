// Package onnx reads ONNX models and turns their graphs into ATen calls.
//
// An ONNX file is one protocol buffer (message ModelProto of onnx.proto): a graph of nodes, each
// behind those that it needs (where a file has another order, it is put right), the weights as
// initializers, subgraphs as attributes of If, Loop and Scan, and functions that nodes may call.
// [Read] decodes the part of the wire format that ONNX uses by itself. Weights larger than the message format allows lie in files beside the model; [Load] reads
// them, and never outside of the model's directory.
//
// # Forward
//
// [Model.Forward] walks the nodes once. Values whose elements are known (initializers, constants,
// shapes and what is computed from them) are computed here as far as they are small, because ONNX
// passes shapes, axes and numbers of repetitions as tensors; all else goes to an
// [importer.Builder] as ATen calls. Shapes are static, so that Shape is always known, a branch of
// If is chosen, and loops are unrolled. A shape that depends on elements which are not known is an
// error that names the node and the value, unless the builder is an [importer.Reader], as those of
// [Model.Specialize] and [Model.Bind] are: it has them computed, and what follows holds for them.
//
// Operators follow the version that the model imports of ai.onnx, from 1 to 28; where the meaning
// of an operator changed, for example axis of Softmax at version 13, the operator's file says so.
// From com.microsoft come those that optimised models contain, such as FusedMatMul, Attention and
// SkipLayerNormalization.
// Those of ai.onnx.ml, versions 1 to 5, are trees, support vectors, linear models, labels and
// features; where the names of classes are texts, the classes must be known when the model is read.
//
// # Errors
//
// Files are not trusted: sizes are checked before memory is allocated, nesting and the number of
// executed nodes are bounded. Errors are one line with the file and either the byte offset or the
// node: model.onnx: node 12 "conv1" (Conv): ...; they wrap the typed errors of package ops.
package onnx
