// SPDX-License-Identifier: Apache-2.0

// Package proto reads the messages of onnx.proto: models, and values in files of their own.
//
// [Read] decodes the part of the wire format that ONNX uses by itself, and puts nodes in order; [Graph.Check] refuses
// what no model may have. A [Tensor] is a part of the file until a [Loader] makes a buffer of it, with what lies in
// other files where the message says so.
//
// # Files
//
//   - wire.go reads the wire format, message.go the messages in it; check.go and order.go are what is done to graphs.
//   - tensor.go makes buffers, from files beside the model by external.go; element.go has the types of elements, and
//     narrow.go those of less than 8 bits. value.go reads values.
//
// Files are not trusted: sizes are checked before memory is allocated, and nesting is bounded. Errors are one line
// with the byte offset.
package proto
