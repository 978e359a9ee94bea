// SPDX-License-Identifier: Apache-2.0

// Package ops is the ATen operator set: the only place that states the name, operands, results, computation and
// gradient of each operator.
//
// # One operator, one file
//
// An operator, or a family that differs in one scalar function, is one file named
// after it, which registers it in init:
//
//	func init() {
//		register(&Op{
//			Schema:  "hypot(Tensor self, Tensor other) -> Tensor",
//			Inplace: true,
//			Infer:   floating(inferBinary),
//			Lower:   lower2(hypot),
//			Grad: gradient2(
//				func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Div(x, g.Out0())) },
//				func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Div(y, g.Out0())) }),
//			Samples: samplesOf(Sample{S(2, 3), S(3)}),
//		})
//	}
//
// Other packages add theirs by [Register], with the same fields; examples/operator does.
// A line in tensor/generate/manual.txt says what the operator does; nothing else is
// touched: `go generate ./tensor` writes the methods, their options and docs/ops.md, and the MLIR
// dialect, the importers and the tests find the operator by [Lookup], [Resolve] and
// [All].
//
// The schema is ATen's own. Arguments are read by their place in it: c.Int(2) is the
// third. Infer appends one [TensorType] for each result, by [Call.Result], or returns
// one of the typed errors [*ShapeError], [*DTypeError] and [*ArgError].
//
// # How an operator computes
//
// In exactly one of three ways. Expand writes it in terms of other operators, against
// [Emit]. Lower writes it as linalg on tensors, against [Lowering] and, for the body
// of a loop, [Scalars]; scans, sorts and scatters, which linalg lacks, are operations of
// the acap dialect. Host is a Go function on buffers, for what no accelerator would do:
// decompositions, shapes that depend on data. Host operators cut a program into groups
// and are counted as fallbacks.
//
// Where the shape of a result depends on data, Infer returns [ErrDataDependent] and
// the call runs at once, by Host. It may do so for some calls only: index.Tensor has
// both Lower, for indices, and Host, for masks. Importers, whose programs have other inputs later, call
// Determine instead: it reads the elements that decide the shape, and writes the rest with operators that have one.
//
// The half types compute in float32 and round where a value is stored.
// [Lowering.Pointwise] and [Lowering.Fold] see to it.
//
// # Complex tensors
//
// Devices compute with real numbers. [Call.Expansion] turns a call on complex tensors
// into calls on their real and imaginary parts, for views and for the operators that
// complex.go lists; others are refused when they are compiled. A Host that takes
// complex tensors itself, such as a Fourier transform, sets Complex.
//
// # Random numbers
//
// Operators that draw have Draws set: a call is recorded as its expansion, which takes
// random bits from the stream of a [Generator], the device's. The recorded calls depend on nothing but philox_bits,
// whose seed and counter are tensors.
//
// # Writing in place
//
// Programs are functional. Inplace registers a second operator under the name with an
// underscore ("add_.Tensor"), whose [Op.Functional] is the first and which computes
// nothing of its own; registerInplace is for the few that are not named so
// ("transpose_" of "transpose.int"). View, for an operator whose result aliases its
// first argument, puts the elements of a view back into their base. With these two,
// [Ref] and [Apply] give tensors PyTorch's aliasing.
//
// # Gradients
//
// Grad gets a [Gradient]: the call, its results, the cotangents of the results and an
// [Emit] to write with. It sets the gradient of argument i by [Gradient.Set], which
// sums over broadcast dimensions and converts to the argument's type. A costly gradient is written only if
// [Gradient.Needs] asks for it. gradient1 and gradient2 cover the operators whose first one or two arguments are all
// that has a gradient. An operator that expands needs no Grad, unless the sum of the parts is not what PyTorch gives.
//
// # Choosing an overload
//
// [Resolve] picks the overload of a base name that takes given arguments;
// [Op.ForArgs] moves between Tensor and Scalar overloads for callers that name one.
//
// # Samples
//
// Samples are arguments that exercise the operator; a [T] stands for a tensor and is
// filled at random. Every operator has some. Tests lower every sample, verify the result,
// run it in every element type and compare its gradient with differences; programs with
// the results of others are recorded from them (package opinfo). testdata/refusals.txt lists what an operator refuses
// when one argument of a sample is changed, and with which message; `go test ./ops -run TestRefusals -update` writes.
//
// # Values and builders
//
// A [Value] is a tensor in a program under construction. Expand and Grad are written
// against [Emit], which adds calls to any [Builder]: a trace that records, or a
// rewriter of MLIR. [Call] is one operator with its arguments; [Op.NewCall] checks
// them against the schema and infers the results. [Call.Operation] and
// [FromOperation] go to the aten dialect of MLIR and back.
//
// # Files that are no operator
//
//   - What an operator is: op.go, schema.go, register.go, resolve.go, arg.go, coerce.go, enumeration.go, sample.go.
//   - A call of it: call.go, infer.go, inferexpansion.go, refuse.go, error.go, suggest.go, hash.go, ref.go and
//     strides.go (views), program.go, aten.go (to MLIR and back).
//   - Expand and Grad: emit.go, gradient.go.
//   - Lower: lowering.go, scalars.go, lowershape.go, ordered.go, open.go and openslice.go (numbers that may vary),
//     float8.go. simplify.go and simplifications.go are what canonicalization may do.
//   - Host: host.go, numbers.go, walk.go, linalg.go, polynomial.go, bessel.go.
//   - What several operators share: function.go and pointwise.go, reduce.go, product.go and contract.go, window.go,
//     convlower.go, convgrad.go and convtransposed.go, resample.go, normalize.go, indexed.go and indexput.go.
package ops
