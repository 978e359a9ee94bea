package blocks

import (
	"math"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A rounded row is its bytes, a scale for each 32, and their sums times the scales: of each 32, and of each 16. For a format
// whose numbers have a zero the sums are those times minus the zero.
type roundedRow struct{ k int }

func (r roundedRow) scales() int { return r.k }
func (r roundedRow) sums() int   { return r.k + 4*r.k/block.Rounded }
func (r roundedRow) halves() int { return r.k + 8*r.k/block.Rounded }
func (r roundedRow) bytes() int  { return (r.k + 16*r.k/block.Rounded + 63) &^ 63 }

// roundCall is what the code that rounds a row finds at RDI.
type roundCall struct{ from, to, scales, sums, halves, blocks uintptr }

// emitRound emits what [block.Round] does, and the sums: RSI is the row, RDX the bytes, R8, R9 and R10 scales and sums.
func emitRound(a *asm.Assembler, zero byte) (entry int) {
	y := func(i int) asm.Reg { return asm.Vec(32, i) }
	x := func(i int) asm.Reg { return asm.Vec(16, i) }
	a.Align(64)
	entry = a.Len()
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.R8, asm.R9, asm.R10, asm.RCX} {
		a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
	a.Emit(asm.VBROADCASTSS, y(15), a.ConstU32(math.MaxInt32)) // magnitudes
	a.Emit(asm.VPBROADCASTB, y(14), a.Const([]byte{1}))
	a.Emit(asm.VPBROADCASTW, y(13), a.Const([]byte{1, 0}))
	a.Emit(asm.VMOVDQU, y(12), a.ConstU32(0, 4, 1, 5, 2, 6, 3, 7))
	a.Emit(asm.VMOVSS, x(11), a.ConstF32(127))
	loop := a.Here()
	a.Emit(asm.VXORPS, y(8), y(8), y(8))
	for i := range 4 {
		a.Emit(asm.VMOVUPS, y(i), asm.Ptr(asm.RSI, 32*i))
		a.Emit(asm.VANDPS, y(4+i), y(i), y(15))
	}
	a.Emit(asm.VXORPS, y(9), y(9), y(9)) // zero, or NaN if a value is special
	for i := range 4 {
		a.Emit(asm.VFMADD231PS, y(8), y(9), y(i))
	}
	a.Emit(asm.VMAXPS, y(4), y(4), y(5))
	a.Emit(asm.VMAXPS, y(6), y(6), y(7))
	a.Emit(asm.VMAXPS, y(4), y(4), y(6))
	a.Emit(asm.VEXTRACTI128, x(5), y(4), asm.Imm(1))
	a.Emit(asm.VMAXPS, x(4), x(4), x(5))
	a.Emit(asm.VPSHUFD, x(5), x(4), asm.Imm(0b01_00_11_10))
	a.Emit(asm.VMAXPS, x(4), x(4), x(5))
	a.Emit(asm.VPSHUFD, x(5), x(4), asm.Imm(0b10_11_00_01))
	a.Emit(asm.VMAXPS, x(4), x(4), x(5))
	a.Emit(asm.VEXTRACTI128, x(9), y(8), asm.Imm(1))
	a.Emit(asm.VADDPS, x(8), x(8), x(9))
	a.Emit(asm.VHADDPS, x(8), x(8), x(8))
	a.Emit(asm.VHADDPS, x(8), x(8), x(8))
	a.Emit(asm.VBROADCASTSS, x(9), a.ConstF32(0x1p-110))
	a.Emit(asm.VCMPPS, x(9), x(4), x(9), asm.Imm(13)) // at least
	a.Emit(asm.VDIVSS, x(5), x(11), x(4))
	a.Emit(asm.VANDPS, x(5), x(5), x(9))
	a.Emit(asm.VDIVSS, x(4), x(4), x(11))
	a.Emit(asm.VANDPS, x(4), x(4), x(9))
	a.Emit(asm.VADDSS, x(4), x(4), x(8))
	a.Emit(asm.VMOVSS, asm.Ptr(asm.R8, 0), x(4))
	if zero > 0 {
		a.Emit(asm.VMULSS, x(4), x(4), a.ConstF32(-float32(zero)))
	}
	a.Emit(asm.VBROADCASTSS, y(5), x(5))
	for i := range 4 {
		a.Emit(asm.VMULPS, y(i), y(i), y(5))
		a.Emit(asm.VCVTPS2DQ, y(i), y(i))
	}
	a.Emit(asm.VPACKSSDW, y(0), y(0), y(1))
	a.Emit(asm.VPACKSSDW, y(2), y(2), y(3))
	a.Emit(asm.VPACKSSWB, y(0), y(0), y(2))
	a.Emit(asm.VPERMD, y(0), y(12), y(0))
	a.Emit(asm.VMOVDQU, asm.Ptr(asm.RDX, 0), y(0))
	a.Emit(asm.VPMADDUBSW, y(0), y(14), y(0)) // sums of 16 in each half
	a.Emit(asm.VPMADDWD, y(0), y(0), y(13))
	a.Emit(asm.VPSHUFD, y(1), y(0), asm.Imm(0b01_00_11_10))
	a.Emit(asm.VPADDD, y(0), y(0), y(1))
	a.Emit(asm.VPSHUFD, y(1), y(0), asm.Imm(0b10_11_00_01))
	a.Emit(asm.VPADDD, y(0), y(0), y(1))
	a.Emit(asm.VEXTRACTI128, x(1), y(0), asm.Imm(1))
	a.Emit(asm.VPADDD, x(2), x(0), x(1))
	for i, to := range []asm.Mem{asm.Ptr(asm.R10, 0), asm.Ptr(asm.R10, 4), asm.Ptr(asm.R9, 0)} {
		a.Emit(asm.VCVTDQ2PS, x(i), x(i))
		a.Emit(asm.VMULSS, x(i), x(i), x(4))
		a.Emit(asm.VMOVSS, to, x(i))
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(4*block.Rounded))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(block.Rounded))
	a.Emit(asm.ADD, asm.R8, asm.Imm(4))
	a.Emit(asm.ADD, asm.R9, asm.Imm(4))
	a.Emit(asm.ADD, asm.R10, asm.Imm(8))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}
