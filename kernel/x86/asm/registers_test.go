package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEmitVector compares what instructions of registers become with what [Assembler.Emit] makes of them: for each form
// that takes such registers, of all lengths, low and high, guarded and not, and with memory in the place of each.
func TestEmitVector(t *testing.T) {
	bytesOf := func(emit func(a *Assembler)) (code []byte, panics bool) {
		defer func() { panics = recover() != nil }()
		a := Unlisted()
		emit(a)
		return a.Assemble().Bytes, false
	}
	count, read := 0, 0
	check := func(f *form, registers []Reg, at *Mem, imm []Imm) (done bool) {
		var operands []Operand
		for _, r := range registers {
			if r == None {
				operands = append(operands, *at)
			} else {
				operands = append(operands, r)
			}
		}
		for _, v := range imm {
			operands = append(operands, v)
		}
		want, refused := bytesOf(func(a *Assembler) { a.Emit(f.op, operands...) })
		have, refuses := bytesOf(func(a *Assembler) { a.EmitVector(f.op, registers, at, imm...) })
		require.Equal(t, refused, refuses, text(known().mnemonics[f.op].text, operands))
		require.Equal(t, want, have, text(known().mnemonics[f.op].text, operands))
		return !refused
	}
	places := []Mem{Ptr(RBX, 64), At(R9, R12, 4, -7), Ptr(RSI, 1<<20).Bcast(), Ptr(R13, 0).Mask(K(2))}
	for i := range known().forms {
		f := &known().forms[i]
		n, last := f.registers()
		if n == 0 {
			continue
		}
		for _, length := range []int{16, 32, 64} {
			for _, number := range []int{1, 12, 19} {
				for _, guard := range []int{0, 1, 2} {
					var registers []Reg
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
						registers = append(registers, r)
					}
					imm := []Imm{5}[:last]
					if check(f, registers, nil, imm) {
						count++
					}
					for k, r := range registers {
						registers[k] = None
						if check(f, registers, &places[(length/16+number+k)%len(places)], imm) {
							read++
						}
						registers[k] = r
					}
				}
			}
		}
	}
	require.Greater(t, count, 1000)
	require.Greater(t, read, 1000)
}
