package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// pieceWriter emits the splitting of vectors.
type pieceWriter struct {
	a          *asm.Assembler
	half, high asm.Reg // constants
	most       asm.Reg // largest magnitudes
}

func newPieceWriter(a *asm.Assembler) *pieceWriter {
	w := &pieceWriter{a: a, half: asm.Z(29), high: asm.Z(30), most: asm.Z(31)}
	a.Emit(asm.VPBROADCASTD, w.half, a.ConstU32(0x8000))
	a.Emit(asm.VPBROADCASTD, w.high, a.ConstU32(0xffff0000))
	return w
}

// largestMagnitude is the immediate of VRANGEPS for the larger of two magnitudes; if one is NaN, it gives the other.
const largestMagnitude = 0b1011

// write emits the splitting of two vectors of f32, which it overwrites: element i of low and of high
// become cell i of each piece. Three registers from temps on are used.
func (w *pieceWriter) write(low, high asm.Reg, pieces, temps int, to func(piece int) asm.Mem) {
	a := w.a
	x, y, word := asm.Z(temps), asm.Z(temps+1), asm.Z(temps+2)
	a.Emit(asm.VRANGEPS, w.most, w.most, low, asm.Imm(largestMagnitude))
	a.Emit(asm.VRANGEPS, w.most, w.most, high, asm.Imm(largestMagnitude))
	for piece := range pieces - 1 {
		a.Emit(asm.VPADDD, x, low, w.half)
		a.Emit(asm.VPADDD, y, high, w.half)
		a.Emit(asm.VPSRLD, word, x, asm.Imm(16))
		a.Emit(asm.VPANDD, x, x, w.high)
		a.Emit(asm.VPANDD, y, y, w.high)
		a.Emit(asm.VSUBPS, low, low, x)
		a.Emit(asm.VSUBPS, high, high, y)
		a.Emit(asm.VPORD, word, word, y)
		a.Emit(asm.VMOVUPS, to(piece), word)
	}
	a.Emit(asm.VPSRLD, word, low, asm.Imm(16))
	a.Emit(asm.VPANDD, high, high, w.high)
	a.Emit(asm.VPORD, word, word, high)
	a.Emit(asm.VMOVUPS, to(pieces-1), word)
}

// splitter is code that splits steps of tiles: of some rows of A one after the other, or of some
// panels of B side by side.
type splitter struct {
	pieces                    int
	across                    int // tiles side by side
	srcNext, dstNext, maxNext int // bytes to the next step or panel
}

// splitArgs are its arguments.
type splitArgs struct {
	src, dst, most uintptr
	stride         int // of the rows of src, bytes
	high           int // from element i of a step to element i+16, bytes
	rows           int // of a tile
	count          int // steps, or panels
}

// emit emits the loops over steps or panels and over rows, of elements of type t.
func (s splitter) emit(a *asm.Assembler, t dtype.DType, f cpu.Features) (entry int) {
	load := widening{t, dtype.F32, f}
	a.Align(64)
	entry = a.Len()
	a.Notef("%v in %d pieces", t, s.pieces)
	w := newPieceWriter(a)
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.R8, asm.R9, asm.R10, asm.R12, asm.R11} {
		a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
	next := a.Here()
	a.Emit(asm.VMOVUPS, w.most, asm.Ptr(asm.R8, 0))
	a.Emit(asm.MOV, asm.RAX, asm.RSI)
	a.Emit(asm.MOV, asm.RBX, asm.RDX)
	a.Emit(asm.MOV, asm.RCX, asm.R12)
	row := a.Here()
	for j := range s.across {
		low, high, at := asm.Z(8*j), asm.Z(8*j+1), j*tileSide*t.Size()
		load.load(a, low, asm.Ptr(asm.RAX, at), 0)
		load.load(a, high, asm.At(asm.RAX, asm.R10, 1, at), 0)
		w.write(low, high, s.pieces, 8*j+2, func(piece int) asm.Mem {
			return asm.Ptr(asm.RBX, (piece*s.across+j)*tileBytes)
		})
	}
	a.Emit(asm.ADD, asm.RAX, asm.R9)
	a.Emit(asm.ADD, asm.RBX, asm.Imm(64))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.R8, 0), w.most)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(s.srcNext))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(s.dstNext))
	a.Emit(asm.ADD, asm.R8, asm.Imm(s.maxNext))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, next)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}
