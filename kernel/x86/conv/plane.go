package conv

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// planeEmitter emits the code of a few planes: strips of a vector's number of columns, cut into tiles
// of a few rows. Every row of the input is loaded once for each filter column and multiplied for all
// output rows of the tile that need it, in all channels.
type planeEmitter struct {
	*plan
	a        *asm.Assembler
	epi      *epilogue.Epilogue
	lanes    int
	channels int  // of this code
	rows     int  // of a tile
	inRegs   bool // the filter is held in registers
	weights  int  // number of the first register of the filter
}

// The offsets in planeArgs.
const (
	planeX      = 0
	planeW      = 8
	planeStrips = 16
	planeNext   = 24
	planePorts  = 40
)

// loads is how many registers hold loaded columns of the input, and a pattern for picking every
// second one.
const loads = 4

// choose picks the height of a tile.
func (e *planeEmitter) choose() error {
	registers := e.features.Level.VectorRegisters()
	e.inRegs = e.vecs == 1 && e.depth == 1 && e.R*e.S+loads+3 <= registers
	free := registers - loads - 1
	if e.inRegs {
		free = registers - loads - e.R*e.S
	}
	if free /= e.vecs; free == 0 {
		return fmt.Errorf("%w: too many channels", kernel.ErrUnsupported)
	}
	e.rows = split(e.P, min(free, 8))
	e.weights = e.rows*e.vecs + loads
	const longest = 60000 // products in a strip
	if e.tilesOfStrip()*e.rows*e.vecs*e.R*e.S > longest {
		return fmt.Errorf("%w: too long a strip", kernel.ErrUnsupported)
	}
	return nil
}

// tilesOfStrip returns how many tiles are emitted for a strip.
func (e *planeEmitter) tilesOfStrip() int {
	n := 0
	for p := 0; p < e.P; p += e.rows {
		if p < e.rows || !e.inside(p) || !e.inside(p-e.rows) {
			n++
		}
	}
	return n
}

// acc returns the sum of row i in channel k, other the registers beyond them.
func (e *planeEmitter) acc(i, k int) asm.Reg { return e.vector(k*e.rows + i) }
func (e *planeEmitter) other(i int) asm.Reg  { return e.vector(e.rows*e.vecs + i) }

// temps returns the registers that the epilogue may use: those of loaded columns, and of a filter
// that is not held.
func (e *planeEmitter) temps() int {
	registers := e.features.Level.VectorRegisters() - e.rows*e.vecs
	if e.inRegs {
		registers -= e.R * e.S
	}
	return registers
}

func (e *planeEmitter) vector(i int) asm.Reg { return asm.Vec(e.lanes*f32, i) }

// emit emits the whole planes.
func (e *planeEmitter) emit() (entry int) {
	a := e.a
	a.Align(64)
	entry = a.Len()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, planeX))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, planeW))
	e.aimFetch()
	if e.inRegs {
		for r := range e.R {
			for s := range e.S {
				a.Emit(asm.VBROADCASTSS, e.vector(e.weights+r*e.S+s), e.filter(r, s, 0))
			}
		}
	}
	for q := 0; q < e.Q; {
		count := 1
		for e.plain(q) && e.plain(q+count*e.lanes) {
			count++
		}
		a.Notef("%d columns from %d", count*e.lanes, q)
		e.strips(q, count)
		q += count * e.lanes
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

func (e *planeEmitter) filter(r, s, k int) asm.Mem {
	st := e.Filter.Strides
	return asm.Ptr(asm.RDX, (k*st[0]+r*st[2]+s*st[3])*f32)
}

// plain reports whether the strip from column q on needs no masks.
func (e *planeEmitter) plain(q int) bool {
	for s := range e.S {
		for first := 0; first < e.Stride[1]*e.lanes; first += e.lanes {
			if _, mask := e.column(q, s, first); mask != e.full() {
				return false
			}
		}
	}
	return q+e.lanes <= e.Q
}

// strips emits count equal strips, the first from column q on.
func (e *planeEmitter) strips(q, count int) {
	a := e.a
	counter := asm.Ptr(asm.RDI, planeStrips)
	loop := asm.Label(-1)
	if count > 1 {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(count))
		a.Emit(asm.MOV, counter, asm.RAX)
		loop = a.Here()
	}
	e.strip(q)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(e.lanes*e.Stride[1]*f32))
	for i := range e.epi.Ports {
		at := asm.Ptr(asm.RDI, planePorts+8*i)
		a.Emit(asm.MOV, asm.RAX, at)
		a.Emit(asm.ADD, asm.RAX, asm.Imm(e.lanes*e.portLane(i)))
		a.Emit(asm.MOV, at, asm.RAX)
	}
	if count > 1 {
		a.Emit(asm.MOV, asm.RAX, counter)
		a.Emit(asm.DEC, asm.RAX)
		a.Emit(asm.MOV, counter, asm.RAX)
		a.Emit(asm.JNE, loop)
	}
}

// strip emits the tiles of one strip: those in the middle, which see no border, as a loop.
func (e *planeEmitter) strip(q int) {
	a := e.a
	for i := range e.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, planePorts+8*i))
	}
	e.masks(q)
	// RAX walks along the input: the row that filter row 0 meets at the tile's first row.
	a.Emit(asm.LEA, asm.RAX, asm.Ptr(asm.RSI, -e.Pad[0]*e.X.Strides[2]*f32))
	for p := 0; p < e.P; {
		count := 1
		if e.inside(p) {
			for p+(count+1)*e.rows <= e.P && e.inside(p+count*e.rows) {
				count++
			}
		}
		if count == 1 {
			e.tile(p, q)
		} else {
			a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(count))
			loop := a.Here()
			e.tile(p, q)
			a.Emit(asm.DEC, asm.RCX)
			a.Emit(asm.JNE, loop)
		}
		p += count * e.rows
	}
}

func (e *planeEmitter) portLane(i int) int {
	return e.epi.Ports[i].Lane * e.epi.Ports[i].DType.Size()
}

// inside reports whether a full tile from row p on reads no row outside the image.
func (e *planeEmitter) inside(p int) bool {
	top := p*e.Stride[0] - e.Pad[0]
	return p+e.rows <= e.P && top >= 0 &&
		top+(e.rows-1)*e.Stride[0]+(e.R-1)*e.Dilation[0] < e.H
}

// column returns where a vector's elements at column q lie for filter column s, beginning with
// element first of the run that a load reads: the bytes from the strip's first column, and which of
// them are inside the image.
func (e *planeEmitter) column(q, s, first int) (offset int, mask uint64) {
	x := q*e.Stride[1] + s*e.Dilation[1] - e.Pad[1] + first
	for i := range e.lanes {
		if x+i >= 0 && x+i < e.W {
			mask |= 1 << i
		}
	}
	return (x - q*e.Stride[1]) * f32, mask
}

func (e *planeEmitter) full() uint64 { return 1<<e.lanes - 1 }

// masks sets K1 to the columns of the result that exist, and R8 to the pattern of a load that is
// not full; those of other loads are set where they are needed.
func (e *planeEmitter) masks(q int) {
	if tail := e.Q - q; tail < e.lanes && e.features.Level >= cpu.AVX512 {
		e.a.Emit(asm.MOV, asm.R8.Dword(), asm.Imm(1<<tail-1))
		e.a.Emit(asm.KMOVD, asm.K(1), asm.R8.Dword())
	}
	if e.features.Level < cpu.AVX512 {
		return
	}
	for s := range min(e.S*e.Stride[1], 5) {
		if _, mask := e.column(q, s/e.Stride[1], s%e.Stride[1]*e.lanes); mask != e.full() {
			e.setMask(asm.K(2+s), mask)
		}
	}
}

func (e *planeEmitter) setMask(k asm.Reg, mask uint64) {
	e.a.Emit(asm.MOV, asm.R8.Dword(), asm.Imm(int64(mask)))
	e.a.Emit(asm.KMOVD, k, asm.R8.Dword())
}

// tile emits the rows from p on, moves the input and the ports to the next tile.
func (e *planeEmitter) tile(p, q int) {
	a := e.a
	rows := min(e.rows, e.P-p)
	for i := range e.rows * e.channels {
		a.Emit(asm.VXORPS, e.vector(i), e.vector(i), e.vector(i))
	}
	loop := asm.Label(-1)
	if e.depth > 1 { // over input channels
		a.Emit(asm.MOV, asm.R12, asm.RAX)
		a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, planeW))
		a.Emit(asm.MOV, asm.R10.Dword(), asm.Imm(e.depth))
		loop = a.Here()
	}
	e.fetchNext()
	span := (rows-1)*e.Stride[0] + (e.R-1)*e.Dilation[0] + 1
	for y := range span {
		at := p*e.Stride[0] - e.Pad[0] + y
		if at < 0 || at >= e.H {
			continue
		}
		for s := range e.S {
			e.products(rows, y, q, s)
		}
	}
	if e.depth > 1 {
		a.Emit(asm.ADD, asm.RAX, asm.Imm(e.X.Strides[1]*f32))
		a.Emit(asm.ADD, asm.RDX, asm.Imm(e.Filter.Strides[1]*f32))
		a.Emit(asm.DEC, asm.R10)
		a.Emit(asm.JNE, loop)
		a.Emit(asm.MOV, asm.RAX, asm.R12)
	}
	for k := range e.channels {
		e.finish(rows, q, k)
	}
	e.movePorts(1, 1-e.channels)
	e.movePorts(2, rows)
	a.Emit(asm.ADD, asm.RAX, asm.Imm(rows*e.Stride[0]*e.X.Strides[2]*f32))
}

// products emits the products of input row y of the tile at filter column s.
func (e *planeEmitter) products(rows, y, q, s int) {
	loaded := false
	x := e.other(s % 2)
	for r := range e.R {
		from := y - r*e.Dilation[0]
		if from < 0 || from%e.Stride[0] != 0 || from/e.Stride[0] >= rows {
			continue
		}
		if !loaded {
			if loaded = e.load(x, y, q, s); !loaded {
				return
			}
		}
		for k := range e.channels {
			acc := e.acc(from/e.Stride[0], k)
			switch {
			case e.inRegs:
				e.a.Emit(asm.VFMADD231PS, acc, x, e.vector(e.weights+r*e.S+s))
			case e.features.Level >= cpu.AVX512:
				e.a.Emit(asm.VFMADD231PS, acc, x, e.filter(r, s, k).Bcast())
			default:
				w := e.other(loads)
				e.a.Emit(asm.VBROADCASTSS, w, e.filter(r, s, k))
				e.a.Emit(asm.VFMADD231PS, acc, x, w)
			}
		}
	}
}

// load emits the load of the columns that filter column s meets; false if all lie outside.
func (e *planeEmitter) load(x asm.Reg, y, q, s int) bool {
	row := y * e.X.Strides[2] * f32
	if e.Stride[1] == 1 {
		return e.loadRun(x, row, q, s, 0)
	}
	// Every second column: the even elements of two runs.
	high := e.other(2)
	low := e.loadRun(x, row, q, s, 0)
	if !e.loadRun(high, row, q, s, e.lanes) {
		if !low {
			return false
		}
		e.a.Emit(asm.VXORPS, high, high, high)
	}
	if !low {
		e.a.Emit(asm.VXORPS, x, x, x)
	}
	even := make([]uint32, e.lanes)
	for i := range even {
		even[i] = uint32(2 * i)
	}
	index := e.a.ConstU32(even...)
	// VPERMI2PS overwrites its index, VPERMT2PS its first table.
	e.a.Emit(asm.VMOVUPS, e.scratch(), index)
	e.a.Emit(asm.VPERMT2PS, x, e.scratch(), high)
	return true
}

// scratch is the register for the pattern of a permutation.
func (e *planeEmitter) scratch() asm.Reg { return e.other(3) }

// loadRun loads a vector's number of neighbouring columns, zeros where they lie outside.
func (e *planeEmitter) loadRun(x asm.Reg, row, q, s, first int) bool {
	a := e.a
	offset, mask := e.column(q, s, first)
	m := asm.Ptr(asm.RAX, row+offset)
	switch {
	case mask == 0:
		return false
	case mask == e.full():
		a.Emit(asm.VMOVUPS, x, m)
	case e.features.Level >= cpu.AVX512:
		n := s*e.Stride[1] + first/e.lanes
		k := asm.K(min(2+n, 7))
		if n >= 5 {
			e.setMask(k, mask)
		}
		a.Emit(asm.VMOVUPS, x.ZeroMask(k), m)
	default:
		pattern := make([]uint32, e.lanes)
		for i := range pattern {
			pattern[i] = -uint32(mask >> i & 1)
		}
		a.Emit(asm.VMOVUPS, x, a.ConstU32(pattern...))
		a.Emit(asm.VMASKMOVPS, x, x, m)
	}
	return true
}

// finish emits the epilogue of a tile in channel k, and moves the ports to the next channel.
func (e *planeEmitter) finish(rows, q, k int) {
	t := &epilogue.Tile{
		Rows: rows, Vecs: 1, Tail: min(e.Q-q, e.lanes) % e.lanes, Mask: asm.K(1),
		Acc:      func(i, _ int) asm.Reg { return e.acc(i, k) },
		Pointers: portRegs[:len(e.epi.Ports)],
	}
	for i := e.rows * e.vecs; i < e.features.Level.VectorRegisters(); i++ {
		if e.inRegs && i >= e.weights && i < e.weights+e.R*e.S {
			continue
		}
		t.Temps = append(t.Temps, e.vector(i))
	}
	e.epi.Emit(e.a, t)
	if k < e.channels-1 {
		e.movePorts(1, 1)
	}
}

// movePorts moves the port registers along a loop of the kernel.
func (e *planeEmitter) movePorts(loop, count int) {
	for i, p := range e.portStrides() {
		if p[loop]*count != 0 {
			e.a.Emit(asm.ADD, portRegs[i], asm.Imm(count*p[loop]))
		}
	}
}
