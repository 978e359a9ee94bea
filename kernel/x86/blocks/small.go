package blocks

import (
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// leading: the block begins with its scale.
func leading(e *emitter) { e.half(e.d, 0) }

// leadingPair: the block begins with its scale and its least value.
func leadingPair(e *emitter) {
	e.half(e.d, 0)
	e.half(e.least, 2)
}

// severalHalves emits the f16 at a place of each of n blocks to r as f32, and zeros behind them.
func (e *emitter) severalHalves(r asm.Reg, offset, n int) {
	x := r.As(16)
	e.emit(asm.VPXOR, x, x, x)
	for i := range n {
		e.emit(asm.VPINSRW, x, x, e.at(i*e.format.Bytes()+offset), asm.Imm(i))
	}
	e.emit(asm.VCVTPH2PS, r, x)
}

func severalLeading(e *emitter, n int) { e.severalHalves(e.d, 0, n) }

func severalPairs(e *emitter, n int) {
	e.severalHalves(e.d, 0, n)
	e.severalHalves(e.least, 2, n)
}

// severalPowers loads one power of two after the other.
func severalPowers(e *emitter, n int) {
	halves := [2]asm.Reg{e.d.As(16), e.t.As(16)}
	for _, x := range halves {
		e.emit(asm.VPXOR, x, x, x)
	}
	for i := range n {
		x := halves[i/4]
		e.emit(asm.VPINSRD, x, x, e.power(i*e.format.Bytes()), asm.Imm(i%4))
	}
	e.emit(asm.VINSERTI128, e.d, e.d, halves[1], asm.Imm(1))
}

// fifthBits emits the or of 32 bits as the fifth bit of the numbers.
func (e *emitter) fifthBits(offset int) {
	spread, bit := make([]byte, 32), make([]byte, 32)
	for i := range 32 {
		spread[i], bit[i] = byte(i/8), 1<<(i%8)
	}
	e.emit(asm.VPBROADCASTD, e.t, e.at(offset))
	e.emit(asm.VPSHUFB, e.t, e.t, e.vector(spread))
	e.emit(asm.VPAND, e.t, e.t, e.vector(bit))
	e.emit(asm.VPCMPEQB, e.t, e.t, e.vector(bit))
	e.emit(asm.VPAND, e.t, e.t, e.bytes(16))
	e.emit(asm.VPOR, e.w, e.w, e.t)
}

// powerOfTwo: the block begins with the exponent of twice its scale.
func powerOfTwo(e *emitter) { e.emit(asm.VBROADCASTSS, e.d, e.power(0)) }

// power is the place of the power of two that a byte of the block stands for.
func (e *emitter) power(offset int) asm.Mem {
	var table [256]uint32
	for i := range table {
		table[i] = math.Float32bits(float32(math.Ldexp(1, i-128)))
	}
	e.emit(asm.MOVZXB, asm.RAX.Dword(), e.at(offset))
	e.emit(asm.LEA, asm.R14, e.ConstU32(table[:]...))
	return asm.At(asm.R14, asm.RAX, 4, 0)
}
