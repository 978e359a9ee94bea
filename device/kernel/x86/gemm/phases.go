package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
)

// packs is a code with constant operands that are packed once: a kernel.Packer.
type packs struct{ *code }

// copies is a code whose first phase copies A: a kernel.Prologue.
type copies struct{ *code }

// packsAndCopies is both.
type packsAndCopies struct {
	packs
	prologue copies
}

// withPhases returns g with the optional interfaces that it implements.
func (g *code) withPhases() kernel.Code {
	constant := g.a.mode == packedOnce || g.b.mode == packedOnce
	switch {
	case constant && g.a.mode == prologued:
		return &packsAndCopies{packs{g}, copies{g}}
	case constant:
		return packs{g}
	case g.a.mode == prologued:
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

// Pack implements kernel.Packer.
func (p packs) Pack(port int, dst, src unsafe.Pointer) {
	if p.b.port == port {
		for e := range p.b.copies {
			from := unsafe.Add(src, p.offset(&p.b.Matrix, e)*p.b.DType.Size())
			to := unsafe.Add(dst, e*p.b.packed)
			const atOnce = 16 // panels, to keep calls short
			for i := 0; i < p.panels; i += atOnce {
				p.packer.pack(p.exec, from, unsafe.Add(to, i*p.panel), i, min(atOnce, p.panels-i))
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
	from := unsafe.Add(src, g.offset(&g.a.Matrix, entry)*g.a.DType.Size())
	to := unsafe.Add(dst, entry*g.a.packed)
	for row := lo; row < hi; row += rowsPerUnit {
		g.copier.copy(g.exec, from, to, row, min(rowsPerUnit, hi-row))
	}
}

// Shared implements kernel.Prologue.
func (c copies) Shared() int { return c.a.packed * c.a.copies }

// PrologueUnits implements kernel.Prologue.
func (c copies) PrologueUnits() int { return c.rowUnits() * c.a.copies }

func (g *code) rowUnits() int { return (g.m + rowsPerUnit - 1) / rowsPerUnit }

// RunPrologue implements kernel.Prologue.
func (c copies) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	for u := lo; u < hi; u++ {
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
