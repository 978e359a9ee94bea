// SPDX-License-Identifier: Apache-2.0

// Package asm is an assembler for the 64-bit instruction set of Arm: vectors of 16 bytes, products of bytes
// and of bfloat16, and the general instructions that loops need.
//
// The forms that it knows are in instructions.txt, one a line; Emit looks for the form of a mnemonic that the operands
// fit, and a listing prints the same operands in the syntax of GNU as:
//
//	a := asm.New()
//	top := a.Here()
//	a.Emit("fmla", asm.V(0).As(asm.S4), asm.V(1).As(asm.S4), asm.V(2).Element(asm.S, 3))
//	a.Emit("b", top)
//	code := a.Assemble()
//
// Constants lie behind the code, and are loaded relative to it.
package asm
