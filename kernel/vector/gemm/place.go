package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// sourceB returns the address of B in place, or of its columns that were packed.
func (g *code) sourceB(args *kernel.Args, entry int) unsafe.Pointer {
	if g.turned != nil {
		return g.packedB(args, entry)
	}
	return unsafe.Add(args.Ptr[g.b.port], g.b.EntryAt(g.batch, entry)*g.b.DType.Size())
}

// unitB returns the address of the first panel of a unit, packing it if need be.
func (g *code) unitB(args *kernel.Args, entry, first, count int) uintptr {
	base := g.sourceB(args, entry)
	switch g.b.mode {
	case direct, tilePacked:
		return uintptr(base) + uintptr(first*g.width()*g.b.DType.Size())
	case unitPacked:
		g.packer.pack(base, args.Scratch, first, count)
		return uintptr(args.Scratch)
	}
	return uintptr(g.packedB(args, entry)) + uintptr(first*g.panel)
}

// packedB returns the first panel of a batch entry of B that was packed before.
func (g *code) packedB(args *kernel.Args, entry int) unsafe.Pointer {
	return g.b.at(args, entry, g.a.shared())
}

// at returns where a batch entry of an operand is that was packed before: by itself, or shared bytes into the memory of
// all units.
func (o *operand) at(args *kernel.Args, entry, shared int) unsafe.Pointer {
	from := args.Ptr[len(args.Ptr)-1]
	if o.mode == packedOnce {
		from, shared = args.Packed[o.port], 0
	}
	if o.copies == 1 {
		entry = 0
	}
	return unsafe.Add(from, shared+entry*o.packed)
}

// unitA returns the address of the first row of A.
func (g *code) unitA(args *kernel.Args, entry int) uintptr {
	if g.a.mode == direct {
		base := args.Ptr[g.a.port]
		return uintptr(base) + uintptr(g.a.EntryAt(g.batch, entry)*g.a.DType.Size())
	}
	return uintptr(g.copiedA(args, entry))
}

// splitA copies a batch entry of A to scratch memory, unless a unit of the same call of Run has done so.
func (g *code) splitA(w *worker, args *kernel.Args, entry int) {
	if g.a.copies == 1 {
		entry = 0
	}
	if w.splits != entry {
		g.copyRows(g.copiedA(args, entry), args.Ptr[g.a.port], entry, 0, g.m)
		w.splits = entry
	}
}

// copiedA returns the first row of a batch entry of A that was copied before.
func (g *code) copiedA(args *kernel.Args, entry int) unsafe.Pointer {
	if g.a.mode == unitPacked {
		return unsafe.Add(args.Scratch, g.scratchOfB())
	}
	return g.a.at(args, entry, 0)
}
