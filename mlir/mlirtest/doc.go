// SPDX-License-Identifier: Apache-2.0

// Package mlirtest supports tests of MLIR text: runs of the upstream tools, and
// files that say what to expect of them.
//
// # Files of invalid text
//
// [Invalid] runs the parts of a file, which lines "// -----" separate. A comment
//
//	// expected-error@+1 {{text}}
//
// expects a diagnostic with the text on the next line (or the line that the offset
// gives; without one, on its own). Diagnostics and expectations must match one to one.
//
// # Files of passes
//
// [Passes] runs the pipeline that "// RUN: canonicalize,cse" names on a file and
// compares the printed module with its CHECK lines ([Check]):
//
//	// CHECK: text          occurs behind the last match
//	// CHECK-NEXT: text     and on the next line
//	// CHECK-SAME: text     and on the same line
//	// CHECK-NOT: text      does not occur before the next match
//	// CHECK-LABEL: text    occurs, and variables end here
//
// In the text, {{…}} is a regular expression, [[NAME:…]] gives what one matches a name,
// and [[NAME]] is that again; a space is any number of them.
package mlirtest
