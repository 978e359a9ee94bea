package blocks

import (
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// packCall is what the code that fills a panel finds at RDI.
type packCall struct{ from, to, scratch, columns uintptr }

// A panel is filled eight columns at a time, span by span. Scratch memory has what its columns have, before it is
// transposed: vectors of eight scales, of each kind one for each column, and behind them 32 numbers of each column for
// each chunk.
const (
	fillKinds   = 4 // at most: two vectors of scales and two of least values
	fillColumns = 8
	fillVectors = 32 * fillColumns
	fillNumbers = fillKinds * fillVectors
	fillBytes   = fillNumbers + spanChunks*fillVectors
)

// emitPack emits the code that fills a panel with up to eight columns of so many chunks. RSI is a span of the first
// column, R8 that of the column, RDX its scratch memory, RBX the panel, R12 counts columns and RCX spans.
func (p *panel) emitPack(chunks int) (entry int) {
	p.Align(64)
	entry = p.Len()
	for i, to := range []asm.Reg{asm.RSI, asm.RBX, asm.R10, asm.R11} {
		p.emit(asm.MOV, to, asm.Ptr(asm.RDI, 8*i))
	}
	if whole := chunks / spanChunks; whole > 0 {
		p.emit(asm.MOV, asm.RCX.Dword(), asm.Imm(whole))
		spans := p.Here()
		p.fillSpan(spanChunks)
		p.emit(asm.ADD, asm.RSI, asm.Imm(p.spanBytes()))
		p.emit(asm.ADD, asm.RBX, asm.Imm(spanChunks*p.chunkBytes()))
		p.emit(asm.DEC, asm.RCX)
		p.emit(asm.JNE, spans)
	}
	if rest := chunks % spanChunks; rest > 0 {
		p.fillSpan(rest)
	}
	p.emit(asm.VZEROUPPER)
	p.emit(asm.RET)
	return entry
}

// fillSpan emits a span of n chunks to the panel.
func (p *panel) fillSpan(n int) {
	square, spare := make([]asm.Reg, fillColumns), make([]asm.Reg, fillColumns)
	for i := range fillColumns {
		square[i], spare[i] = asm.Vec(32, i), asm.Vec(32, fillColumns+i)
	}
	p.keep(square, p.kind.numbers)
	p.emit(asm.MOV, asm.R8, asm.RSI)
	p.emit(asm.MOV, asm.RDX, asm.R10)
	p.emit(asm.MOV, asm.R12, asm.R11)
	column := p.Here()
	p.inSpan(asm.Ptr(asm.R8, 0), 0)
	p.fetch(p.spanBytes(), p.spanBytes())
	p.spanScales(n)
	for kind, r := range []asm.Reg{p.d, p.high, p.least, p.spare} {
		if p.kind.has(kind) {
			p.emit(asm.VMOVUPS, asm.Ptr(asm.RDX, kind*fillVectors), r)
		}
	}
	for c := range n {
		p.kind.numbers(p.emitter, p.inSpan(asm.Ptr(asm.R8, 0), c))
		p.emit(asm.VMOVDQU, asm.Ptr(asm.RDX, fillNumbers+c*fillVectors), p.w)
	}
	p.emit(asm.ADD, asm.R8, asm.Imm(p.bColumn))
	p.emit(asm.ADD, asm.RDX, asm.Imm(32))
	p.emit(asm.DEC, asm.R12)
	p.emit(asm.JNE, column)
	p.kept = nil
	transposed := func(from int) []asm.Reg {
		for i, r := range square {
			p.emit(asm.VMOVDQU, r, asm.Ptr(asm.R10, from+32*i))
		}
		return transpose.Emit(p.Assembler, square, spare, 4)
	}
	for c := range n {
		for i, r := range transposed(fillNumbers + c*fillVectors) {
			p.emit(asm.VMOVDQU, asm.Ptr(asm.RBX, c*p.chunkBytes()+i*p.stepBytes()), r)
		}
	}
	for kind := range fillKinds {
		if !p.kind.has(kind) {
			continue
		}
		at := p.scaleAt
		if kind >= 2 {
			at = p.leastOf
		}
		for i, r := range transposed(kind * fillVectors) {
			part := kind%2*fillColumns + i
			if c := part / p.kind.halves(); c < n {
				p.emit(asm.VMOVUPS, asm.Ptr(asm.RBX, c*p.chunkBytes()+at(part%p.kind.halves())), r)
			}
		}
	}
}

// has reports whether blocks have scales of a kind: of the first eight parts, of the others, and their least values.
func (f *format) has(kind int) bool {
	return (kind%2 == 0 || f.halves() == 2) && (kind < 2 || f.least != none)
}
