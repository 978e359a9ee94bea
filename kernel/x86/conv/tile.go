package conv

import (
	"maps"
	"slices"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// tileArgs is the argument block of a tile's code. Addresses are plain numbers, because they may
// lie outside the operands: at the border of the image they do.
type tileArgs struct {
	x, w  uintptr // input at the tile's first pixel and filter row, packed filters
	rows  int     // filter rows inside the image
	skip  int     // bytes of packed filters from one channel's last row to the next's first
	tiles int
	spill uintptr // memory for accumulators while others are transposed
	fetch uintptr // where the next prefetch of packed filters goes
	ports [epilogue.MaxPorts]uintptr
}

// The offsets of the fields.
const (
	argX     = 0
	argW     = 8
	argRows  = 16
	argSkip  = 24
	argTiles = 32
	argSpill = 40
	argFetch = 48
	argPorts = 56
)

// unrolledChannels is how many channels a round of a 1×1 filter's loop does.
const unrolledChannels = 4

// A variant is the code of one kind of tile.
type variant struct {
	rows, cols int    // pixels
	channels   int    // that exist in the panel
	outside    string // "1" for each (column, filter column) that lies outside the image
}

var portRegs = [epilogue.MaxPorts]asm.Reg{
	asm.RBX, asm.RBP, asm.R9, asm.R13, asm.R14, asm.R15, asm.R11,
}

// tile emits a variant.
type tile struct {
	*plan
	variant
	a    *asm.Assembler
	epi  *epilogue.Epilogue
	vecs int // of the panel, with channels
}

func (t *tile) vector(i int) asm.Reg { return asm.Vec(t.lanes*f32, i) }
func (t *tile) acc(i, j int) asm.Reg { return t.vector(i*t.vecs + j) }

// offset returns the bytes from the tile's origin to what pixel i reads at filter column s.
func (t *tile) offset(i, s int) int {
	row, col := i/t.cols, i%t.cols
	return (row*t.Stride[0]*t.strides[2]+col*t.Stride[1]*t.strides[3])*t.elem + t.tapOffset(s)
}

// emit emits the loop over tiles side by side, entered with the argument block in RDI.
func (t *tile) emit() {
	a := t.a
	loop := a.Here()
	for i := range t.rows * t.cols * t.vecs {
		r := t.vector(i)
		a.Emit(asm.VXORPS, r, r, r)
	}
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argX))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argW))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, argRows))
	a.Emit(asm.TEST, asm.RCX, asm.RCX)
	finish := a.Label()
	a.Emit(asm.JE, finish)
	if t.R == 1 && t.taps == 1 {
		t.pointwise()
	} else {
		t.window()
	}
	a.Bind(finish)
	for i := range t.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, argPorts+8*i))
	}
	if t.transposed {
		t.finishPixels()
	} else {
		t.finishChannels()
	}
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argX))
	a.Emit(asm.ADD, asm.RAX, asm.Imm(t.cols*t.Stride[1]*t.strides[3]*t.elem))
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, argX), asm.RAX)
	for i, p := range t.portStrides() {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argPorts+8*i))
		a.Emit(asm.ADD, asm.RAX, asm.Imm(t.cols*p[3]))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argPorts+8*i), asm.RAX)
	}
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argTiles))
	a.Emit(asm.DEC, asm.RAX)
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, argTiles), asm.RAX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// portStrides returns the strides of the epilogue's ports over n, k, p, q in bytes.
func (p *plan) portStrides() [][4]int {
	out := make([][4]int, len(p.Epilogue.Access))
	for i, a := range p.Epilogue.Access {
		for l := range 4 {
			out[i][l] = a.Outer[l] * a.DType.Size()
		}
	}
	return out
}

// window emits the loops over channels and filter rows; filter columns are unrolled.
func (t *tile) window() {
	a := t.a
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, argSkip))
	a.Emit(asm.MOV, asm.R10.Dword(), asm.Imm(t.depth))
	ahead := t.linesAhead()
	if ahead > 0 {
		a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argFetch))
	}
	a.Align(64)
	channel := a.Here()
	fetchLines(a, asm.R11, ahead)
	a.Emit(asm.MOV, asm.R12, asm.RSI)
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, argRows))
	row := a.Here()
	t.filterRow()
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.ADD, asm.RDX, asm.R8)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.channel*t.elem))
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, channel)
	if ahead > 0 {
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argFetch), asm.R11)
	}
}

// fetchLines emits the prefetch of n lines into the second-level cache, from where next points on,
// and moves it behind them.
func fetchLines(a *asm.Assembler, next asm.Reg, n int) {
	for i := range n {
		a.Emit(asm.PREFETCHT1, asm.Ptr(next, i*64))
	}
	if n > 0 {
		a.Emit(asm.ADD, next, asm.Imm(n*64))
	}
}

// mostAhead bounds the prefetches in a round over one channel.
const mostAhead = 12

// linesAhead returns how many lines of the next panel each round over a channel fetches into the
// second-level cache, so that they are there when the panel's turn comes: the filters of late
// layers come from memory, and the first tile of a panel would wait for them.
func (p *plan) linesAhead() int {
	tiles := p.rowBlock * pieces(p.Q, p.tileQ)
	n := pieces(pieces(p.R*p.taps*p.width()*f32, 64), tiles)
	if p.Groups*p.panels*p.panel < p.features.L2/2 || n > mostAhead {
		return 0
	}
	return n
}

// unrolledColumns is how many filter columns are unrolled.
const unrolledColumns = 16

// filterRow emits the products of one filter row and moves to the next. A row that is too long to
// unroll is a loop; its image has a border, so no column lies outside.
func (t *tile) filterRow() {
	a := t.a
	columns := func(n int) {
		held := t.heldColumns()
		for s := 0; s < n; s += held {
			t.columns(s, min(held, n-s))
		}
		a.Emit(asm.ADD, asm.RDX, asm.Imm(n*t.width()*f32))
	}
	step, back, rest := t.tap*t.elem, 0, t.taps
	if t.taps > unrolledColumns {
		rounds := t.taps / unrolledColumns
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(rounds))
		loop := a.Here()
		columns(unrolledColumns)
		a.Emit(asm.ADD, asm.R12, asm.Imm(unrolledColumns*step))
		a.Emit(asm.DEC, asm.RAX)
		a.Emit(asm.JNE, loop)
		back, rest = rounds*unrolledColumns*step, t.taps%unrolledColumns
	}
	if rest > 0 {
		columns(rest)
	}
	a.Emit(asm.ADD, asm.R12, asm.Imm(t.Dilation[0]*t.strides[2]*t.elem-back))
}

// heldColumns is how many filter columns have registers beside the accumulators.
func (t *tile) heldColumns() int {
	return max(1, (t.features.Level.VectorRegisters()-t.rows*t.cols*t.vecs-spares)/t.vecs)
}

// columns emits the products of count filter columns, whose filters are held in registers: what one pixel of the
// result reads at a column its neighbour reads at another, so each element of the image is loaded once. Every sum adds
// its products in the order of the columns.
func (t *tile) columns(first, count int) {
	a := t.a
	pixels := t.rows * t.cols
	filter := func(s, j int) asm.Reg { return t.vector((pixels+s-first)*t.vecs + j) }
	type product struct{ pixel, column int }
	products := map[int][]product{} // by what they read
	for s := first; s < first+count; s++ {
		for j := range t.vecs {
			a.Emit(asm.VMOVUPS, filter(s, j), asm.Ptr(asm.RDX, (s*t.width()+j*t.lanes)*f32))
		}
		for i := range pixels {
			if t.outside[i%t.cols*t.taps+s] == '0' {
				products[t.offset(i, s)] = append(products[t.offset(i, s)], product{i, s})
			}
		}
	}
	for n, offset := range slices.Sorted(maps.Keys(products)) {
		b := t.vector((pixels+count)*t.vecs + n%spares)
		a.Emit(asm.VBROADCASTSS, b, asm.Ptr(asm.R12, offset))
		for _, p := range products[offset] {
			t.multiply(p.pixel, b, func(j int) asm.Reg { return filter(p.column, j) })
		}
	}
}

// multiply adds the products of an element of the image with filters to the sums of a pixel.
func (t *tile) multiply(pixel int, x asm.Reg, filter func(j int) asm.Reg) {
	bytes := asm.VPDPBUSD
	if t.features.Level < cpu.AVX512 {
		bytes = asm.VEXVPDPBUSD
	}
	for j := range t.vecs {
		if t.cells != nil {
			t.a.Emit(bytes, t.acc(pixel, j), x, filter(j))
		} else {
			t.a.Emit(asm.VFMADD231PS, t.acc(pixel, j), filter(j), x)
		}
	}
}

// pointwise emits the loop over channels of a 1×1 filter.
func (t *tile) pointwise() {
	a := t.a
	round := func(channels int) {
		for c := range channels {
			t.step(asm.RSI, c*t.width()*f32, func(i int) (int, bool) {
				return t.offset(i, 0) + c*t.channel*t.elem, t.outside[i%t.cols] == '0'
			})
		}
		a.Emit(asm.ADD, asm.RSI, asm.Imm(channels*t.channel*t.elem))
		a.Emit(asm.ADD, asm.RDX, asm.Imm(channels*t.width()*f32))
	}
	if rounds := t.depth / unrolledChannels; rounds > 0 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(rounds))
		a.Align(64)
		loop := a.Here()
		round(unrolledChannels)
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
	if rest := t.depth % unrolledChannels; rest > 0 {
		round(rest)
	}
}

// step emits the products of one element of every filter with one element for every pixel.
func (t *tile) step(x asm.Reg, w int, at func(pixel int) (offset int, inside bool)) {
	a := t.a
	pixels := t.rows * t.cols
	first := pixels * t.vecs
	size := t.lanes * f32
	for j := range t.vecs {
		a.Emit(asm.VMOVUPS, t.vector(first+j), asm.Ptr(asm.RDX, w+j*size))
	}
	for i := range pixels {
		offset, inside := at(i)
		if !inside {
			continue
		}
		b := t.vector(first + t.vecs + i%spares)
		a.Emit(asm.VBROADCASTSS, b, asm.Ptr(x, offset))
		t.multiply(i, b, func(j int) asm.Reg { return t.vector(first + j) })
	}
}

// finishChannels emits the epilogue with channels in the lanes, row by row of pixels.
func (t *tile) finishChannels() {
	tail := t.channels % t.lanes
	t.tailMask(tail)
	pixels := t.rows * t.cols
	for row := range t.rows {
		e := &epilogue.Tile{
			Rows: t.cols, Vecs: t.vecs, Tail: tail,
			Acc:      func(i, j int) asm.Reg { return t.acc(row*t.cols+i, j) },
			Pointers: portRegs[:len(t.epi.Ports)],
		}
		for i := pixels * t.vecs; i < t.features.Level.VectorRegisters(); i++ {
			e.Temps = append(e.Temps, t.vector(i))
		}
		t.epi.Emit(t.a, e)
		if row < t.rows-1 {
			t.movePorts(2, 1)
		}
	}
}

// movePorts moves the port registers along a loop of the kernel.
func (t *tile) movePorts(loop, count int) {
	for i, p := range t.portStrides() {
		if p[loop] != 0 {
			t.a.Emit(asm.ADD, portRegs[i], asm.Imm(count*p[loop]))
		}
	}
}

// tailMask sets the mask of the first tail elements of a vector; it overwrites RAX.
func (t *tile) tailMask(tail int) {
	if tail == 0 || t.features.Level < cpu.AVX512 {
		return
	}
	t.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<tail-1))
	t.a.Emit(asm.KMOVD, emit.Tail, asm.RAX.Dword())
}

// finishPixels emits the epilogue with pixels in the lanes: accumulators go to memory, and come
// back as squares of pixels by channels that are transposed.
func (t *tile) finishPixels() {
	a := t.a
	size := t.lanes * f32
	t.tailMask(t.cols % t.lanes)
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argSpill))
	pixels := t.rows * t.cols
	for j := range t.vecs {
		for i := range pixels {
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, (j*pixels+i)*size), t.acc(i, j))
		}
	}
	for row := range t.rows {
		for j := range t.vecs {
			t.square(row, j, pixels)
			t.movePorts(1, t.lanes)
		}
		if row < t.rows-1 {
			t.movePorts(2, 1)
			t.movePorts(1, -t.vecs*t.lanes)
		}
	}
}

// square transposes the pixels of one row by the channels of one vector, and emits their epilogue.
func (t *tile) square(row, j, pixels int) {
	a := t.a
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argSpill))
	size := t.lanes * f32
	registers := t.features.Level.VectorRegisters()
	var regs, spare []asm.Reg
	for i := range registers {
		switch {
		case i < t.cols:
			at := asm.Ptr(asm.RAX, (j*pixels+row*t.cols+i)*size)
			a.Emit(asm.VMOVUPS, t.vector(i), at)
			regs = append(regs, t.vector(i))
		case i < t.lanes:
			regs = append(regs, t.vector(i))
		default:
			spare = append(spare, t.vector(i))
		}
	}
	out := transpose.Emit(a, regs, spare)
	used := map[asm.Reg]bool{}
	for _, r := range out {
		used[r] = true
	}
	e := &epilogue.Tile{
		Rows: min(t.lanes, t.channels-j*t.lanes), Vecs: 1, Tail: t.cols % t.lanes,
		Acc:      func(i, _ int) asm.Reg { return out[i] },
		Pointers: portRegs[:len(t.epi.Ports)],
	}
	for i := range registers {
		if !used[t.vector(i)] {
			e.Temps = append(e.Temps, t.vector(i))
		}
	}
	t.epi.Emit(a, e)
}
