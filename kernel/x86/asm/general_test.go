package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneral compares the code of instructions of general registers with that of assemblers that keep a listing, which
// describe each instruction first.
func TestGeneral(t *testing.T) {
	assemble := func(a *Assembler, op Op, operands []Operand) (code []byte, panics bool) {
		defer func() { panics = recover() != nil }()
		a.Bind(a.Label())
		a.Emit(op, operands...)
		return a.Assemble().Bytes, false
	}
	operands := []Operand{RAX, RSP, RBP, R9, R12, RDX.Dword(), R13.Dword(), RBX.Byte(), RSI.Byte(), X(3), K(2), Label(0),
		Imm(0), Imm(-128), Imm(127), Imm(128), Imm(-1 << 31), Imm(1 << 31), Imm(1 << 40),
		Ptr(RCX, 0), Ptr(RSP, 8), Ptr(R13, 0), Ptr(R12, 1000), At(RBP, R9, 4, -7), At(R8, RAX, 0, 1<<20), Mem{Disp: 64},
		At(RBX, X(4), 8, 0), Ptr(RCX, 0).Bcast(), Ptr(RCX, 0).Mask(K(1))}
	taken := 0
	check := func(op Op, list ...Operand) {
		want, refused := assemble(New(), op, list)
		have, refuses := assemble(Unlisted(), op, list)
		require.Equal(t, refused, refuses, text(known().mnemonics[op].text, list))
		require.Equal(t, want, have, text(known().mnemonics[op].text, list))
		if !refused && Unlisted().general(op, list) {
			taken++
		}
	}
	for op := range numOps {
		if f := &known().forms[known().mnemonics[op].first]; f.enc != encLegacy {
			continue
		}
		for _, x := range operands {
			check(op, x)
			for _, y := range operands {
				check(op, x, y)
			}
		}
	}
	require.Greater(t, taken, 1000)
}
