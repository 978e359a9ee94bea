// SPDX-License-Identifier: Apache-2.0

// Package grammar says which texts an answer may be: by rules in GBNF, the notation of llama.cpp, or by a schema in
// JSON. A [State] is a place within such texts: it tells which bytes may come next.
//
//	g, err := grammar.Parse(`root ::= "yes" | "no"`)
//	s := g.Start()
//	s, ok := s.Next([]byte("ye"))
//
// # GBNF
//
// A rule is a name, ::= and alternatives with | between them. An alternative is a sequence of texts in quotes, classes of
// characters such as [a-z] and [^"], a dot for any character, names of rules, groups in parentheses, and repetitions *, +, ?, {n}, {n,} and {n,m}.
// # begins a comment. The whole text follows the rule root. The escapes are \n, \r, \t, \\, \", \[, \], \-, \^, \xXX,
// \uXXXX and \UXXXXXXXX.
//
// <think> is the token that the vocabulary has by this name, <[1000]> the token of this number; !<think> and !<[1000]>
// are any one token but this one. A token that ends answers is no other token, and ends the answer where it is named.
//
// Texts are the same ones as in llama.cpp, but for bytes that begin no character, which never come in texts, and
// special tokens, which are no texts. What follows is an error with its line, where llama.cpp has a meaning for it: two
// rules of one name, more than 2,000 repetitions, classes and ranges without a character.
//
// # JSON schemas
//
// These words are obeyed: type, enum, const, anyOf, oneOf, allOf of objects, $ref within the schema; properties,
// required, additionalProperties, unevaluatedProperties; items, prefixItems, minItems, maxItems; minLength, maxLength,
// pattern; minimum, exclusiveMinimum, maximum, exclusiveMaximum; and format of date, time, date-time, duration, uuid,
// ipv4, hostname and email. Other formats, and annotations such as title, change nothing. Other words that restrict
// values are an error that names the word and its place: what cannot be held is not promised. So are parts of oneOf
// that types, values and required members do not tell apart.
//
// A grammar has fewer values than its schema. Members of objects come in the order of the schema, and those that it
// does not name at the end: where there are properties, only if additionalProperties says so. All of prefixItems come
// unless minItems or maxItems are less. A schema without a type has the types that its words are for. Patterns have the
// syntax of package regexp. Numbers have up to 16 digits and 20 decimals; bounded ones have no exponent. Blanks stand
// behind { [ , : and before } ]: one space, or a new line and up to 20 spaces.
package grammar
