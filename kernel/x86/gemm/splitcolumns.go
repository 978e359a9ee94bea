package gemm

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// columnsAhead is how many steps ahead of those that are read a column is fetched.
const columnsAhead = 8

// splitsColumns reports whether whole panels of B are split where their columns, which are contiguous, lie.
func (p *plan) splitsColumns() bool {
	return p.b.Row == 1 && p.b.Col > 1 && p.b.Col*p.b.DType.Size()*blockColumns < math.MaxInt32 && p.n >= blockColumns && p.k >= stripDepth
}

// emitColumns emits the splitting of some steps of a whole panel, with splitArgs in RDI: sixteen columns become rows of
// cells, which are transposed in the place of their tile.
func (s *panelSplitter) emitColumns(a *asm.Assembler) (entry int) {
	t, column := s.b.DType, s.b.Col*s.b.DType.Size()
	load := widening{t, dtype.F32, s.features}
	pieces, across := s.arith.pieces[1], blockColumns/tileSide
	a.Align(64)
	entry = a.Len()
	a.Notef("columns of %v in %d pieces", t, pieces)
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.R8} {
		a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 48))
	step := a.Here()
	for j := range across {
		tile := func(piece, row int) asm.Mem { return asm.Ptr(asm.RDX, (piece*across+j)*tileBytes+64*row) }
		w := newPieceWriter(a)
		a.Emit(asm.VMOVUPS, w.most, asm.Ptr(asm.R8, 0))
		for i := range tileSide {
			at, r := (j*tileSide+i)*column, i%5*5
			for line := 0; line < stripDepth*t.Size(); line += 64 {
				a.Emit(asm.PREFETCHT0, asm.Ptr(asm.RSI, at+columnsAhead*stripDepth*t.Size()+line))
			}
			low, high := asm.Z(r), asm.Z(r+1)
			load.load(a, low, asm.Ptr(asm.RSI, at), 0)
			load.load(a, high, asm.Ptr(asm.RSI, at+tileSide*t.Size()), 0)
			w.write(low, high, pieces, r+2, func(piece int) asm.Mem { return tile(piece, i) })
		}
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.R8, 0), w.most)
		for piece := range pieces {
			var rows, spare []asm.Reg
			for i := range tileSide {
				rows, spare = append(rows, asm.Z(i)), append(spare, asm.Z(tileSide+i))
				a.Emit(asm.VMOVUPS, rows[i], tile(piece, i))
			}
			for i, r := range transpose.Emit(a, rows, spare, 4) {
				a.Emit(asm.VMOVUPS, tile(piece, i), r)
			}
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(stripDepth*t.Size()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(tileSide*s.packedRow()))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, step)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}
