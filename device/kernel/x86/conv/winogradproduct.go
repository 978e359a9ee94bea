package conv

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel/x86/asm"
)

// productArgs is the argument block of the products of one place.
type productArgs struct {
	input, filters, sums uintptr
	panels               int
}

// The offsets of the fields.
const (
	productInput   = 0
	productFilters = 8
	productSums    = 16
	productPanels  = 24
)

// productEmitter emits the products of transformed tiles and filters: panels of a few vectors of
// output channels, register tiles of some rows, which are Winograd's tiles, whose elements lie side
// by side for each channel of the input.
type productEmitter struct {
	*winograd
	a *asm.Assembler
}

// unrolledSteps is how many input channels a round does.
const unrolledSteps = 4

// emit emits the products of a block of tiles with some panels.
func (e *productEmitter) emit() (entry int) {
	a := e.a
	a.Align(64)
	entry = a.Len()
	a.Notef("products of %d tiles, %d at a time by %d channels", e.blockTiles(), e.tileHeight,
		panelWidth)
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, productFilters))
	a.Emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, productSums))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, productPanels))
	panel := a.Here()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, productInput))
	a.Emit(asm.MOV, asm.RBX, asm.R9)
	a.Emit(asm.LEA, asm.R12, asm.Ptr(asm.R8, e.panelBytes()))
	full, tail := e.blockTiles()/e.tileHeight, e.blockTiles()%e.tileHeight
	a.Emit(asm.MOV, asm.R10.Dword(), asm.Imm(full))
	loop := a.Here()
	e.tile(e.tileHeight)
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, loop)
	if tail > 0 {
		e.tile(tail)
	}
	a.Emit(asm.ADD, asm.R8, asm.Imm(e.panelBytes()))
	a.Emit(asm.ADD, asm.R9, asm.Imm(panelWidth*f32))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, panel)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

func (e *productEmitter) acc(i, j int) asm.Reg { return asm.Z(i*panelVecs + j) }

// other returns a register beyond the accumulators.
func (e *productEmitter) other(i int) asm.Reg { return asm.Z(e.tileHeight*panelVecs + i) }

// tile emits the sums of a few rows in the channels of a panel.
func (e *productEmitter) tile(rows int) {
	a := e.a
	for i := range rows * panelVecs {
		a.Emit(asm.VPXORD, asm.Z(i), asm.Z(i), asm.Z(i))
	}
	a.Emit(asm.MOV, asm.RAX, asm.RSI)
	a.Emit(asm.MOV, asm.RDX, asm.R8)
	round := func(steps int) {
		for c := range steps {
			e.step(rows, c)
		}
		a.Emit(asm.ADD, asm.RAX, asm.Imm(steps*e.inputRow()*f32))
		a.Emit(asm.ADD, asm.RDX, asm.Imm(steps*panelWidth*f32))
	}
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(e.C/unrolledSteps))
	a.Align(64)
	loop := a.Here()
	fetchLines(a, asm.R12, e.linesAhead())
	round(unrolledSteps)
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	if rest := e.C % unrolledSteps; rest > 0 {
		round(rest)
	}
	for i := range rows {
		for j := range panelVecs {
			at := i*e.sumRow() + j*winogradLanes
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RBX, at*f32), e.acc(i, j))
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(rows*f32))
	a.Emit(asm.ADD, asm.RBX, asm.Imm(rows*e.sumRow()*f32))
}

// step emits the products of one input channel.
func (e *productEmitter) step(rows, c int) {
	a := e.a
	for j := range panelVecs {
		at := c*panelWidth + j*winogradLanes
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

// linesAhead returns how many lines of the next panel each round fetches into the second-level
// cache, where the filters do not stay.
func (e *productEmitter) linesAhead() int {
	if !e.shared {
		return 0
	}
	tiles := pieces(e.blockTiles(), e.tileHeight)
	return pieces(unrolledSteps*panelVecs, tiles)
}

// PackedBytes implements kernel.Packer.
func (g *winograd) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return g.channelUnits * g.filterBytes()
}

// filterBytes returns the size of the packed filters of a unit of channels, placeBytes of one place
// of them, panelBytes of a panel.
func (g *winograd) filterBytes() int { return places * g.placeBytes() }
func (g *winograd) placeBytes() int  { return g.C * g.channels * f32 }
func (g *winograd) panelBytes() int  { return g.C * panelWidth * f32 }

// Pack implements kernel.Packer.
func (g *winograd) Pack(_ int, dst, src unsafe.Pointer) {
	for u := range g.filterUnits() {
		g.packFilters(dst, src, u)
	}
}

// filterUnits is the number of pieces of work that packing is: some input channels of a panel each.
func (g *winograd) filterUnits() int {
	return g.channelUnits * (g.channels / panelWidth) * pieces(g.C, transformed)
}

// packFilters does a piece of packing: it transforms filters, in f64, for each unit of channels into panels of each
// place. Channels that do not exist are zeros.
func (g *winograd) packFilters(dst, src unsafe.Pointer, piece int) {
	out := unsafe.Slice((*float32)(dst), g.PackedBytes(1)/f32)
	groups := pieces(g.C, transformed)
	first := piece % groups * transformed
	for k := piece / groups * panelWidth; k < (piece/groups+1)*panelWidth; k++ {
		unit, panel := k/g.channels, k%g.channels/panelWidth
		at := (unit*g.filterBytes()+panel*g.panelBytes())/f32 + k%panelWidth
		for c := first; c < min(first+transformed, g.C); c++ {
			var u [places]float64
			if k < g.K {
				u = transformFilter(g.window(src, k, c))
			}
			for place, v := range u {
				out[at+place*g.placeBytes()/f32+c*panelWidth] = float32(v)
			}
		}
	}
}

// window returns the filter from channel c to channel k.
func (g *winograd) window(src unsafe.Pointer, k, c int) (w [3][3]float64) {
	st := g.Filter.Strides
	for r := range 3 {
		for s := range 3 {
			at := g.Filter.Offset + k*st[0] + c*st[1] + r*st[2] + s*st[3]
			w[r][s] = float64(*(*float32)(unsafe.Add(src, at*f32)))
		}
	}
	return w
}

// transformFilter returns G·w·Gᵀ with G = [1 0 0; ½ ½ ½; ½ -½ ½; 0 0 1].
func transformFilter(w [3][3]float64) (u [places]float64) {
	apply := func(x, y, z float64) [4]float64 {
		return [4]float64{x, (x + y + z) / 2, (x - y + z) / 2, z}
	}
	var rows [3][4]float64
	for r := range 3 {
		rows[r] = apply(w[r][0], w[r][1], w[r][2])
	}
	for s := range 4 {
		for r, v := range apply(rows[0][s], rows[1][s], rows[2][s]) {
			u[4*r+s] = v
		}
	}
	return u
}
