// SPDX-License-Identifier: Apache-2.0

// Package script parses the language in which TorchScript is stored: the small, typed subset of
// Python in the code/ folder of a .pt archive.
//
// [Parse] turns one file into a [File]: classes with their fields and methods, and functions. Statements and
// expressions keep their positions, for the errors of whoever runs or compiles them. Names are not resolved and types
// are kept as expressions: `List[int]` is a [Subscript] of a [Name].
//
// PyTorch writes calls for nearly everything (torch.gt(x, 0), torch.__not__(c)) and, in newer
// releases, operators. Both parse, and so does the rest of what people write in such functions:
// chained comparisons, conditional expressions, augmented assignment, assert, raise, with, nested
// functions. Comprehensions, generators, lambda, try and star arguments do not occur and are
// refused.
//
// Input is not trusted: size, nesting and the length of chains such as a.b.c.d are bounded, so that
// a walk over the tree may recurse. Errors are of type [*Error]: file:line:col: message.
package script
