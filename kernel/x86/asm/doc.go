// SPDX-License-Identifier: Apache-2.0

// Package asm assembles x86-64 machine code in memory. It knows the instructions that generated code uses: some of the
// general ones, of AVX2, FMA and F16C, of AVX-512 with its F, BW, DQ, VL, VNNI and BF16 parts, of AVX-VNNI, and of AMX.
//
// An Assembler takes one instruction at a time:
//
//	a := asm.New()
//	loop := a.Here()
//	a.Emit(asm.VMOVUPS, asm.Z(0), asm.At(asm.RSI, asm.RAX, 4, 0))
//	a.Emit(asm.VFMADD231PS, asm.Z(1).Mask(asm.K(1)), asm.Z(0), asm.Ptr(asm.RDX, 0).Bcast())
//	a.Emit(asm.ADD, asm.RAX, asm.Imm(16))
//	a.Emit(asm.CMP, asm.RAX, asm.RCX)
//	a.Emit(asm.JL, loop)
//	a.Emit(asm.VZEROUPPER)
//	a.Emit(asm.RET)
//	code := a.Assemble()
//
// # Operands
//
// Operands stand in Intel's order, destination first. RAX to R15 are 8 bytes wide; r.Dword() and
// r.Byte() are their lower parts. X(i), Y(i) and Z(i) are vector registers of 16, 32 and 64 bytes,
// Vec(bytes, i) picks one by length, r.As(bytes) changes the length, K(i) is a mask register, and
// T(i) a tile, whose memory has a base and an index, the distance of its rows. A destination carries its mask: r.Mask(k) merges, r.ZeroMask(k) zeroes. Ptr and At make memory
// references, m.Bcast() broadcasts one element. Imm is an immediate. Const and its variants put
// data into a pool behind the code and return a reference to it.
//
// The size of a memory access follows from the instruction. Where the general instructions have
// several sizes, a register operand decides; MOVZXB, MOVZXW and MOVSXB say it in the
// name. VEX is used where it can express the instruction, else EVEX; registers from 16 on,
// masks, broadcasts and 64-byte vectors need EVEX. VPDPBUSD is always EVEX; VEXVPDPBUSD is the form of AVX-VNNI.
//
// # The table
//
// instructions.txt lists the instruction forms, one a line. The list has no instruction that nothing emits.
// An instruction is added by adding its line, with a name in upper case if Go code is to name it, and running go test
// -update, which writes the constants to zops.go, asks the GNU assembler for the bytes of samples of every form and
// writes them to testdata.
//
// # Listings
//
// The text of Code shows what was assembled: offset, bytes and Intel syntax.
package asm
