package blocks

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// manyCode is products of rounded rows that are not few. A unit is some panels, which it fills.
type manyCode struct {
	operands
	tile                  tile
	rounding, pack, tiles *vector.Machine
	panels                int // of a unit
	units                 int // of an entry
}

// panelsBytes is about how much the panels of a unit take: they stay in the second-level cache.
const panelsBytes = 96 << 10

func compileMany(o operands, t vector.Backend, squares bool) (_ kernel.Code, err error) {
	k := o.k
	p := &panel{format: k.B.Format, squares: squares, k: k.K}
	c := &manyCode{operands: o, tile: tile{panel: p, rows: k.M, cols: k.N, outRow: o.outRow(), outColumn: o.outColumn()}}
	step := c.tile.rowChunk()
	n := rounding{from: k.A.DType, stride: k.A.Col * k.A.DType.Size(), k: k.K, bytes: step, scale: step, pairs: squares}
	switch {
	case p.kind().least == none:
	case p.kind().halves() == 2:
		n.half, n.halfGap = step, 4*tileRows
	default:
		n.sum = step
	}
	for _, m := range []struct {
		to           **vector.Machine
		write        func() *vector.Program
		words, fault int
	}{{&c.rounding, n.programFor(t), roundWords, roundFault}, {&c.pack, p.program, packWords, packFault},
		{&c.tiles, c.tile.program, tileWords, tileFault}} {
		if *m.to, err = t.Build(m.write, m.words, m.fault); err != nil {
			c.Close()
			return nil, err
		}
	}
	c.panels = max(1, min(panelsBytes/p.bytes(), (k.N+panelCols-1)/panelCols))
	c.units = (k.N + c.panels*panelCols - 1) / (c.panels * panelCols)
	return c, nil
}

// Units implements [kernel.Code].
func (c *manyCode) Units() int { return c.batches * c.units }

// UnitNanos implements [kernel.Code].
func (c *manyCode) UnitNanos() float64 {
	return float64(c.panels*panelCols*c.k.K) * (0.25 + float64(c.k.M)/50)
}

// blockBytes is the memory of call blocks, behind which panels lie.
func (c *manyCode) blockBytes() int {
	return (max(c.rounding.BlockBytes(), c.pack.BlockBytes(), c.tiles.BlockBytes()) + 63) &^ 63
}

// Scratch implements [kernel.Code].
func (c *manyCode) Scratch() int { return c.blockBytes() + c.panels*c.tile.bytes() }

// Listing implements [kernel.Code].
func (c *manyCode) Listing() string {
	return fmt.Sprintf("blocks of %v, units of %d panels\n%s%s%s", c.k.B.Format, c.panels, c.tiles.Listing(), c.pack.Listing(), c.rounding.Listing())
}

// Close implements [kernel.Code].
func (c *manyCode) Close() {
	for _, m := range []*vector.Machine{c.rounding, c.pack, c.tiles} {
		if m != nil {
			m.Close()
		}
	}
}

func (c *manyCode) entryBytes() int { return (c.k.M + tileRows - 1) / tileRows * c.tile.tileBytes() }

// Shared implements [kernel.Prologue].
func (c *manyCode) Shared() int { return c.copies * c.entryBytes() }

// PrologueUnits implements [kernel.Prologue]: a unit is a row.
func (c *manyCode) PrologueUnits() int { return c.copies * c.k.M }

// RunPrologue implements [kernel.Prologue].
func (c *manyCode) RunPrologue(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		entry, row := u/c.k.M, u%c.k.M
		tile := unsafe.Add(args.Ptr[len(args.Ptr)-1], entry*c.entryBytes()+row/tileRows*c.tile.tileBytes())
		at := func(n int) unsafe.Pointer { return unsafe.Add(tile, n+4*(row%tileRows)) }
		round(c.rounding, args.Scratch, c.row(args, entry, row), unsafe.Add(tile, c.tile.rowAt(row%tileRows)), at(rowBytes),
			at(c.tile.sumAt(0)), at(c.tile.sumAt(0)))
	}
}

// Run implements [kernel.Code].
func (c *manyCode) Run(args *kernel.Args, lo, hi int) {
	panels := unsafe.Add(args.Scratch, c.blockBytes())
	for u := lo; u < hi; u++ {
		entry, first := u/c.units, u%c.units*c.panels*panelCols
		cols := min(c.panels*panelCols, c.k.N-first)
		count := (cols + panelCols - 1) / panelCols
		words := unsafe.Slice((*uintptr)(args.Scratch), max(packWords, tileWords))
		for q := range count * panelCols / quad {
			words[packTo] = uintptr(panels) + uintptr(q/2*c.tile.bytes()+q%2*quadBytes)
			for i := range quad { // columns that are not there are the last one again, and their sums are not stored
				words[packFrom+i] = uintptr(c.columnAt(args, entry, first+min(q*quad+i, cols-1)))
			}
			c.pack.Call(args.Scratch)
		}
		words[tileA] = uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(min(entry, c.copies-1)*c.entryBytes())
		words[tileB], words[tileOut] = uintptr(panels), uintptr(c.out(args, entry, first))
		words[tilePanels] = uintptr(cols / panelCols)
		words[tileLast] = uintptr(count - cols/panelCols)
		c.tiles.Call(args.Scratch)
	}
}
