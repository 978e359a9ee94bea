// SPDX-License-Identifier: Apache-2.0

// Package rule reads the tables by which back ends translate vector operations to instructions.
//
// A line has an operation, the kinds of its result, what the rule needs, and instructions:
//
//	add  f    fadd d.T a.T b.T
//	fma  f    tied=c  fmla d.T a.T b.T
//
// The first rule that fits is taken, so those with more needs stand before those with fewer.
//
// Kinds are f32 f64 i32 i64 bytes word, f for floats, i for integers, * for all. tied=X: the result begins as operand
// X; early: the result is written before all operands are read; temps=N vectors (s, t, u) and words=N general registers
// (x, y) for the moment. imm=N: the immediate number of the operation is N; from=KIND: its operand is of that kind. Any
// other word before the instructions is a need that a back end knows.
//
// In instructions d is the result and a, b, c are the operands. What stands behind a dot is up to the back end. #i is the
// immediate number of the operation, #N a number, $N the bits of a constant that is in all lanes.
package rule
