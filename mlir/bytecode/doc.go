// SPDX-License-Identifier: Apache-2.0

// Package bytecode reads and writes MLIR's bytecode (https://mlir.llvm.org/docs/BytecodeFormat), the binary form of a
// module, and the portable artifacts of StableHLO in it, whose operations and types are versions of vhlo.
//
// [Read] takes versions 0 to 6 of the format. Attributes and types of the builtin dialect and of vhlo are decoded;
// those of other dialects must be in the file as text, which is what dialects without an encoding of their own write.
// Attributes that a file keeps as properties of an operation are given their names by the operation's definition.
//
// [Write] writes version 4, whose operations keep all their attributes by name: every later MLIR reads it.
package bytecode
