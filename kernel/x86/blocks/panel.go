package blocks

import (
	"math"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A panelShape is how many columns a panel has, those of a vector of sums, and how many rows a tile has.
type panelShape struct{ cols, rows int }

var (
	vectorShape = panelShape{8, 4}   // of vectors of 32 bytes
	tileShape   = panelShape{16, 16} // of registers of AMX
)

// steps is how many vectors of four numbers of each column there are in a chunk.
const steps = chunk / 4

// stepBytes is a vector of four bytes, or of an f32, of each column.
func (s panelShape) stepBytes() int { return 4 * s.cols }

// A panelLayout is how a panel lies in memory. Chunk by chunk there are vectors with four numbers of each column in
// turn, and behind these the scales of the columns, and their least values if the format has them; of both there are
// two vectors where each half of a chunk has its own.
type panelLayout struct {
	panelShape
	blocks format
}

// panel emits what fills panels, and tiles of rows that read them.
type panel struct {
	*emitter
	panelLayout
	aRow, sumRow int // bytes from a row to the next, of bytes and of sums
	bColumn      int // bytes from a column to the next
	sumsAt       int // bytes from the scales of a row to its sums of 32
	fetched      int // lines of the next panels that a chunk fetches
}

// halves is how many scales a chunk has.
func (f *format) halves() int { return max(1, f.parts/8) }

// chunkBytes is the memory of a chunk.
func (l *panelLayout) chunkBytes() int {
	vectors := l.blocks.halves()
	if l.blocks.least != none {
		vectors *= 2
	}
	return (steps + vectors) * l.stepBytes()
}

// exactSteps is how many products of pairs are summed in 16 bits without loss.
func (f *format) exactSteps() int {
	n := steps / f.halves()
	for n*2*int(f.most)*math.MaxInt8 > math.MaxInt16 {
		n /= 2
	}
	return n
}

// scaleAt and leastOf are where a chunk has the scales of a half, and the least values.
func (l *panelLayout) scaleAt(half int) int { return (steps + half) * l.stepBytes() }
func (l *panelLayout) leastOf(half int) int { return l.scaleAt(l.blocks.halves() + half) }

// tileCall is what the code of tiles finds at RDI.
type tileCall struct {
	a, scales, halves uintptr // of the first row
	panels            uintptr
	sums              uintptr
	tiles, count      uintptr // of rows, and of panels
	next              uintptr // blocks of the next panels
	squares           uintptr // memory of squareBytes
}

// emitTiles emits the sums of products of some rows with panels that lie one behind the other. R13 counts tiles, R11
// panels and RCX chunks, R14 is the bytes from the first row to those of the tile, R10 the first sum of the tile and
// RDX that of the panel, R15 what is fetched. RAX, R8 and RBP are those of squares.
func (p *panel) emitTiles(rows, k int) (entry int) {
	p.Align(64)
	entry = p.Len()
	p.emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, 32))
	p.emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, 40))
	p.emit(asm.MOV, asm.R15, asm.Ptr(asm.RDI, 56))
	p.emit(asm.XOR, asm.R14.Dword(), asm.R14.Dword())
	if p.squares() {
		p.beginSquares(rows)
	}
	tile := p.Here()
	p.emit(asm.MOV, asm.RBX, asm.Ptr(asm.RDI, 24))
	p.emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, 48))
	p.emit(asm.MOV, asm.RDX, asm.R10)
	next := p.Here()
	for i, to := range []asm.Reg{asm.RSI, asm.R9, asm.R12} {
		p.emit(asm.MOV, to, asm.Ptr(asm.RDI, 8*i))
		p.emit(asm.ADD, to, asm.R14)
	}
	p.emit(asm.MOV, asm.RCX.Dword(), asm.Imm(k/chunk))
	for row := range rows {
		p.emit(asm.VXORPS, p.tileSum(row), p.tileSum(row), p.tileSum(row))
	}
	loop := p.Here()
	for line := range p.fetched {
		p.emit(asm.PREFETCHT1, asm.Ptr(asm.R15, 64*line))
	}
	if p.fetched > 0 {
		p.emit(asm.ADD, asm.R15, asm.Imm(64*p.fetched))
	}
	for half := range p.kind.halves() {
		if p.squares() {
			p.square(half)
		} else {
			p.tileProducts(rows, half)
		}
		p.tileScales(rows, half)
	}
	p.emit(asm.ADD, asm.RBX, asm.Imm(p.chunkBytes()))
	p.emit(asm.ADD, asm.RSI, asm.Imm(chunk))
	p.emit(asm.ADD, asm.R9, asm.Imm(4*chunk/block.Rounded))
	p.emit(asm.ADD, asm.R12, asm.Imm(8*chunk/block.Rounded))
	p.emit(asm.DEC, asm.RCX)
	p.emit(asm.JNE, loop)
	for row := range rows {
		p.emit(asm.VMOVUPS, asm.Ptr(asm.RDX, row*p.sumRow), p.tileSum(row))
	}
	p.emit(asm.ADD, asm.RDX, asm.Imm(p.stepBytes()))
	p.emit(asm.DEC, asm.R11)
	p.emit(asm.JNE, next)
	p.emit(asm.ADD, asm.R10, asm.Imm(rows*p.sumRow))
	p.emit(asm.ADD, asm.R14, asm.Imm(rows*p.aRow))
	p.emit(asm.DEC, asm.R13)
	p.emit(asm.JNE, tile)
	if p.squares() {
		p.emit(asm.TILERELEASE)
	}
	p.emit(asm.VZEROUPPER)
	p.emit(asm.RET)
	return entry
}

// The registers of a tile: sums of each row, its sums of pairs in 16 bits, and those in 32 bits.
func (p *panel) tileSum(row int) asm.Reg { return asm.Vec(p.stepBytes(), row) }

func tilePairs(row int) asm.Reg { return asm.Vec(32, vectorShape.rows+row) }
func tileWhole(row int) asm.Reg { return asm.Vec(32, 2*vectorShape.rows+row) }

var tileNumbers, tileRow, tileScale, tileFactor = asm.Vec(32, 12), asm.Vec(32, 13), asm.Vec(32, 14), asm.Vec(32, 15)

// tileProducts emits the sums of the products of numbers and bytes of a half of a chunk, or of a whole one, to tileWhole.
func (p *panel) tileProducts(rows, half int) {
	ones := p.words(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	count := steps / p.kind.halves()
	if p.kind.signed {
		p.signedProducts(rows, half*count, count, ones)
		return
	}
	exact := p.kind.exactSteps()
	for s := range count {
		step := half*count + s
		p.emit(asm.VMOVDQU, tileNumbers, asm.Ptr(asm.RBX, step*p.stepBytes()))
		for row := range rows {
			p.emit(asm.VPBROADCASTD, tileRow, asm.Ptr(asm.RSI, row*p.aRow+4*step))
			if s%exact == 0 {
				p.emit(asm.VPMADDUBSW, tilePairs(row), tileNumbers, tileRow)
				continue
			}
			p.emit(asm.VPMADDUBSW, tileRow, tileNumbers, tileRow)
			p.emit(asm.VPADDW, tilePairs(row), tilePairs(row), tileRow)
		}
		if (s+1)%exact != 0 {
			continue
		}
		for row := range rows {
			if s < exact {
				p.emit(asm.VPMADDWD, tileWhole(row), tilePairs(row), ones)
				continue
			}
			p.emit(asm.VPMADDWD, tilePairs(row), tilePairs(row), ones)
			p.emit(asm.VPADDD, tileWhole(row), tileWhole(row), tilePairs(row))
		}
	}
}

// signedProducts is tileProducts for numbers with signs, which go to the bytes of the rows: a sum of two fills 16 bits.
func (p *panel) signedProducts(rows, first, count int, ones asm.Mem) {
	one, magnitude := tilePairs(0), tileFactor
	p.emit(asm.VMOVDQU, one, ones)
	for s := range count {
		p.emit(asm.VMOVDQU, tileNumbers, asm.Ptr(asm.RBX, (first+s)*p.stepBytes()))
		p.emit(asm.VPABSB, magnitude, tileNumbers)
		for row := range rows {
			p.emit(asm.VPBROADCASTD, tileRow, asm.Ptr(asm.RSI, row*p.aRow+4*(first+s)))
			p.emit(asm.VPSIGNB, tileRow, tileRow, tileNumbers)
			p.emit(asm.VPMADDUBSW, tileRow, magnitude, tileRow)
			if s == 0 {
				p.emit(asm.VPMADDWD, tileWhole(row), tileRow, one)
				continue
			}
			p.emit(asm.VPMADDWD, tileRow, tileRow, one)
			p.emit(asm.VPADDD, tileWhole(row), tileWhole(row), tileRow)
		}
	}
}

// tileScales adds the sums of integers, times the scales of both sides, to those of the rows. What the zero of the numbers takes away
// comes with the sums of the bytes, and so do least values.
func (p *panel) tileScales(rows, half int) {
	scale, factor, other := p.scaleRegisters()
	p.emit(asm.VMOVUPS, scale, asm.Ptr(asm.RBX, p.scaleAt(half)))
	for row := range rows {
		sum := asm.Ptr(asm.R9, row*p.aRow+p.sumsAt)
		if p.kind.halves() == 2 {
			sum = asm.Ptr(asm.R12, row*p.aRow+4*half)
		}
		whole := p.integers(row)
		p.emit(asm.VBROADCASTSS, factor, asm.Ptr(asm.R9, row*p.aRow))
		if p.kind.zero > 0 {
			p.emit(asm.VBROADCASTSS, other, sum)
			p.emit(asm.VFMADD213PS, whole, factor, other)
		} else {
			p.emit(asm.VMULPS, whole, whole, factor)
		}
		p.emit(asm.VFMADD231PS, p.tileSum(row), whole, scale)
		if p.kind.least == none {
			continue
		}
		multiply := asm.VFMADD231PS
		if p.kind.least == subtracted {
			multiply = asm.VFNMADD231PS
		}
		p.emit(asm.VBROADCASTSS, factor, sum)
		p.emit(multiply, p.tileSum(row), factor, asm.Ptr(asm.RBX, p.leastOf(half)))
	}
}

// scaleRegisters are those of the scales of columns, of the scale of a row, and of a sum of its bytes.
func (p *panel) scaleRegisters() (scale, factor, sum asm.Reg) {
	if p.squares() {
		return asm.Z(28), asm.Z(29), asm.Z(30)
	}
	return tileScale, tileFactor, tileRow
}

// integers emits the load of the sums of integers of a row as f32, and returns their register.
func (p *panel) integers(row int) asm.Reg {
	if p.squares() {
		whole := asm.Z(tileShape.rows + row%8)
		p.emit(asm.VCVTDQ2PS, whole, squareRow(row))
		return whole
	}
	whole := tileWhole(row)
	p.emit(asm.VCVTDQ2PS, whole, whole)
	return whole
}
