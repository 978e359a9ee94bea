package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEmitRegisters compares what instructions of registers become with what [Assembler.Emit] makes of them: for each
// form that takes registers alone, with registers of all lengths, low and high, guarded and not.
func TestEmitRegisters(t *testing.T) {
	bytesOf := func(emit func(a *Assembler)) (code []byte, panics bool) {
		defer func() { panics = recover() != nil }()
		a := Unlisted()
		emit(a)
		return a.Assemble().Bytes, false
	}
	count := 0
	for i := range forms {
		f := &forms[i]
		n, last := f.registers()
		if n == 0 {
			continue
		}
		for _, length := range []int{16, 32, 64} {
			for _, number := range []int{1, 12, 19} {
				for _, guard := range []int{0, 1, 2} {
					var registers []Reg
					var operands []Operand
					for k := range n {
						bytes := max(16, f.args[k].reg.bytes(length))
						r := Vec(bytes, number+k)
						if f.args[k].reg == kindMask {
							r = K((number + k) % 8)
						}
						switch {
						case guard == 1 && k == 0:
							r = r.Mask(K(3))
						case guard == 2 && k == 0:
							r = r.ZeroMask(K(3))
						}
						registers, operands = append(registers, r), append(operands, r)
					}
					imm := []Imm{5}[:last]
					for _, v := range imm {
						operands = append(operands, v)
					}
					want, refused := bytesOf(func(a *Assembler) { a.Emit(f.op, operands...) })
					have, refuses := bytesOf(func(a *Assembler) { a.EmitRegisters(f.op, registers, imm...) })
					require.Equal(t, refused, refuses, text(opTexts[f.op], operands))
					require.Equal(t, want, have, text(opTexts[f.op], operands))
					if !refused {
						count++
					}
				}
			}
		}
	}
	require.Greater(t, count, 1000)
}
