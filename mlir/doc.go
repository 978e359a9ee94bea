// SPDX-License-Identifier: Apache-2.0

// Package mlir is the compiler's intermediate representation: MLIR as data, with a
// parser, a printer and a verifier for its text.
//
// # Data
//
// An [Operation] has a name with its dialect ("arith.addf"), operands and results
// ([Value]), attributes ([Attrs]), regions of blocks of operations, successors and
// a [Location]. A module is an operation named "builtin.module". Types and
// attributes are immutable Go values; [SameType] and [SameAttr] compare them.
//
// Values keep no list of their uses. A pass walks a block forward with a map from
// old values to new ones and applies it with [Operation.ReplaceUses], or counts
// uses once with [Operation.Walk].
//
// # Dialects
//
// The package knows no operation. A dialect registers its definitions
// ([RegisterDialect], [OpDef]): traits, number of operands, checks, folding and
// custom syntax. Importing mlir/dialect registers all dialects of the project. An
// operation of an unknown dialect is read and written in the generic form, which
// holds for everything:
//
//	%0:2 = "any.op"(%a, %b)[^bb1] ({ regions }) {attributes} : (i32, f32) -> (i32, i1)
//
// # Text
//
// [Parse] reads a module and returns [Diagnostics] with "file:line:col: error: …".
// It is meant for text from anywhere: nesting is limited, no size is believed
// before the bytes are there, and what aliases expand to is bounded.
//
// [Print] writes it. The zero [PrintOptions] give what LLVM 19's mlir-opt
// -allow-unregistered-dialect prints for the same module, byte for byte, except
// that types show their affine maps in full and resources are aligned to 64 bytes.
// With [ACAP2019] the functions are spelled as PyTorch/ACAP spelled them in 2019.
//
// Values are numbered as by mlir-opt. A value that was read under a name, or whose
// Name is set, keeps it, made unique.
//
// [Verify] checks types, counts, terminators, dominance, symbols and what each
// definition checks.
//
// # Elements
//
// A [DenseAttr] holds tensor elements as bytes, row-major and little-endian, one
// byte for a bool; a splat holds one element. It prints as a list up to 100
// elements and as hex beyond. A [ResourceAttr] names bytes that stand at the end of
// the text, for weights.
//
// # Building
//
// A [Builder] appends operations to a block. Dialect packages have a function for
// each operation on top of it:
//
//	module := mlir.NewModule()
//	t := mlir.Tensor(dtype.F32, []int{4})
//	f, b := funcdialect.New(module, "twice", []mlir.Type{t}, []mlir.Type{t})
//	x := f.Body().Args[0]
//	funcdialect.Return(b, arith.AddF(b, x, x))
//
// # Files
//
//   - Data: ir.go, type.go, float.go, layout.go, attribute.go, dense.go, affine.go, location.go, symbol.go. equal.go
//     compares, clone.go copies, builder.go appends; affine_text.go, attribute_text.go and dense_text.go have the text
//     of single types and attributes.
//   - Dialects: dialect.go, and form.go with the syntax that many operations share.
//   - Reading: lexer.go, parser.go and parse_*.go; scope.go knows the values by name, alias_expand.go the aliases,
//     line.go the lines.
//   - Writing: printer.go and print_*.go; names.go numbers values, alias.go finds what gets an alias, quote.go and
//     affine_values.go spell strings and operands.
//   - Checking: verify.go, dominance.go, diagnostic.go; expect.go reads what a test expects.
//   - Changing: rewrite.go and rewrite_parts.go, on which passes stand.
package mlir
