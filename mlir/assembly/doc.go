// SPDX-License-Identifier: Apache-2.0

// Package assembly makes the custom form of an operation from a description, in the
// notation of MLIR's declarative assembly formats:
//
//	assembly.Op{
//		Name:     "memref.load",
//		Operands: "memref, indices*: index",
//		Results:  "result: elem(memref)",
//		Attrs:    "nontemporal: bool = false",
//		Format:   "$memref `[` $indices `]` attr-dict `:` type($memref)",
//	}
//
// Names of operands are followed by * for any number and by ? for at most one. What
// stands behind a colon is the type that the format does not show: a type of MLIR, the
// name of an operand or result of the same type, or one of the functions elem(x),
// tensor(x), memref(x) and typeof(attribute);
// "i1 per retained" makes as many as another group has. What stands behind "is" is the
// class of types that are allowed: index, int (signless), float, complex, opaque, any, a
// type of MLIR, or vector, tensor and memref with ranks and a class of elements in
// parentheses, "vector(1 index) | tensor*(float)"; a star allows types without rank.
//
// Rules are relations between values: type, elem and shape (they are the same), indices
// (one for each dimension), broadcast, space and contiguous.
//
// Attributes have a kind that says how the format writes them: any, bool, i64 and the
// other integer types, str, sym (a reference), name (a symbol that is defined), type,
// unit, ints (a dense array, [1, 2]; ints(2) has two), array, groups (of integers), float,
// map, elements, i64(0..3) (within bounds), enum(a|b) (numbered), word(prefix) and
// param(prefix) (the body of #prefix<body>, bare or in angle brackets).
//
// A format has literals in backquotes, $name, type($name), attr-dict,
// attr-dict-with-keyword, functional-type(operands, results), operands, results,
// optional groups (… ^ …)? and custom<Directive>(…) of the table [Directives].
package assembly
