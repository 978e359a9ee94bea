package rows

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	lanes    = 8
	tileRows = 4  // that are summed at once
	mostCols = 4  // of a group
	line     = 64 // bytes
)

// columnsAtOnce is how many columns are read together: a register is for each sum, for each column, and for a row.
func columnsAtOnce(rows int) int { return min(mostCols, 15/(min(rows, tileRows)+1)) }

// loads emits the load of eight elements of B as f32.
var loads = map[dtype.DType]func(a *asm.Assembler, r asm.Reg, from asm.Mem){
	dtype.F32: func(a *asm.Assembler, r asm.Reg, from asm.Mem) { a.Emit(asm.VMOVUPS, r, from) },
	dtype.F16: func(a *asm.Assembler, r asm.Reg, from asm.Mem) { a.Emit(asm.VCVTPH2PS, r, from) },
	dtype.BF16: func(a *asm.Assembler, r asm.Reg, from asm.Mem) {
		a.Emit(asm.VPMOVZXWD, r, from)
		a.Emit(asm.VPSLLD, r, r, asm.Imm(16))
	},
}

// call is what the code finds at RDI.
type call struct {
	a      uintptr // first row
	b      uintptr // first column
	sums   uintptr // of the first row and column
	groups uintptr // of columns
}

// product emits sums of products of all rows with groups of columns.
type product struct {
	*asm.Assembler
	b                 dtype.DType
	rows, cols, depth int
	aRow              int // bytes from a row to the next
	bColumn           int // bytes from a column to the next
	sumRow            int // bytes from the sums of a row to those of the next
}

// emitAll emits the function and returns its entry. RSI is A, R8 the first column of the group, RDX its sums, R11 counts groups.
func (p *product) emitAll() (entry int) {
	p.Align(64)
	entry = p.Len()
	for i, to := range []asm.Reg{asm.RSI, asm.R8, asm.RDX, asm.R11} {
		p.Emit(asm.MOV, to, asm.Ptr(asm.RDI, 8*i))
	}
	group := p.Here()
	for first := 0; first < p.rows; first += tileRows {
		p.tile(first, min(tileRows, p.rows-first))
	}
	p.Emit(asm.ADD, asm.R8, asm.Imm(p.cols*p.bColumn))
	p.Emit(asm.ADD, asm.RDX, asm.Imm(4*p.cols))
	p.Emit(asm.DEC, asm.R11)
	p.Emit(asm.JNE, group)
	p.Emit(asm.VZEROUPPER)
	p.Emit(asm.RET)
	return entry
}

// tile emits the sums of some rows, eight elements of the depth at a time. RAX is the element, R9 the first row, RCX counts.
func (p *product) tile(first, rows int) {
	bytes := p.b.Size()
	sum := func(row, col int) asm.Reg { return asm.Vec(32, row*p.cols+col) }
	b := func(col int) asm.Reg { return asm.Vec(32, 15-col) }
	a := asm.Vec(32, rows*p.cols)
	for i := range rows * p.cols {
		p.Emit(asm.VXORPS, asm.Vec(32, i), asm.Vec(32, i), asm.Vec(32, i))
	}
	at := func(col, element int) asm.Mem { return asm.At(asm.R8, asm.RAX, bytes, col*p.bColumn+element*bytes) }
	once := 1 // vectors in a turn of the loop: those of a line, if that divides them
	if n := line / bytes / lanes; p.depth/lanes%n == 0 {
		once = n
	}
	p.Emit(asm.LEA, asm.R9, asm.Ptr(asm.RSI, first*p.aRow))
	p.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	p.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(p.depth/lanes/once))
	loop := p.Here()
	if first == 0 && once > 1 { // columns are runs too short for the processor to fetch the next ones ahead
		for col := range p.cols {
			p.Emit(asm.PREFETCHT0, at(p.cols+col, 0))
		}
	}
	for v := range once {
		for col := range p.cols {
			loads[p.b](p.Assembler, b(col), at(col, v*lanes))
		}
		for row := range rows {
			p.Emit(asm.VMOVUPS, a, asm.At(asm.R9, asm.RAX, 4, row*p.aRow+4*v*lanes))
			for col := range p.cols {
				p.Emit(asm.VFMADD231PS, sum(row, col), a, b(col))
			}
		}
	}
	p.Emit(asm.ADD, asm.RAX, asm.Imm(once*lanes))
	p.Emit(asm.DEC, asm.RCX)
	p.Emit(asm.JNE, loop)
	x := a.As(16)
	for row := range rows {
		for col := range p.cols {
			s := sum(row, col)
			p.Emit(asm.VEXTRACTI128, x, s, asm.Imm(1))
			p.Emit(asm.VADDPS, x, x, s.As(16))
			p.Emit(asm.VHADDPS, x, x, x)
			p.Emit(asm.VHADDPS, x, x, x)
			p.Emit(asm.VMOVSS, asm.Ptr(asm.RDX, (first+row)*p.sumRow+4*col), x)
		}
	}
}
