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

// fifthBits emits the or of 32 bits as the fifth bit of the numbers.
func (e *emitter) fifthBits(offset int) {
	spread, bit := make([]byte, 32), make([]byte, 32)
	for i := range 32 {
		spread[i], bit[i] = byte(i/8), 1<<(i%8)
	}
	e.emit(asm.VPBROADCASTD, e.t, e.at(offset))
	e.emit(asm.VPSHUFB, e.t, e.t, e.Const(spread))
	e.emit(asm.VPAND, e.t, e.t, e.Const(bit))
	e.emit(asm.VPCMPEQB, e.t, e.t, e.Const(bit))
	e.emit(asm.VPAND, e.t, e.t, e.bytes(16))
	e.emit(asm.VPOR, e.w, e.w, e.t)
}

// powerOfTwo: the block begins with the exponent of twice its scale.
func powerOfTwo(e *emitter) {
	var table [256]uint32
	for i := range table {
		table[i] = math.Float32bits(float32(math.Ldexp(1, i-128)))
	}
	e.emit(asm.MOVZXB, asm.RAX.Dword(), e.at(0))
	e.emit(asm.LEA, asm.R14, e.ConstU32(table[:]...))
	e.emit(asm.VBROADCASTSS, e.d, asm.At(asm.R14, asm.RAX, 4, 0))
}
