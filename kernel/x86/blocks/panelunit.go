package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	// panelsBytes is about how much the panels that are filled at once take, and panelSums what the sums of a unit do:
	// both stay in the second-level cache, and so do rows that take at most keptRows.
	panelsBytes = 96 << 10
	panelSums   = 128 << 10
	keptRows    = 192 << 10
)

// choosePanels chooses how many panels are filled at once, and how many a unit has. If the rows stay in a cache, one
// panel is filled after the other: the panel stays in the first-level cache, and while the rows read it, the blocks of
// the next one are fetched.
func (c *code) choosePanels() {
	cols := c.layout.cols
	all := (c.k.N + cols - 1) / cols
	most := max(1, min(panelSums/(4*cols*c.k.M), all))
	c.filled = max(1, min(panelsBytes/c.panelBytes(), most))
	if c.k.M*c.rounded.bytes() <= keptRows {
		c.filled = 1
	}
	column, _ := c.k.B.Format.RowBytes(c.k.K)
	fills := min(mostUnit/(c.filled*cols*column), most/c.filled, all/(c.filled*leastUnits))
	c.panels = c.filled * max(1, fills)
}

// fetchedLines is how many lines of the blocks of the next panels are fetched for each chunk of a panel: none of
// columns that are far apart.
func (c *code) fetchedLines() int {
	column, _ := c.k.B.Format.RowBytes(c.k.K)
	if c.k.B.Col > 2*column {
		return 0
	}
	return (c.layout.cols*c.k.B.Col + c.k.K/chunk*64 - 1) / (c.k.K / chunk * 64)
}

// panelBytes is the memory of a panel.
func (c *code) panelBytes() int { return c.k.K / chunk * c.layout.chunkBytes() }

// panelAt is where the first panel lies behind the sums. Between them is what fills panels, and then sums of squares.
func (c *code) panelAt() int { return (max(fillBytes, squareBytes) + 63) &^ 63 }

// emitPanels emits the code that fills panels, and that of the first tile of rows, which fetches blocks, of whole tiles
// and of the last one.
func (c *code) emitPanels(a *asm.Assembler) (entry [3]int) {
	p := &panel{emitter: newEmitter(a, c.k.B.Format), panelLayout: c.layout, aRow: c.aRow(), sumRow: 4 * c.PerUnit, bColumn: c.k.B.Col,
		sumsAt: c.rounded.sums() - c.rounded.scales()}
	a.Notef("a panel of %d columns", c.layout.cols)
	c.pack = p.emitPack(c.k.K / chunk)
	whole := c.layout.rows
	for i, rows := range []int{whole, whole, c.k.M % whole} {
		if rows > 0 {
			a.Notef("%d rows of panels", rows)
			p.fetched = 0
			if i == 0 || c.k.M < whole {
				p.fetched = c.fetchedLines()
			}
			entry[i] = p.emitTiles(rows, c.k.K)
		}
	}
	return entry
}

// panelUnit computes the sums of some columns, whose blocks begin at b.
func (c *code) panelUnit(w *worker, args *kernel.Args, entry, cols int, b unsafe.Pointer) {
	each, rows := c.layout.cols, c.layout.rows
	for first := 0; first < cols; first += c.filled * each {
		count := min(cols-first, c.filled*each)
		c.fill(w, args, unsafe.Add(b, first*c.k.B.Col), count)
		w.tile.panels, w.tile.count = uintptr(args.Scratch)+uintptr(c.SumBytes()+c.panelAt()), uintptr((count+each-1)/each)
		w.tile.next = uintptr(b) + uintptr((first+count)*c.k.B.Col)
		tiles := c.k.M / rows
		c.tiles(w, args, 0, entry, 0, min(1, tiles), first)
		c.tiles(w, args, 1, entry, rows, tiles-1, first)
		c.tiles(w, args, 2, entry, tiles*rows, min(1, c.k.M%rows), first)
	}
}

// fill fills the panels of some columns, whose blocks begin at b. Sums of columns that are not there are never read,
// but what the memory had might be slow numbers.
func (c *code) fill(w *worker, args *kernel.Args, b unsafe.Pointer, cols int) {
	scratch := unsafe.Add(args.Scratch, c.SumBytes())
	each := c.layout.cols
	for i := 0; i < cols; i += fillColumns {
		to := unsafe.Add(scratch, c.panelAt()+i/each*c.panelBytes()+4*(i%each))
		if i%each == 0 && cols-i < each {
			clear(unsafe.Slice((*byte)(to), c.panelBytes()))
		}
		n := min(fillColumns, cols-i)
		if n < fillColumns {
			clear(unsafe.Slice((*byte)(scratch), fillBytes))
		}
		w.pack = packCall{uintptr(b) + uintptr(i*c.k.B.Col), uintptr(to), uintptr(scratch), uintptr(n)}
		c.exec.CallAt(c.pack, unsafe.Pointer(&w.pack))
	}
}

// tiles computes the sums of some tiles of rows, from a row on, with the panels that are filled, whose first column is
// that of the unit.
func (c *code) tiles(w *worker, args *kernel.Args, kind, entry, row, tiles, first int) {
	if tiles <= 0 {
		return
	}
	t := &w.tile
	t.a, t.scales, t.halves = c.roundedRow(args, entry, row)
	t.sums, t.tiles = uintptr(args.Scratch)+uintptr(4*(row*c.PerUnit+first)), uintptr(tiles)
	t.squares = uintptr(args.Scratch) + uintptr(c.SumBytes()) // which panels are filled with no more
	c.exec.CallAt(c.entry[kind], unsafe.Pointer(t))
}
