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
// compares the printed module with the lines "// CHECK: text", each of which must
// occur behind the last one; "// CHECK-NEXT:" must occur on the next line and
// "// CHECK-NOT:" not before the next match.
package mlirtest
