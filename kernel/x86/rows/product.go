package rows

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	lanes    = 8
	tileRows = 3 // that are summed at once, with tileCols columns: a register is for each sum, for each row, and for a column
	tileCols = 4
	line     = 64 // bytes
	// longestPart is how many elements of a column are multiplied at once, so that those of tileCols columns stay in the first-level cache.
	longestPart = 1024
	// fewTiles is how many tiles widen elements themselves: for more of them, a part of the columns is widened once.
	fewTiles = 2
)

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
	sums   uintptr // of the first row and column, which the code adds to
	groups uintptr // of columns
	wide   uintptr // memory for a widened part of a group
}

// product emits sums of products of all rows with groups of columns. The depth is done in parts.
type product struct {
	*asm.Assembler
	b                 dtype.DType
	rows, cols, depth int
	aRow              int // bytes from a row to the next
	bColumn           int // bytes from a column to the next
	sumRow            int // bytes from the sums of a row to those of the next
}

// parts is in how many parts of equal length a depth is done: the fewest that are short enough, if a few more than that divide it, or one.
func parts(depth int) int {
	least := (depth + longestPart - 1) / longestPart
	for n := least; n <= 4*least; n++ {
		if depth%(n*lanes) == 0 {
			return n
		}
	}
	return 1
}

// tiles is how many tiles of rows there are, the last of which may be lower.
func tiles(rows int) int { return (rows + tileRows - 1) / tileRows }

// widens reports whether parts of columns are widened before they are multiplied.
func (p *product) widens() bool { return p.b != dtype.F32 && tiles(p.rows) > fewTiles }

// part is how many elements of a column a part has.
func (p *product) part() int { return p.depth / parts(p.depth) }

// wideColumn is the bytes from a widened column to the next: not as far as lines that share a set of the cache.
func wideColumn(part int) int { return 4*part + line }

// emitAll emits the function and returns its entry. RSI is a part of the first row, R8 of the first column of the group, RDX its sums; R11 counts
// groups and RBX parts. R10 is the part that comes next.
func (p *product) emitAll() (entry int) {
	p.Align(64)
	entry = p.Len()
	for i, to := range []asm.Reg{asm.RSI, asm.R8, asm.RDX, asm.R11, asm.R14} {
		p.Emit(asm.MOV, to, asm.Ptr(asm.RDI, 8*i))
	}
	count, bytes := parts(p.depth), p.part()*p.b.Size()
	group := p.Here()
	p.Emit(asm.MOV, asm.RBX.Dword(), asm.Imm(count))
	part := p.Here()
	p.Emit(asm.LEA, asm.R10, asm.Ptr(asm.R8, bytes))
	p.Emit(asm.LEA, asm.RAX, asm.Ptr(asm.R8, p.cols*p.bColumn-(count-1)*bytes))
	p.Emit(asm.CMP, asm.RBX.Dword(), asm.Imm(1))
	p.Emit(asm.CMOVE, asm.R10, asm.RAX)
	if p.widens() {
		p.widen()
	}
	p.allTiles()
	p.Emit(asm.ADD, asm.R8, asm.Imm(bytes))
	p.Emit(asm.ADD, asm.RSI, asm.Imm(4*p.part()))
	p.Emit(asm.DEC, asm.RBX)
	p.Emit(asm.JNE, part)
	p.Emit(asm.SUB, asm.RSI, asm.Imm(4*p.depth))
	p.Emit(asm.ADD, asm.R8, asm.Imm(p.cols*p.bColumn-count*bytes))
	p.Emit(asm.ADD, asm.RDX, asm.Imm(4*p.cols))
	p.Emit(asm.DEC, asm.R11)
	p.Emit(asm.JNE, group)
	p.Emit(asm.VZEROUPPER)
	p.Emit(asm.RET)
	return entry
}

// widen emits the copy of a part of the columns as f32 to R14.
func (p *product) widen() {
	r := asm.Vec(32, 0)
	p.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	p.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(p.part()/lanes))
	loop := p.Here()
	for col := range p.cols {
		loads[p.b](p.Assembler, r, asm.At(asm.R8, asm.RAX, p.b.Size(), col*p.bColumn))
		p.Emit(asm.VMOVUPS, asm.At(asm.R14, asm.RAX, 4, col*wideColumn(p.part())), r)
	}
	p.Emit(asm.ADD, asm.RAX, asm.Imm(lanes))
	p.Emit(asm.DEC, asm.RCX)
	p.Emit(asm.JNE, loop)
}

// allTiles emits the tiles of a part. R9 is the first row of a tile, R12 its sums, R13 counts tiles. The first tiles fetch columns of the part
// that comes next, each as many as all of them take together.
func (p *product) allTiles() {
	p.Emit(asm.MOV, asm.R9, asm.RSI)
	p.Emit(asm.MOV, asm.R12, asm.RDX)
	full, rest := p.rows/tileRows, p.rows%tileRows
	fetched := (p.cols + tiles(p.rows) - 1) / tiles(p.rows) // by a tile
	fetching := min(full, p.cols/fetched)
	p.loop(fetching, fetched)
	p.loop(full-fetching, 0)
	if rest > 0 {
		p.tile(rest, min(fetched, p.cols-fetching*fetched))
	}
}

// loop emits so many full tiles, each of which fetches columns.
func (p *product) loop(count, fetched int) {
	if count == 0 {
		return
	}
	p.Emit(asm.MOV, asm.R13.Dword(), asm.Imm(count))
	loop := p.Here()
	p.tile(tileRows, fetched)
	p.Emit(asm.ADD, asm.R9, asm.Imm(tileRows*p.aRow))
	p.Emit(asm.ADD, asm.R12, asm.Imm(tileRows*p.sumRow))
	if fetched > 0 {
		p.Emit(asm.ADD, asm.R10, asm.Imm(fetched*p.bColumn))
	}
	p.Emit(asm.DEC, asm.R13)
	p.Emit(asm.JNE, loop)
}

// tile emits the sums of some rows, eight elements of the depth at a time. RAX is the element, RCX counts.
func (p *product) tile(rows, fetched int) {
	at := func(col, element int) asm.Mem {
		return asm.At(asm.R8, asm.RAX, p.b.Size(), col*p.bColumn+element*p.b.Size())
	}
	load := loads[p.b]
	if p.widens() {
		load = loads[dtype.F32]
		at = func(col, element int) asm.Mem { return asm.At(asm.R14, asm.RAX, 4, col*wideColumn(p.part())+4*element) }
	}
	sum := func(row, col int) asm.Reg { return asm.Vec(32, row*p.cols+col) }
	a := func(row int) asm.Reg { return asm.Vec(32, tileRows*tileCols+row) }
	b := asm.Vec(32, 15)
	for i := range rows * p.cols {
		p.Emit(asm.VXORPS, asm.Vec(32, i), asm.Vec(32, i), asm.Vec(32, i))
	}
	vectors, once := p.part()/lanes, 1 // in a turn of the loop: those of a line, if that divides them
	if n := line / p.b.Size() / lanes; vectors%n == 0 {
		once = n
	} else {
		fetched = 0
	}
	p.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	p.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(vectors/once))
	loop := p.Here()
	for col := range fetched { // runs of columns are too short for the processor to fetch the next ones ahead
		p.Emit(asm.PREFETCHT1, asm.At(asm.R10, asm.RAX, p.b.Size(), col*p.bColumn))
	}
	for v := range once {
		for row := range rows {
			p.Emit(asm.VMOVUPS, a(row), asm.At(asm.R9, asm.RAX, 4, row*p.aRow+4*v*lanes))
		}
		for col := range p.cols {
			load(p.Assembler, b, at(col, v*lanes))
			for row := range rows {
				p.Emit(asm.VFMADD231PS, sum(row, col), a(row), b)
			}
		}
	}
	p.Emit(asm.ADD, asm.RAX, asm.Imm(once*lanes))
	p.Emit(asm.DEC, asm.RCX)
	p.Emit(asm.JNE, loop)
	for row := range rows {
		p.addUp(row, sum)
	}
}

// addUp adds the lanes of the sums of a row to those that are in memory.
func (p *product) addUp(row int, sum func(row, col int) asm.Reg) {
	to := asm.Ptr(asm.R12, row*p.sumRow)
	if p.cols == tileCols {
		r := [4]asm.Reg{sum(row, 0), sum(row, 1), sum(row, 2), sum(row, 3)}
		p.Emit(asm.VHADDPS, r[0], r[0], r[1])
		p.Emit(asm.VHADDPS, r[2], r[2], r[3])
		p.Emit(asm.VHADDPS, r[0], r[0], r[2])
		p.Emit(asm.VEXTRACTI128, r[1].As(16), r[0], asm.Imm(1))
		p.Emit(asm.VADDPS, r[0].As(16), r[0].As(16), r[1].As(16))
		p.Emit(asm.VADDPS, r[0].As(16), r[0].As(16), to)
		p.Emit(asm.VMOVUPS, to, r[0].As(16))
		return
	}
	x := asm.Vec(16, 15)
	for col := range p.cols {
		s := sum(row, col)
		p.Emit(asm.VEXTRACTI128, x, s, asm.Imm(1))
		p.Emit(asm.VADDPS, x, x, s.As(16))
		p.Emit(asm.VHADDPS, x, x, x)
		p.Emit(asm.VHADDPS, x, x, x)
		p.Emit(asm.VADDSS, x, x, to.Plus(4*col))
		p.Emit(asm.VMOVSS, to.Plus(4*col), x)
	}
}
