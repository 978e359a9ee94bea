package conv

import "github.com/go-acap/acap/kernel/x86/asm"

// productArgs is the argument block of the products of some places.
type productArgs struct {
	input, filters, sums uintptr
	count                int     // of panels, or of places
	ahead                uintptr // what comes into the cache meanwhile
}

// The offsets of the fields.
const (
	productInput   = 0
	productFilters = 8
	productSums    = 16
	productCount   = 24
	productAhead   = 32
)

// productEmitter emits the products of transformed tiles and filters: panels of a few vectors of
// output channels, register tiles of some rows, which are Winograd's tiles, whose elements lie side
// by side for each channel of the input.
type productEmitter struct {
	*winograd
	a     *asm.Assembler
	depth int  // input channels
	more  bool // they are added to the sums of those before
	ahead int  // lines that each round fetches
}

// unrolledSteps is how many input channels a round does.
const unrolledSteps = 4

// emit emits the products of a block of tiles: of one place with some panels or, where filters are transformed
// when they are used, of all places with one.
func (e *productEmitter) emit() (entry int) {
	a := e.a
	a.Align(64)
	entry = a.Len()
	a.Notef("products of %d tiles, %d at a time by %d channels", e.blockTiles(), e.tileHeight,
		e.panelWidth())
	nextInput, nextFilters, nextSums := 0, e.panelBytes(), e.panelWidth()*f32
	if e.shared {
		nextInput, nextFilters, nextSums = e.inputPlace()*f32, e.liftedPlace()*f32, e.sumPlace()*f32
	}
	a.Emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, productInput))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, productFilters))
	a.Emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, productSums))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, productCount))
	a.Emit(asm.MOV, asm.R12, asm.Ptr(asm.RDI, productAhead))
	next := a.Here()
	a.Emit(asm.MOV, asm.RSI, asm.R13)
	a.Emit(asm.MOV, asm.RBX, asm.R9)
	full, tail := e.blockTiles()/e.tileHeight, e.blockTiles()%e.tileHeight
	a.Emit(asm.MOV, asm.R10.Dword(), asm.Imm(full))
	loop := a.Here()
	e.tile(e.tileHeight)
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, loop)
	if tail > 0 {
		e.tile(tail)
	}
	a.Emit(asm.ADD, asm.R13, asm.Imm(nextInput))
	a.Emit(asm.ADD, asm.R8, asm.Imm(nextFilters))
	a.Emit(asm.ADD, asm.R9, asm.Imm(nextSums))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, next)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

func (e *productEmitter) acc(i, j int) asm.Reg { return e.vector(i*panelVecs + j) }

// other returns a register beyond the accumulators.
func (e *productEmitter) other(i int) asm.Reg { return e.vector(e.tileHeight*panelVecs + i) }

// tile emits the sums of a few rows in the channels of a panel.
func (e *productEmitter) tile(rows int) {
	a := e.a
	sum := func(i, j int) asm.Mem { return asm.Ptr(asm.RBX, (i*e.sumRow()+j*e.lanes)*f32) }
	for i := range rows {
		for j := range panelVecs {
			if acc := e.acc(i, j); e.more {
				a.Emit(asm.VMOVUPS, acc, sum(i, j))
			} else {
				a.Emit(asm.VXORPS, acc, acc, acc)
			}
		}
	}
	a.Emit(asm.MOV, asm.RAX, asm.RSI)
	a.Emit(asm.MOV, asm.RDX, asm.R8)
	round := func(steps int) {
		for c := range steps {
			e.step(rows, c)
		}
		a.Emit(asm.ADD, asm.RAX, asm.Imm(steps*e.inputRow()*f32))
		a.Emit(asm.ADD, asm.RDX, asm.Imm(steps*e.panelWidth()*f32))
	}
	if rounds := e.depth / unrolledSteps; rounds > 0 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(rounds))
		a.Align(64)
		loop := a.Here()
		fetchLines(a, asm.R12, e.ahead)
		round(unrolledSteps)
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
	if rest := e.depth % unrolledSteps; rest > 0 {
		round(rest)
	}
	for i := range rows {
		for j := range panelVecs {
			a.Emit(asm.VMOVUPS, sum(i, j), e.acc(i, j))
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(rows*f32))
	a.Emit(asm.ADD, asm.RBX, asm.Imm(rows*e.sumRow()*f32))
}

// step emits the products of one input channel.
func (e *productEmitter) step(rows, c int) {
	a := e.a
	for j := range panelVecs {
		at := c*e.panelWidth() + j*e.lanes
		a.Emit(asm.VMOVUPS, e.other(j), asm.Ptr(asm.RDX, at*f32))
	}
	for i := range rows {
		x := e.other(panelVecs + i%spares)
		a.Emit(asm.VBROADCASTSS, x, asm.Ptr(asm.RAX, (c*e.inputRow()+i)*f32))
		for j := range panelVecs {
			a.Emit(asm.VFMADD231PS, e.acc(i, j), x, e.other(j))
		}
	}
}
