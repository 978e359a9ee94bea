package conv

import (
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// rowEmitter emits the code of pairs of rows.
type rowEmitter struct {
	*rowPairs
	a       *asm.Assembler
	epi     *epilogue.Epilogue
	filters int // of the tile that is emitted
	vecs    int
	tail    int // columns in its last vector, 0 for all
}

func (e *rowEmitter) acc(i, j int) asm.Reg { return asm.Z(i*e.vecs + j) }

// free returns a register beyond the accumulators.
func (e *rowEmitter) free(i int) asm.Reg { return asm.Z(e.filters*e.vecs + i) }

func (e *rowEmitter) emit() {
	vectors := (e.Q + 15) / 16
	for last := range 2 {
		for end := range 2 {
			e.filters, e.vecs, e.tail = e.rowPairs.filters, e.rowPairs.vecs, 0
			if last == 1 {
				e.filters = e.K - (e.blocks-1)*e.filters
			}
			if end == 1 {
				e.vecs, e.tail = vectors-(e.strips-1)*e.vecs, e.Q%16
			}
			e.tiles[last][end] = e.entry("%d filters, %d vectors of pixels", e.filters, e.vecs)
			e.tile()
		}
	}
	e.rowPairs.split = e.entry("columns split by the stride")
	e.splitColumns()
	e.rowPairs.combine = e.entry("transformed rows")
	e.combineRows()
}

func (e *rowEmitter) entry(format string, args ...any) int {
	e.a.Align(64)
	e.a.Notef(format, args...)
	return e.a.Len()
}

func (e *rowEmitter) leave() {
	e.a.Emit(asm.VZEROUPPER)
	e.a.Emit(asm.RET)
}

// tile emits the sums of a tile: those at 1 and -1 give the beginnings of both rows, of which the
// second waits in memory until the first is done.
func (e *rowEmitter) tile() {
	a := e.a
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, rowX))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, rowW))
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, rowSpill))
	for i := range e.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, rowPorts+8*i))
	}
	if e.tail > 0 {
		a.Emit(asm.MOV, asm.R8.Dword(), asm.Imm(1<<e.tail-1))
		a.Emit(asm.KMOVD, asm.K(1), asm.R8.Dword())
	}
	spill := func(n int) asm.Mem { return asm.Ptr(asm.RAX, n*16*f32) }
	count := e.filters * e.vecs
	e.zero()
	e.point(pointOne)
	for n := range count {
		a.Emit(asm.VMOVUPS, spill(n), asm.Z(n))
	}
	e.zero()
	e.point(pointMinusOne)
	for n := range count {
		a.Emit(asm.VMOVUPS, e.free(0), spill(n))
		a.Emit(asm.VSUBPS, e.free(1), e.free(0), asm.Z(n))
		a.Emit(asm.VADDPS, asm.Z(n), e.free(0), asm.Z(n))
		a.Emit(asm.VMOVUPS, spill(n), e.free(1))
	}
	e.point(pointZero)
	e.finish()
	done := a.Label()
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, rowBoth))
	a.Emit(asm.TEST, asm.RCX, asm.RCX)
	a.Emit(asm.JE, done)
	for n := range count {
		a.Emit(asm.VMOVUPS, asm.Z(n), spill(n))
	}
	e.point(pointInfinity)
	for i, p := range e.ports {
		if p[2] != 0 {
			a.Emit(asm.ADD, portRegs[i], asm.Imm(p[2]))
		}
	}
	e.finish()
	a.Bind(done)
	e.leave()
}

func (e *rowEmitter) zero() {
	for n := range e.filters * e.vecs {
		e.a.Emit(asm.VXORPS, asm.Z(n), asm.Z(n), asm.Z(n))
	}
}

// point emits the products of all channels at one point; RDX and RSI move on to the next.
func (e *rowEmitter) point(p int) {
	a := e.a
	a.Emit(asm.MOV, asm.R12, asm.RSI)
	a.Emit(asm.MOV, asm.R10.Dword(), asm.Imm(e.C))
	channel := a.Here()
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(e.entries[p]))
	a.Align(64)
	row := a.Here()
	for s := range e.S {
		e.column(s)
	}
	a.Emit(asm.ADD, asm.R12, asm.Imm(e.rowBytes()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(e.S*e.rowPairs.filters*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.ADD, asm.R12, asm.Imm((e.rows()-e.entries[p])*e.rowBytes()))
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, channel)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(e.entries[p]*e.rowBytes()))
}

// column emits the products of one filter column: all filters but the last are held in registers.
func (e *rowEmitter) column(s int) {
	a := e.a
	filter := func(i int) asm.Mem { return asm.Ptr(asm.RDX, (s*e.rowPairs.filters+i)*f32) }
	for i := range e.filters - 1 {
		a.Emit(asm.VBROADCASTSS, e.free(i), filter(i))
	}
	x := e.free(e.filters - 1)
	at := s%e.Stride[1]*e.padded + s/e.Stride[1]
	for j := range e.vecs {
		a.Emit(asm.VMOVUPS, x, asm.Ptr(asm.R12, (at+j*16)*f32))
		for i := range e.filters - 1 {
			a.Emit(asm.VFMADD231PS, e.acc(i, j), x, e.free(i))
		}
		a.Emit(asm.VFMADD231PS, e.acc(e.filters-1, j), x, filter(e.filters-1).Bcast())
	}
}

// finish emits the epilogue of one row.
func (e *rowEmitter) finish() {
	t := &epilogue.Tile{
		Rows: e.filters, Vecs: e.vecs, Tail: e.tail, Mask: asm.K(1), Acc: e.acc,
		Pointers: portRegs[:len(e.epi.Ports)],
	}
	for n := e.filters * e.vecs; n < e.features.Level.VectorRegisters(); n++ {
		t.Temps = append(t.Temps, asm.Z(n))
	}
	e.epi.Emit(e.a, t)
}

// splitColumns emits the copy of a row with its border, from rowX to rowW.
func (e *rowEmitter) splitColumns() {
	a := e.a
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, rowX))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, rowW))
	if e.Stride[1] == 2 {
		for phase := range 2 {
			var pattern [16]uint32
			for i := range pattern {
				pattern[i] = uint32(2*i + phase)
			}
			a.Emit(asm.VMOVUPS, asm.Z(4+phase), a.ConstU32(pattern[:]...))
		}
	}
	for v := range e.padded / 16 {
		for half := range e.Stride[1] {
			e.loadColumns(asm.Z(half), (v*e.Stride[1]+half)*16-e.Pad[1])
		}
		if e.Stride[1] == 1 {
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, v*16*f32), asm.Z(0))
			continue
		}
		for phase := range 2 {
			a.Emit(asm.VMOVAPS, asm.Z(2), asm.Z(0))
			a.Emit(asm.VPERMT2PS, asm.Z(2), asm.Z(4+phase), asm.Z(1))
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, (phase*e.padded+v*16)*f32), asm.Z(2))
		}
	}
	e.leave()
}

// loadColumns loads 16 columns from x on, zeros where they lie outside the image.
func (e *rowEmitter) loadColumns(to asm.Reg, x int) {
	mask := 0
	for i := range 16 {
		if x+i >= 0 && x+i < e.W {
			mask |= 1 << i
		}
	}
	switch mask {
	case 0:
		e.a.Emit(asm.VXORPS, to, to, to)
	case 1<<16 - 1:
		e.a.Emit(asm.VMOVUPS, to, asm.Ptr(asm.RSI, x*f32))
	default:
		e.a.Emit(asm.MOV, asm.R8.Dword(), asm.Imm(mask))
		e.a.Emit(asm.KMOVD, asm.K(1), asm.R8.Dword())
		e.a.Emit(asm.VMOVUPS, to.ZeroMask(asm.K(1)), asm.Ptr(asm.RSI, x*f32))
	}
}

// combineRows emits the transformation of the rows of a channel, from rowX to rowW.
func (e *rowEmitter) combineRows() {
	a := e.a
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, rowX))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, rowW))
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(e.rowBytes()/(16*f32)))
	loop := a.Here()
	var next [points]int
	for p := 1; p < points; p++ {
		next[p] = next[p-1] + e.entries[p-1]
	}
	store := func(p int, r asm.Reg) {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, next[p]*e.rowBytes()), r)
		next[p]++
	}
	first := 0
	for phase := range e.Stride[0] {
		n := e.taps(phase)
		for i := range n + 1 {
			a.Emit(asm.VMOVUPS, asm.Z(i), asm.Ptr(asm.RSI, (first+i)*e.rowBytes()))
		}
		for i := 0; i < n/3*3; i += 3 {
			sum := func(p int, op asm.Op, x, y int) {
				a.Emit(op, asm.Z(31), asm.Z(i+x), asm.Z(i+y))
				store(p, asm.Z(31))
			}
			sum(pointOne, asm.VADDPS, 1, 2)
			sum(pointMinusOne, asm.VSUBPS, 2, 1)
			sum(pointZero, asm.VSUBPS, 0, 2)
			sum(pointInfinity, asm.VSUBPS, 3, 1)
		}
		for i := n / 3 * 3; i < n; i++ {
			store(pointZero, asm.Z(i))
			store(pointInfinity, asm.Z(i+1))
		}
		first += n + 1
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(16*f32))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(16*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	e.leave()
}
