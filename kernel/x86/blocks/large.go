package blocks

import (
	"github.com/go-acap/acap/kernel/x86/asm"
)

// fourBits: two chunks share 32 bytes, which begin at an offset.
func fourBits(offset int) func(e *emitter, c int) {
	return func(e *emitter, c int) {
		e.emit(asm.VMOVDQU, e.w, e.at(offset+32*(c/2)))
		e.shifted(e.w, e.w, -4*(c%2))
		e.emit(asm.VPAND, e.w, e.w, e.bytes(15))
	}
}

// bits emits the or of some bits of 32 bytes, moved n places to the left, or to the right if n is negative.
func (e *emitter) bits(offset, n int, mask byte) {
	e.emit(asm.VMOVDQU, e.t, e.at(offset))
	e.shifted(e.t, e.t, n)
	e.emit(asm.VPAND, e.t, e.t, e.bytes(mask))
	e.emit(asm.VPOR, e.w, e.w, e.t)
}

// fiveBits: as fourBits, and bit c of 32 bytes is the fifth bit of chunk c.
func fiveBits(e *emitter, c int) {
	fourBits(48)(e, c)
	e.bits(16, 4-c, 16)
}

// sixBits: two chunks share 32 bytes of low halves, the first with the third, and four share 32 bytes of upper bits.
func sixBits(e *emitter, c int) {
	side, row := c/4, c%4
	e.emit(asm.VMOVDQU, e.w, e.at(64*side+row%2*32))
	e.shifted(e.w, e.w, -4*(row/2))
	e.emit(asm.VPAND, e.w, e.w, e.bytes(15))
	e.bits(128+32*side, 4-2*row, 0x30)
}

// rowOfTwo: four chunks share 32 bytes.
func (e *emitter) rowOfTwo(offset, c int) {
	e.emit(asm.VMOVDQU, e.w, e.at(offset+c/4*32))
	e.shifted(e.w, e.w, -2*(c%4))
	e.emit(asm.VPAND, e.w, e.w, e.bytes(3))
}

func twoBits(e *emitter, c int) { e.rowOfTwo(16, c) }

// threeBits: as twoBits, and bit c of 32 bytes adds 4 to numbers from -4.
func threeBits(e *emitter, c int) {
	e.rowOfTwo(32, c)
	e.bits(0, 2-c, 4)
}

// halves moves the upper 8 of 16 numbers of 16 bits in e.low to e.high.
func (e *emitter) halves() { e.emit(asm.VEXTRACTI128, e.high.As(16), e.low, asm.Imm(1)) }

// leastValues emits eight small numbers of 16 bits in x, times a scale in e.u, to r.
func (e *emitter) leastValues(r, x asm.Reg) {
	e.emit(asm.VPMOVSXWD, r, x.As(16))
	e.emit(asm.VCVTDQ2PS, r, r)
	e.emit(asm.VMULPS, r, r, e.u)
}

// pairsOfSix: eight scales and eight least values of six bits in 12 bytes, and two numbers that they are multiples of.
func pairsOfSix(e *emitter) {
	x, low, high := e.w.As(16), e.t.As(16), e.u.As(16)
	e.emit(asm.VMOVDQU, x, e.at(4))
	e.emit(asm.VPSHUFD, high, x, asm.Imm(0b10_10_10_10)) // the low bits of the later ones
	e.emit(asm.VPSRLVD, high, high, e.ConstU32(0, 4, 0, 0))
	e.emit(asm.VPAND, high, high, e.ConstU32(0x0F0F0F0F, 0x0F0F0F0F, 0, 0))
	e.emit(asm.VPSRLD, low, x, asm.Imm(2))
	e.emit(asm.VPAND, low, low, e.ConstU32(0x30303030, 0x30303030, 0, 0)) // and their upper bits
	e.emit(asm.VPOR, high, high, low)
	e.emit(asm.VPAND, low, x, e.ConstU32(0x3F3F3F3F, 0x3F3F3F3F, 0, 0))
	e.emit(asm.VPUNPCKLDQ, x, low, high)
	e.emit(asm.VPMOVZXBW, e.low, x)
	e.emit(asm.VEXTRACTI128, e.t.As(16), e.low, asm.Imm(1))
	e.half(e.d, 0)
	e.half(e.u, 2)
	e.leastValues(e.least, e.t)
}

// pairsOfFour: sixteen scales and least values in the halves of 16 bytes, and two numbers that they are multiples of.
func pairsOfFour(e *emitter) {
	e.emit(asm.VMOVDQU, e.w.As(16), e.at(0))
	e.emit(asm.VPSRLW, e.t.As(16), e.w.As(16), asm.Imm(4))
	e.emit(asm.VPAND, e.t.As(16), e.t.As(16), e.ConstU32(0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F))
	e.emit(asm.VPAND, e.w.As(16), e.w.As(16), e.ConstU32(0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F))
	e.emit(asm.VPMOVZXBW, e.low, e.w.As(16))
	e.halves()
	e.emit(asm.VPMOVZXBW, e.t, e.t.As(16))
	e.half(e.d, 80)
	e.half(e.u, 82)
	e.leastValues(e.least, e.t)
	e.emit(asm.VEXTRACTI128, e.t.As(16), e.t, asm.Imm(1))
	e.leastValues(e.spare, e.t)
}

// signedBytes: sixteen scales, and the number that they are multiples of at the end.
func signedBytes(e *emitter) {
	e.emit(asm.VPMOVSXBW, e.low, e.at(192))
	e.halves()
	e.half(e.d, 208)
}

// scalesOfSix: sixteen scales of six bits, from -32, in 12 bytes: low halves in eight, upper bits in four.
func scalesOfSix(e *emitter) {
	x, y := e.w.As(16), e.t.As(16)
	e.emit(asm.VMOVQ, x, e.at(96))
	e.emit(asm.VPSRLW, y, x, asm.Imm(4))
	e.emit(asm.VPUNPCKLQDQ, x, x, y)
	e.emit(asm.VPAND, x, x, e.ConstU32(0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F))
	e.emit(asm.VPBROADCASTD, y, e.at(104))
	e.emit(asm.VPSRLVD, y, y, e.ConstU32(0, 2, 4, 6))
	e.emit(asm.VPAND, y, y, e.ConstU32(0x03030303, 0x03030303, 0x03030303, 0x03030303))
	e.emit(asm.VPSLLW, y, y, asm.Imm(4))
	e.emit(asm.VPOR, x, x, y)
	e.emit(asm.VPSUBB, x, x, e.ConstU32(0x20202020, 0x20202020, 0x20202020, 0x20202020))
	e.emit(asm.VPMOVSXBW, e.low, x)
	e.halves()
	e.half(e.d, 108)
}

// splitSix: eight scales of six bits, from -32: low halves in four bytes, upper bits in two.
func splitSix(e *emitter) {
	x, y := e.w.As(16), e.t.As(16)
	e.emit(asm.VPBROADCASTD, x, e.at(4))
	e.emit(asm.VPSRLW, y, x, asm.Imm(4))
	e.emit(asm.VPUNPCKLBW, x, x, y)
	e.emit(asm.VPAND, x, x, e.ConstU32(0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F))
	e.emit(asm.VPMOVZXBW, x, x)
	e.emit(asm.VPBROADCASTW, y, e.at(2))
	e.emit(asm.VPMULLW, y, y, e.words(1<<14, 1<<12, 1<<10, 1<<8, 1<<6, 1<<4, 1<<2, 1))
	e.emit(asm.VPSRLW, y, y, asm.Imm(14))
	e.emit(asm.VPSLLW, y, y, asm.Imm(4))
	e.emit(asm.VPOR, x, x, y)
	e.emit(asm.VPSUBW, e.low.As(16), x, e.words(32, 32, 32, 32, 32, 32, 32, 32))
	e.half(e.d, 0)
}
