package blocks

import (
	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel/x86/asm"
)

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
}

const (
	argA = 8 * iota
	argScales
	argHalves
	argB
	argSums
	argScratch
	argGroups
)

// product emits sums of products of some rows with groups of columns.
type product struct {
	*emitter
	rows, cols  int
	blocks      int // of a column
	aRow        int // bytes from a row to the next
	bColumn     int // bytes from a column to the next
	sumRow      int // bytes from the sums of a row to those of the next
	rounded     bool
	scalesToSum int // bytes from the scales of a row to its sums of 32
}

func (p *product) sum(row, col int) asm.Reg { return asm.Vec(32, col*p.rows+row) }

// part is the sum of a row over the parts of one block.
func (p *product) partial(row int) asm.Reg { return asm.Vec(32, mostSums+row) }

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
	p.emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, argScales))
	p.emit(asm.MOV, asm.R12, asm.Ptr(asm.RDI, argHalves))
	p.emit(asm.MOV, asm.RCX.Dword(), asm.Imm(p.blocks))
	loop := p.Here()
	for col := range p.cols {
		p.column = col * p.bColumn
		p.fetch()
		if p.rounded {
			p.roundedBlock(col)
		} else {
			p.exactBlock(col)
		}
	}
	values := p.format.Block()
	p.emit(asm.ADD, asm.R8, asm.Imm(p.format.Bytes()))
	if p.rounded {
		p.emit(asm.ADD, asm.RSI, asm.Imm(values))
		p.emit(asm.ADD, asm.R9, asm.Imm(4*values/block.Rounded))
		p.emit(asm.ADD, asm.R12, asm.Imm(8*values/block.Rounded))
	} else {
		p.emit(asm.ADD, asm.RSI, asm.Imm(4*values))
	}
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

// fetch fetches the block of the next group: the columns of a group are runs too short for the processor to fetch ahead.
func (p *product) fetch() {
	for at := 0; at < p.format.Bytes(); at += 64 {
		p.emit(asm.PREFETCHT0, p.at(p.cols*p.bColumn+at))
	}
}

// finish adds up the lanes of the sums and stores them.
func (p *product) finish() {
	x := p.t.As(16)
	for row := range p.rows {
		for col := range p.cols {
			s := p.sum(row, col)
			p.emit(asm.VEXTRACTI128, x, s, asm.Imm(1))
			p.emit(asm.VADDPS, x, x, s.As(16))
			p.emit(asm.VHADDPS, x, x, x)
			p.emit(asm.VHADDPS, x, x, x)
			p.emit(asm.VMOVSS, asm.Ptr(asm.RDX, row*p.sumRow+4*col), x)
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

// roundedBlock adds the products of the numbers of a block with bytes.
func (p *product) roundedBlock(col int) {
	p.kind.scales(p.emitter)
	if p.kind.parts == 0 {
		p.wholeBlock(col)
		return
	}
	p.startParts()
	p.leastParts(col)
	for c := range p.chunks() {
		p.kind.numbers(p.emitter, c)
		p.partScales(c)
		for row := range p.rows {
			p.integers(row, c, p.least)
			p.emit(asm.VBROADCASTSS, p.u, asm.Ptr(asm.R9, row*p.aRow+4*c))
			p.emit(asm.VFMADD231PS, p.partial(row), p.t, p.u)
		}
	}
	for row := range p.rows {
		p.emit(asm.VFMADD231PS, p.sum(row, col), p.partial(row), p.d)
	}
}

// wholeBlock is roundedBlock for a format with one scale for a block, of one chunk.
func (p *product) wholeBlock(col int) {
	p.kind.numbers(p.emitter, 0)
	ones := p.words(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	for row := range p.rows {
		p.integers(row, 0, ones)
		p.emit(asm.VBROADCASTSS, p.u, asm.Ptr(asm.R9, row*p.aRow))
		if p.kind.zero > 0 {
			p.emit(asm.VMOVSS, p.high.As(16), asm.Ptr(asm.R9, row*p.aRow+p.scalesToSum))
			p.emit(asm.VFMADD213PS, p.t, p.u, p.high)
			p.emit(asm.VFMADD231PS, p.sum(row, col), p.t, p.d)
			continue
		}
		p.emit(asm.VMULPS, p.u, p.u, p.d)
		p.emit(asm.VFMADD231PS, p.sum(row, col), p.t, p.u)
		if p.kind.least == added {
			p.emit(asm.VMOVSS, p.u.As(16), asm.Ptr(asm.R9, row*p.aRow+p.scalesToSum))
			p.emit(asm.VFMADD231PS, p.sum(row, col), p.least, p.u)
		}
	}
}

// startParts sets the sums over parts to zero, or to what the zero of the numbers takes away: the sums of the row, which
// are already times it, times the scales.
func (p *product) startParts() {
	if p.kind.zero == 0 {
		for row := range p.rows {
			r := p.partial(row)
			p.emit(asm.VXORPS, r, r, r)
		}
		return
	}
	for i, r := range []asm.Reg{p.low, p.high} {
		p.emit(asm.VPMOVSXWD, p.t, r.As(16))
		p.emit(asm.VCVTDQ2PS, p.t, p.t)
		for row := range p.rows {
			at := asm.Ptr(asm.R12, row*p.aRow+32*i)
			if i == 0 {
				p.emit(asm.VMULPS, p.partial(row), p.t, at)
			} else {
				p.emit(asm.VFMADD231PS, p.partial(row), p.t, at)
			}
		}
	}
}

// leastParts takes the least values of parts times the sums of the row away.
func (p *product) leastParts(col int) {
	switch {
	case p.kind.least == none:
	case p.kind.parts == 8:
		for row := range p.rows {
			p.emit(asm.VFNMADD231PS, p.sum(row, col), p.least, asm.Ptr(asm.R9, row*p.aRow+p.scalesToSum))
		}
	default:
		for row := range p.rows {
			p.emit(asm.VFNMADD231PS, p.sum(row, col), p.least, asm.Ptr(asm.R12, row*p.aRow))
			p.emit(asm.VFNMADD231PS, p.sum(row, col), p.spare, asm.Ptr(asm.R12, row*p.aRow+32))
		}
	}
}

// partScales emits the scales of the parts of a chunk to p.least: one for all numbers, or one for each half.
func (p *product) partScales(c int) {
	from, first, second := p.low, c, c
	if p.kind.parts == 16 {
		first, second = 2*c%8, 2*c%8+1
		if c >= 4 {
			from = p.high
		}
	}
	var places []byte
	for _, at := range []int{first, second} {
		for range 8 {
			places = append(places, byte(2*at), byte(2*at+1))
		}
	}
	p.emit(asm.VPSHUFB, p.least, from, p.Const(places))
}

// integers emits the sums of the products of the numbers in p.w with the bytes of a row, times scales, to p.t as f32.
func (p *product) integers(row, c int, scales asm.Operand) {
	a := asm.Ptr(asm.RSI, row*p.aRow+chunk*c)
	if p.kind.signed {
		p.emit(asm.VPABSB, p.u, p.w)
		p.emit(asm.VMOVDQU, p.t, a)
		p.emit(asm.VPSIGNB, p.t, p.t, p.w)
		p.emit(asm.VPMADDUBSW, p.t, p.u, p.t)
	} else {
		p.emit(asm.VPMADDUBSW, p.t, p.w, a)
	}
	p.emit(asm.VPMADDWD, p.t, p.t, scales)
	p.emit(asm.VCVTDQ2PS, p.t, p.t)
}
