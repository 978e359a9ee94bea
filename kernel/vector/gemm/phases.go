package gemm

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// A code packs constant operands once, and a first phase copies A or packs B. An operand that needs neither has no
// bytes and no units.

// PackedBytes implements kernel.Code.
func (g *code) PackedBytes(port int) int {
	for _, o := range []*operand{&g.a, &g.b} {
		if o.port == port && o.mode == packedOnce {
			return o.packed * o.copies
		}
	}
	return 0
}

// PackedForm implements kernel.Code, for B.
func (g *code) PackedForm(port int) string {
	if g.b.port != port || g.b.mode != packedOnce {
		return ""
	}
	b := &g.b
	if g.turned != nil {
		return fmt.Sprintf("columns of %+v from %d, batch %v by %v", *g.turned, b.Offset, g.batch, b.Batch)
	}
	return fmt.Sprintf("%d x %d in panels of %d: %v from %d, batch %v by %v, strides %d and %d, %d bytes of %d entries, %+v, %d bytes each, chunks of %d",
		g.k, g.n, g.width(), b.Port, b.Offset, g.batch, b.Batch, b.Row, b.Col, b.packed, b.copies, g.arith, g.panel, g.chunk)
}

// Pack implements kernel.Code.
func (g *code) Pack(port int, dst, src unsafe.Pointer) {
	defer runtime.KeepAlive(dst)
	defer runtime.KeepAlive(src)
	if g.b.port == port {
		for e := range g.b.copies {
			for i := 0; i < g.panels; i += panelsPerUnit {
				g.packPanels(dst, src, e, i)
			}
		}
		return
	}
	for e := range g.a.copies {
		g.copyRows(unsafe.Add(dst, e*g.a.packed), src, e, 0, g.m)
	}
}

// copyRows copies rows lo to hi-1 of a batch entry of A, in runs; dst is the first copied row of the entry.
func (g *code) copyRows(dst, src unsafe.Pointer, entry, lo, hi int) {
	from := unsafe.Add(src, g.a.EntryAt(g.batch, entry)*g.a.DType.Size())
	for row := lo; row < hi; row += g.rowRun() {
		g.copier.copy(from, dst, row, min(g.rowRun(), hi-row))
	}
}

// packPanels packs panels of a batch entry of B from panel first on, panelsPerUnit of them.
func (g *code) packPanels(dst, src unsafe.Pointer, entry, first int) {
	from := unsafe.Add(src, g.b.EntryAt(g.batch, entry)*g.b.DType.Size())
	to := unsafe.Add(dst, entry*g.b.packed+first*g.panel)
	g.packer.pack(from, to, first, min(panelsPerUnit, g.panels-first))
}

// panelsPerUnit is the number of panels of B that are packed at once, which keeps calls short.
const panelsPerUnit = 4

// Shared implements kernel.Code.
func (g *code) Shared() int { return g.a.shared() + g.b.shared() }

// shared returns the bytes that the first phase writes; A's come first.
func (o *operand) shared() int { return o.units(o.packed) }

// PrologueUnits implements kernel.Code.
func (g *code) PrologueUnits() int { return g.unitsOfA() + g.b.units(g.panelUnits()) }

func (g *code) unitsOfA() int { return g.a.units(g.rowUnits()) }

// units returns the units of the first phase, or other amounts, given the units or amounts of a batch entry.
func (o *operand) units(each int) int {
	if o.mode != prologued {
		return 0
	}
	return each * o.copies
}

func (g *code) rowUnits() int { return kernel.Pieces(g.m, g.rowRun()) }

func (g *code) panelUnits() int { return kernel.Pieces(g.panels, panelsPerUnit) }

// RunPrologue implements kernel.Code.
func (g *code) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	for u := lo; u < hi; u++ {
		if v := u - g.unitsOfA(); v >= 0 {
			g.packPanels(unsafe.Add(shared, g.a.shared()), args.Ptr[g.b.port], v/g.panelUnits(),
				v%g.panelUnits()*panelsPerUnit)
			continue
		}
		entry, row := u/g.rowUnits(), u%g.rowUnits()*g.rowRun()
		g.copyRows(unsafe.Add(shared, entry*g.a.packed), args.Ptr[g.a.port], entry, row, min(g.m, row+g.rowRun()))
	}
	runtime.KeepAlive(args)
}
