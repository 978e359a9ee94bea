package blocks

import "github.com/go-acap/acap/kernel/x86/asm"

// mostSums is how many dot products are summed at once.
const mostSums = 4

// call is what the code of products finds at RDI.
type call struct {
	a       uintptr // first row: of f32, or of bytes
	scales  uintptr // of the first row of bytes
	halves  uintptr // its sums of 16
	b       uintptr // first block of the first column
	sums    uintptr // of the first row and column
	scratch uintptr
	groups  uintptr // of columns
	stream  uintptr // bytes from a stream of columns to the next
}

const (
	argA = 8 * iota
	argScales
	argHalves
	argB
	argSums
	argScratch
	argGroups
	argStream
)

// product emits sums of products of some rows that are not rounded with groups of columns.
type product struct {
	*emitter
	rows, cols int
	blocks     int // of a column
	aRow       int // bytes from a row to the next
	bColumn    int // bytes from a column to the next
	sumRow     int // bytes from the sums of a row to those of the next
}

func (p *product) sum(row, col int) asm.Reg { return asm.Vec(32, col*p.rows+row) }

// emitAll emits the function and returns its entry. R13 is the column, R11 counts groups, RCX blocks.
func (p *product) emitAll() (entry int) {
	p.Align(64)
	entry = p.Len()
	p.emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, argB))
	p.emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argSums))
	p.emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, argScratch))
	p.emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argGroups))
	group := p.Here()
	for i := range p.rows * p.cols {
		r := asm.Vec(32, i)
		p.emit(asm.VXORPS, r, r, r)
	}
	p.emit(asm.MOV, asm.R8, asm.R13)
	p.emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	p.emit(asm.MOV, asm.RCX.Dword(), asm.Imm(p.blocks))
	loop := p.Here()
	for col := range p.cols {
		p.block = asm.Ptr(asm.R8, col*p.bColumn)
		p.fetch(p.cols*p.bColumn, p.format.Bytes())
		p.exactBlock(col)
	}
	p.emit(asm.ADD, asm.R8, asm.Imm(p.format.Bytes()))
	p.emit(asm.ADD, asm.RSI, asm.Imm(4*p.format.Block()))
	p.emit(asm.DEC, asm.RCX)
	p.emit(asm.JNE, loop)
	p.finish()
	p.emit(asm.ADD, asm.RDX, asm.Imm(4*p.cols))
	p.emit(asm.ADD, asm.R13, asm.Imm(p.cols*p.bColumn))
	p.emit(asm.DEC, asm.R11)
	p.emit(asm.JNE, group)
	p.emit(asm.VZEROUPPER)
	p.emit(asm.RET)
	return entry
}

// finish adds up the lanes of the sums and stores them.
func (p *product) finish() {
	for row := range p.rows {
		for col := range p.cols {
			p.addLanes(p.sum(row, col))
			p.emit(asm.VMOVSS, asm.Ptr(asm.RDX, row*p.sumRow+4*col), p.t.As(16))
		}
	}
}

// exactBlock adds the products of the values of a block.
func (p *product) exactBlock(col int) {
	p.spread()
	for c := range p.chunks() {
		p.numbersAsFloats(c, func(v int) {
			for row := range p.rows {
				p.emit(asm.VFMADD231PS, p.sum(row, col), p.t, asm.Ptr(asm.RSI, row*p.aRow+4*(chunk*c+8*v)))
			}
		})
	}
}
