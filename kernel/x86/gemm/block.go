package gemm

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// callArgs is the argument block of a block of code. Addresses are plain numbers: the code moves
// them past the ends of the operands, where a pointer must not point.
type callArgs struct {
	a, b   uintptr
	panels int
	tiles  int            // full tiles in a column
	tail   int            // 1 if a lower tile follows
	packed uintptr        // memory for the panel that the first tile packs
	fetch  uintptr        // where the next prefetch of packed B goes
	first  int            // 1 if the first tile packs its panel, or matrix tiles multiply, 0 if an earlier call has done so
	base   [ports]uintptr // of each port at the first tile of a panel
	cur    [ports]uintptr // at the current tile
}

// ports are those of the epilogue and, last, the waiting sums of earlier chunks.
const ports = epilogue.MaxPorts + 1

// The offsets of the fields.
const (
	argA      = 0
	argB      = 8
	argPanels = 16
	argTiles  = 24
	argTail   = 32
	argPacked = 40
	argFetch  = 48
	argFirst  = 56
	argBase   = 64
	argCur    = argBase + 8*ports
)

// portRegs hold the addresses of the epilogue's ports at a tile.
var portRegs = [epilogue.MaxPorts]asm.Reg{
	asm.RBX, asm.RBP, asm.R9, asm.R12, asm.R13, asm.R14, asm.R15,
}

// temps returns the registers that the epilogue may use.
func (p *plan) temps() int {
	if p.b.mode == streamed {
		return p.features.Level.VectorRegisters() - streamVecs - streamRows
	}
	return p.features.Level.VectorRegisters() - p.shape.rows*p.shape.vecs
}

// ports sets the addresses of the epilogue's operands and of the waiting sums for column col of the columns from col0 on.
func (g *code) ports(w *worker, args *kernel.Args, s stage, entry, row0, row, col0, col int) {
	raw := g.waiting(args, row, col)
	w.args.base[ports-1] = raw
	if !s.last || g.deferred != nil {
		w.args.base[0] = raw
		return
	}
	for i := range g.access {
		w.args.base[i] = g.portAt(args, i, entry, row0+row, col0+col)
	}
}
