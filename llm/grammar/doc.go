// SPDX-License-Identifier: Apache-2.0

// Package grammar says which texts an answer may be: by rules in GBNF, the notation of llama.cpp, or by a schema in JSON.
// A [State] is a place within such texts: it tells which bytes may come next.
//
//	g, err := grammar.Parse(`root ::= "yes" | "no"`)
//	s := g.Start()
//	s, ok := s.Next([]byte("ye"))
//
// # GBNF
//
// A rule is a name, ::= and alternatives with | between them. An alternative is a sequence of texts in quotes, classes of
// characters such as [a-z] and [^"], a dot for any character, names of rules, groups in parentheses, and repetitions *, +, ?, {n}, {n,} and {n,m}.
// # begins a comment. The rule root is what the whole text is.
//
// # JSON schemas
//
// type, properties, required, additionalProperties, items, prefixItems, minItems, maxItems, minLength, maxLength, enum,
// const, anyOf, oneOf, allOf of objects, and $ref within the schema are obeyed. Annotations such as title and format change nothing.
// Other words that restrict values are an error that names the word: what cannot be held is not promised. Members of objects come in
// the order of the schema, and those that it does not name at the end.
package grammar
