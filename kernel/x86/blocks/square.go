package blocks

import (
	"encoding/binary"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// Processors with AMX multiply a square of 16 rows by 16 columns at once. Registers of tiles have the bytes of the
// rows, of a chunk or of a half of it, and the same of a panel; bytes have signs on both sides, which numbers without a
// sign fit in as well. The sums go to memory, where vectors read them and scale them.

// The tile registers of a square.
const (
	squareSums = iota
	squareOfRows
	squareOfPanel
)

// squareBytes is the memory of the sums of a square.
const squareBytes = 16 * 64

// squares reports whether tiles are multiplied as squares.
func (p *panel) squares() bool { return p.panelShape == tileShape }

// squareRow is the memory of the sums of a row.
func squareRow(row int) asm.Mem { return asm.Ptr(asm.RBP, 64*row) }

// beginSquares sets the sizes of tile registers. RAX has the bytes from a row to the next, R8 those of a step of a
// panel, RBP the sums.
func (p *panel) beginSquares(rows int) {
	depth := steps / p.kind.halves() // of four bytes
	var config [64]byte
	config[0] = 1 // palette
	size := func(register, rows, bytes int) {
		binary.LittleEndian.PutUint16(config[16+2*register:], uint16(bytes))
		config[48+register] = byte(rows)
	}
	size(squareSums, rows, 64)
	size(squareOfRows, rows, 4*depth)
	size(squareOfPanel, depth, 64)
	p.emit(asm.LDTILECFG, p.Const(config[:]))
	p.emit(asm.MOV, asm.RAX, asm.Imm(p.aRow))
	p.emit(asm.MOV, asm.R8, asm.Imm(p.stepBytes()))
	p.emit(asm.MOV, asm.RBP, asm.Ptr(asm.RDI, 64))
}

// square emits the sums of the products of numbers and bytes of a half of a chunk, or of a whole one, to memory.
func (p *panel) square(half int) {
	depth := steps / p.kind.halves()
	p.emit(asm.TILEZERO, asm.T(squareSums))
	p.emit(asm.TILELOADD, asm.T(squareOfRows), asm.At(asm.RSI, asm.RAX, 1, 4*depth*half))
	p.emit(asm.TILELOADD, asm.T(squareOfPanel), asm.At(asm.RBX, asm.R8, 1, p.stepBytes()*depth*half))
	p.emit(asm.TDPBSSD, asm.T(squareSums), asm.T(squareOfRows), asm.T(squareOfPanel))
	p.emit(asm.TILESTORED, asm.At(asm.RBP, asm.R8, 1, 0), asm.T(squareSums))
}
