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
// mask(x), index(x), tensor(x), memref(x) and typeof(attribute);
// "i1 per retained" makes as many as another group has.
//
// Attributes have a kind that says how the format writes them: any, bool, i64 and the
// other integer types, str, sym (a reference), name (a symbol that is defined), type,
// unit, ints (a dense array, [1, 2]), enum(a|b) (numbered), word(prefix) and
// param(prefix) (the body of #prefix<body>, bare or in angle brackets).
//
// A format has literals in backquotes, $name, type($name), attr-dict,
// attr-dict-with-keyword, functional-type(operands, results), operands, results,
// optional groups (… ^ …)? and custom<Directive>(…) of the table [Directives].
package assembly
