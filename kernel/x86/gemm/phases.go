package gemm

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// packs is a code with constant operands that are packed once: a kernel.Packer.
type packs struct{ *code }

// copies is a code whose first phase copies A, or packs B: a kernel.Prologue.
type copies struct{ *code }

// packsAndCopies is both.
type packsAndCopies struct {
	packs
	prologue copies
}

// withPhases returns g with the optional interfaces that it implements.
func (g *code) withPhases() kernel.Code {
	constant := g.a.mode == packedOnce || g.b.mode == packedOnce
	prologue := g.a.mode == prologued || g.b.mode == prologued
	switch {
	case constant && prologue:
		return &packsAndCopies{packs{g}, copies{g}}
	case constant:
		return packs{g}
	case prologue:
		return copies{g}
	}
	return g
}

// PackedBytes implements kernel.Packer.
func (p packs) PackedBytes(port int) int {
	for _, o := range []*operand{&p.a, &p.b} {
		if o.port == port && o.mode == packedOnce {
			return o.packed * o.copies
		}
	}
	return 0
}

// PackedForm implements kernel.Former, for B.
func (p packs) PackedForm(port int) string {
	if p.b.port != port || p.b.mode != packedOnce {
		return ""
	}
	return fmt.Sprintf("%d x %d in panels of %d: %+v, %+v, %d bytes each, chunks of %d, batch %v",
		p.k, p.n, p.width(), p.b, p.arith, p.panel, p.chunk, p.batch)
}

// Pack implements kernel.Packer.
func (p packs) Pack(port int, dst, src unsafe.Pointer) {
	if p.b.port == port {
		for e := range p.b.copies {
			for i := 0; i < p.panels; i += panelsPerUnit {
				p.packPanels(dst, src, e, i)
			}
		}
		return
	}
	for e := range p.a.copies {
		p.copyRows(dst, src, e, 0, p.m)
	}
}

// copyRows copies rows lo to hi-1 of a batch entry of A, in runs of rowsPerUnit.
func (g *code) copyRows(dst, src unsafe.Pointer, entry, lo, hi int) {
	from := unsafe.Add(src, g.a.EntryAt(g.batch, entry)*g.a.DType.Size())
	to := unsafe.Add(dst, entry*g.a.packed)
	for row := lo; row < hi; row += rowsPerUnit {
		g.copier.copy(g.exec, from, to, row, min(rowsPerUnit, hi-row))
	}
}

// packPanels packs panels of a batch entry of B from panel first on, panelsPerUnit of them.
func (g *code) packPanels(dst, src unsafe.Pointer, entry, first int) {
	from := unsafe.Add(src, g.b.EntryAt(g.batch, entry)*g.b.DType.Size())
	to := unsafe.Add(dst, entry*g.b.packed+first*g.panel)
	g.packer.pack(g.exec, from, to, first, min(panelsPerUnit, g.panels-first))
}

// panelsPerUnit is the number of panels of B that are packed at once, which keeps calls short.
const panelsPerUnit = 4

// Shared implements kernel.Prologue.
func (c copies) Shared() int { return c.a.shared() + c.b.shared() }

// shared returns the bytes that the first phase writes; those of A come first.
func (o *operand) shared() int {
	if o.mode != prologued {
		return 0
	}
	return o.packed * o.copies
}

// PrologueUnits implements kernel.Prologue.
func (c copies) PrologueUnits() int { return c.unitsOfA() + c.unitsOfB() }

func (g *code) unitsOfA() int {
	if g.a.mode != prologued {
		return 0
	}
	return g.rowUnits() * g.a.copies
}

func (g *code) unitsOfB() int {
	if g.b.mode != prologued {
		return 0
	}
	return g.panelUnits() * g.b.copies
}

func (g *code) rowUnits() int { return divideUp(g.m, rowsPerUnit) }

func (g *code) panelUnits() int { return divideUp(g.panels, panelsPerUnit) }

// RunPrologue implements kernel.Prologue.
func (c copies) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	for u := lo; u < hi; u++ {
		if v := u - c.unitsOfA(); v >= 0 {
			c.packPanels(unsafe.Add(shared, c.a.shared()), args.Ptr[c.b.port], v/c.panelUnits(),
				v%c.panelUnits()*panelsPerUnit)
			continue
		}
		row := u % c.rowUnits() * rowsPerUnit
		c.copyRows(shared, args.Ptr[c.a.port], u/c.rowUnits(), row, min(c.m, row+rowsPerUnit))
	}
}

// Shared implements kernel.Prologue.
func (p *packsAndCopies) Shared() int { return p.prologue.Shared() }

// PrologueUnits implements kernel.Prologue.
func (p *packsAndCopies) PrologueUnits() int { return p.prologue.PrologueUnits() }

// RunPrologue implements kernel.Prologue.
func (p *packsAndCopies) RunPrologue(args *kernel.Args, lo, hi int) {
	p.prologue.RunPrologue(args, lo, hi)
}
