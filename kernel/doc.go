// SPDX-License-Identifier: Apache-2.0

// Package kernel is the intermediate representation of native kernels: what one fused piece of work computes, over
// which loops, on which memory. It knows no MLIR and no machine; the packages x86 and portable turn it into code.
//
// # Kinds
//
//   - [Nest]: a loop nest with a body: pointwise chains, broadcasts, transposes,
//     reductions, row kernels such as softmax and layer_norm, gathers, windows.
//   - [Contraction]: a (batched) matrix product with a fused epilogue.
//   - [Convolution]: a 2-d convolution with a fused epilogue; 1-d has a height of 1.
//     Padding contributes nothing to a sum, also where the filter is infinite or NaN.
//   - [Attention]: softmax(scale·Q·Kᵀ + mask)·V, row by row, never storing the scores.
//   - [Unpack]: the values of blocks of a packed format. A contraction reads such blocks in place.
//   - [Scan], [Sort], [Scatter] and [Random]: what no loop nest of independent points
//     can say, on dense operands.
//
// Operands are strided views of flat memory: a stride for every loop, in
// elements, so broadcasting is a stride of 0 and a transposed read costs no copy.
//
// # Code
//
// A back end compiles a kernel to a [Code]. Its work is split into independent units; a pool calls Run on ranges of
// them from any number of goroutines. The result does not depend on how the units are divided.
//
// # Text
//
// Every kernel prints as text that [Parse] reads: one item a line, blocks in braces, values numbered as %3. [Verify]
// says whether a kernel means something, and back ends refuse what it refuses: no affine access may leave its port.
// [NewBody] builds bodies; [Nest.Canonical] brings nests into the form from which back ends start.
//
// # A new kind
//
// A kind is a file here, with its ports, its fields, its rules and its account, which registers it with a number; and a file
// in package portable that runs it. A back end that has no code for a kind refuses it with [ErrUnsupported], and portable
// code runs. A kind that an operation becomes is named in the operation's file in package mlir/dialect/acap: search.go is
// the three of them for [Search]. A kind that works on each line of an array needs no more to run on the simulated array
// ([LineByLine]); others say in device/acap/describe what they ask of it.
//
// # Files
//
//   - Kinds: kernel.go has the parts of all kinds, and each kind has a file: nest.go, contraction.go, convolution.go,
//     attention.go, scan.go, sort.go, search.go, scatter.go, random.go, unpack.go. matrix.go, epilogue.go, dense.go, lines.go, fold.go and
//     philox.go are parts of them; account.go counts their work, and table.go keeps what other packages know of a kind.
//   - Bodies: body.go, builder.go, optable.go. compact.go and narrow.go make them smaller, canonical.go joins
//     loops.
//   - Text and bytes: form.go writes and reads the fields of kinds as either; print.go, parse.go and decode.go are
//     the parts of the text, fields.go codes kernels for files.
//   - Checks: verify.go, verify_body.go, nest_verify.go.
package kernel
