package conv

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// Filters that stay in the second-level cache are transformed once. Transformed filters have 16/9 of the size. Filters
// that come from memory are therefore packed untransformed, in panels of output channels, and transformed at use, for
// as many input channels at a time as stay in that cache.

// productCode says what one piece of code multiplies.
type productCode struct {
	depth int  // input channels
	more  bool // they are not the first
}

// products emits the products of all depths that there are.
func (g *winograd) products(a *asm.Assembler) {
	ahead := 0
	step := g.C
	if g.shared {
		step = g.lifted
		tiles := pieces(g.blockTiles(), g.tileHeight)
		ahead = pieces(taps*panelVecs*unrolledSteps, places*tiles)
	}
	for first := 0; first < g.C; first += step {
		c := productCode{min(step, g.C-first), first > 0}
		if _, ok := g.product[c]; !ok {
			g.product[c] = (&productEmitter{g, a, c.depth, c.more, ahead}).emit()
		}
	}
}

// lateProducts computes the sums of some panels, and transforms their filters.
func (g *winograd) lateProducts(w *winogradWorker, input, filters, sums uintptr, panels int) {
	lifted := sums + uintptr(g.sumBytes())
	for panel := range panels {
		for first := 0; first < g.C; first += g.lifted {
			depth := min(g.lifted, g.C-first)
			w.src, w.dst, w.channels = filters, lifted, depth
			g.exec.CallAt(g.lift, unsafe.Pointer(&w.transformArgs))
			filters += uintptr(depth * taps * g.panelWidth() * f32)
			w.product = productArgs{input + uintptr(first*g.inputRow()*f32), lifted, sums + uintptr(panel*g.panelWidth()*f32), places, filters}
			g.exec.CallAt(g.product[productCode{depth, first > 0}], unsafe.Pointer(&w.product))
		}
	}
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
func (g *winograd) filterBytes() int {
	if g.shared {
		return taps * g.placeBytes()
	}
	return places * g.placeBytes()
}
func (g *winograd) placeBytes() int { return g.C * g.channels * f32 }
func (g *winograd) panelBytes() int { return g.C * g.panelWidth() * f32 }

// Pack implements kernel.Packer.
func (g *winograd) Pack(_ int, dst, src unsafe.Pointer) {
	for u := range g.filterUnits() {
		g.packFilters(dst, src, u)
	}
}

// filterUnits is the number of pieces of work that packing is: some input channels of a panel each.
func (g *winograd) filterUnits() int {
	return g.channelUnits * (g.channels / g.panelWidth()) * pieces(g.C, transformed)
}

// packFilters does a piece of packing. Filters that are transformed now, in f64, go into panels of each place, for each
// unit of channels; the others into panels as they are. Channels that do not exist are zeros.
func (g *winograd) packFilters(dst, src unsafe.Pointer, piece int) {
	out := unsafe.Slice((*float32)(dst), g.PackedBytes(1)/f32)
	groups := pieces(g.C, transformed)
	first := piece % groups * transformed
	for k := piece / groups * g.panelWidth(); k < (piece/groups+1)*g.panelWidth(); k++ {
		for c := first; c < min(first+transformed, g.C); c++ {
			var w [taps]float32
			if k < g.K {
				w = g.window(src, k, c)
			}
			if g.shared {
				at := (k/g.panelWidth()*g.C+c)*taps*g.panelWidth() + k%g.panelWidth()
				for i, v := range w {
					out[at+i*g.panelWidth()] = v
				}
				continue
			}
			unit, panel := k/g.channels, k%g.channels/g.panelWidth()
			at := (unit*g.filterBytes()+panel*g.panelBytes())/f32 + c*g.panelWidth() + k%g.panelWidth()
			for place, v := range transformFilter(w) {
				out[at+place*g.placeBytes()/f32] = v
			}
		}
	}
}

// window returns the filter from channel c to channel k.
func (g *winograd) window(src unsafe.Pointer, k, c int) (w [taps]float32) {
	st := g.Filter.Strides
	at := g.Filter.Offset + k*st[0] + c*st[1]
	for r := range 3 {
		for s := range 3 {
			w[3*r+s] = *(*float32)(unsafe.Add(src, (at+r*st[2]+s*st[3])*f32))
		}
	}
	return w
}

// transformFilter returns G·w·Gᵀ with G = [1 0 0; ½ ½ ½; ½ -½ ½; 0 0 1].
func transformFilter(w [taps]float32) (u [places]float32) {
	apply := func(x, y, z float64) [4]float64 {
		return [4]float64{x, (x + y + z) / 2, (x - y + z) / 2, z}
	}
	var rows [3][4]float64
	for r := range 3 {
		rows[r] = apply(float64(w[3*r]), float64(w[3*r+1]), float64(w[3*r+2]))
	}
	for s := range 4 {
		for r, v := range apply(rows[0][s], rows[1][s], rows[2][s]) {
			u[4*r+s] = float32(v)
		}
	}
	return u
}

// liftCode emits the transformation of packed filters from some input channels to a panel: it does what
// [transformFilter] does, for a vector of filters at a time. Halves are taken before sums, which do not overflow then
// where filters do not.
func (g *winograd) liftCode(a *asm.Assembler) (entry int) {
	a.Align(64)
	entry = a.Len()
	a.Note("transform filters")
	const combined, loaded, result, halfReg = 0, 6, 9, 11 // two combinations of rows; a row; results
	half := g.vector(halfReg)
	a.Emit(asm.VBROADCASTSS, half, a.ConstF32(0.5))
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, transformSrc))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, transformDst))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, transformChannels))
	// middle gives the two sums that have all three: ½x + ½z ± ½y.
	middle := func(plus, minus, x, y, z asm.Reg) {
		a.Emit(asm.VMULPS, plus, x, half)
		a.Emit(asm.VFMADD231PS, plus, z, half)
		a.Emit(asm.VMOVAPS, minus, plus)
		a.Emit(asm.VFMADD231PS, plus, y, half)
		a.Emit(asm.VFNMADD231PS, minus, y, half)
	}
	channel := a.Here()
	for j := range panelVecs {
		at := func(base asm.Reg, i int) asm.Mem { return asm.Ptr(base, (i*g.panelWidth()+j*g.lanes)*f32) }
		for s := range 3 {
			x, y, z := g.vector(loaded), g.vector(loaded+1), g.vector(loaded+2)
			for r, v := range []asm.Reg{x, y, z} {
				a.Emit(asm.VMOVUPS, v, at(asm.RSI, 3*r+s))
			}
			middle(g.vector(combined+s), g.vector(combined+3+s), x, y, z)
		}
		for r := range 4 {
			row := combined + 3*(r-1)
			if r == 0 || r == 3 {
				row = loaded
				for s := range 3 {
					a.Emit(asm.VMOVUPS, g.vector(row+s), at(asm.RSI, r/3*2*3+s))
				}
			}
			x, z := g.vector(row), g.vector(row+2)
			plus, minus := g.vector(result), g.vector(result+1)
			middle(plus, minus, x, g.vector(row+1), z)
			for s, v := range []asm.Reg{x, plus, minus, z} {
				a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, ((4*r+s)*g.liftedPlace()+j*g.lanes)*f32), v)
			}
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(taps*g.panelWidth()*f32))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(g.panelWidth()*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, channel)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}
