package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	// panelsBytes is about how much the panels of a unit take, and panelSums what its sums do: both stay in the second-level cache.
	panelsBytes = 96 << 10
	panelSums   = 128 << 10
)

// choosePanels returns how many panels a unit has.
func (c *code) choosePanels() int {
	return max(1, min(panelsBytes/c.panelBytes(), panelSums/(4*panelCols*c.k.M), (c.k.N+panelCols-1)/panelCols))
}

// panelBytes is the memory of a panel.
func (c *code) panelBytes() int {
	f := formats[c.k.B.Format]
	return c.k.K / chunk * f.panelChunk()
}

// panelAt is where the first panel lies behind the sums. Between them are the columns of a block before they are interleaved.
func (c *code) panelAt() int { return (scratchBytes + panelCols*c.k.B.Format.Block() + 63) &^ 63 }

// emitPanels emits the code that fills panels, and that of whole tiles and of the last one.
func (c *code) emitPanels(a *asm.Assembler) (entry [2]int) {
	p := &panel{emitter: newEmitter(a, c.k.B.Format), aRow: c.aRow(), sumRow: 4 * c.PerUnit, bColumn: c.k.B.Col,
		sumsAt: c.rounded.sums() - c.rounded.scales()}
	a.Notef("a panel of %d columns", panelCols)
	c.pack = p.emitPack()
	for i, rows := range []int{panelRows, c.k.M % panelRows} {
		if rows > 0 {
			a.Notef("%d rows of panels", rows)
			entry[i] = p.emitTiles(rows, c.k.K)
		}
	}
	return entry
}

// panelUnit computes the sums of some columns, whose blocks begin at b.
func (c *code) panelUnit(w *worker, args *kernel.Args, entry, cols int, b unsafe.Pointer) {
	k := c.k
	panels := unsafe.Add(args.Scratch, c.SumBytes()+c.panelAt())
	count := (cols + panelCols - 1) / panelCols
	for i := range count {
		to := unsafe.Add(panels, i*c.panelBytes())
		n := min(panelCols, cols-i*panelCols)
		if n < panelCols { // sums of columns that are not there are never read, but what the memory had might be slow numbers
			clear(unsafe.Slice((*byte)(to), c.panelBytes()))
		}
		w.pack = packCall{uintptr(b) + uintptr(i*panelCols*k.B.Col), uintptr(to), w.call.scratch, uintptr(n), uintptr(k.K / k.B.Format.Block())}
		c.Exec.CallAt(c.pack, unsafe.Pointer(&w.pack))
	}
	whole := k.M / panelRows * panelRows
	for i, rows := range []int{whole, k.M - whole} {
		if rows == 0 {
			continue
		}
		first, tiles := 0, rows/panelRows
		if i == 1 {
			first, tiles = whole, 1
		}
		t := &w.tile
		t.a, t.scales, t.halves = c.roundedRow(args, entry, first)
		t.panels, t.sums = uintptr(panels), uintptr(args.Scratch)+uintptr(4*first*c.PerUnit)
		t.tiles, t.count = uintptr(tiles), uintptr(count)
		c.Exec.CallAt(c.entry[i], unsafe.Pointer(t))
	}
}
