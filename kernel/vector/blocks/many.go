package blocks

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
)

const (
	// panelsBytes is about how much the panels that are filled at once take, and panelSums what the sums of a unit do:
	// both stay in the second-level cache, and so do rows that take at most keptRows.
	panelsBytes = 96 << 10
	panelSums   = 128 << 10
	keptRows    = 140 << 10
)

// manyCode is products of rounded rows that are not few. A unit is some panels, which it fills, some at once.
type manyCode struct {
	operands
	tile           tile
	rounding, pack *vector.Machine
	tiles          [3]*vector.Machine // the first one, which fetches blocks, whole ones and the last one
	filled         int                // panels at once
}

func compileMany(o operands, t vector.Backend, nests schedule.Nests) (_ kernel.Code, err error) {
	k := o.k
	p := &panel{processor: o.processor, format: k.B.Format, k: k.K}
	c := &manyCode{operands: o, tile: tile{panel: p}}
	if c.columns, err = schedule.NewColumns(k, c.choosePanels()*p.columns(), 1, nests); err != nil {
		return nil, err
	}
	c.tile.sumRow = c.sumRow()
	step, height := c.tile.rowChunk(), c.tile.height()
	n := rounding{from: k.A.DType, stride: k.A.Col * k.A.DType.Size(), k: k.K, bytes: step, scale: step, pairs: p.Squares}
	switch {
	case c.tile.taken() == none:
	case p.kind().halves() == 2:
		n.half, n.halfGap = step, 4*height
	default:
		n.sum = step
	}
	if c.Tiles != nil {
		n.fours = 4 * height
	}
	if c.unsigned() {
		n.zero = p.kind().zero
	}
	multiplier := t
	if c.Tiles != nil {
		multiplier = c.Tiles
	}
	for i, rows := range []int{height, height, k.M % height} {
		fetched := 0
		if i == 0 || k.M < height {
			fetched = c.fetchedLines()
		}
		if rows > 0 && (i == 2 || k.M >= (1+i)*height) {
			c.tiles[i] = c.Build(multiplier, func() *vector.Program { return c.tile.program(rows, fetched) }, tileWords, tileFault)
		}
	}
	c.pack = c.Build(t, func() *vector.Program { return p.program(k.B.Col) }, packWords, packFault)
	c.rounding = c.Build(t, n.programFor(t), roundWords, roundFault)
	title := fmt.Sprintf("; blocks of %v, units of %d panels\n", k.B.Format, c.columns.PerUnit/c.tile.columns())
	return c.described(c, c.unitNanos(), c.work(), title)
}

// choosePanels chooses how many panels are filled at once, and returns how many a unit has. If the rows stay in a
// cache, one panel is filled after the other: the panel stays in the first-level cache, and while the rows read it, the
// blocks of the next one are fetched.
func (c *manyCode) choosePanels() int {
	cols := c.tile.columns()
	all := (c.k.N + cols - 1) / cols
	most := max(1, min(panelSums/(4*cols*c.k.M), all))
	c.filled = max(1, min(panelsBytes/c.tile.bytes(), most))
	if c.entryBytes() <= keptRows {
		c.filled = 1
	}
	fills := min(mostUnit/(c.filled*cols*c.column), most/c.filled, all/(c.filled*leastUnits))
	return c.filled * max(1, fills)
}

// fetchedLines is how many lines of the blocks of the next panels are fetched for each chunk of a panel: none of
// columns that are far apart.
func (c *manyCode) fetchedLines() int {
	if c.lanes == 4 || c.k.B.Col > 2*c.column {
		return 0
	}
	return (c.tile.columns()*c.k.B.Col + c.k.K/chunk*64 - 1) / (c.k.K / chunk * 64)
}

func (c *manyCode) unitNanos() float64 {
	return float64(c.columns.PerUnit*c.k.K) * (0.25 + float64(c.k.M)/50)
}

// panelsAt is where panels lie behind the sums: behind the call block, and what fills panels or has sums of squares.
func (c *manyCode) panelsAt() int {
	return c.BlockBytes() + kernel.Aligned(max(c.tile.memory(), 2*vector.TileBytes))
}

func (c *manyCode) work() int { return c.panelsAt() + c.filled*c.tile.bytes() }

func (c *manyCode) entryBytes() int {
	height := c.tile.height()
	return (c.k.M + height - 1) / height * c.tile.tileBytes()
}

func (c *manyCode) Shared() int { return c.copies * c.entryBytes() }

// PrologueUnits implements [kernel.Code]: a unit is a row.
func (c *manyCode) PrologueUnits() int { return c.copies * c.k.M }

func (c *manyCode) RunPrologue(args *kernel.Args, lo, hi int) {
	height := c.tile.height()
	for u := lo; u < hi; u++ {
		entry, row := u/c.k.M, u%c.k.M
		tile := unsafe.Add(args.Ptr[len(args.Ptr)-1], entry*c.entryBytes()+row/height*c.tile.tileBytes())
		at := func(n int) unsafe.Pointer { return unsafe.Add(tile, n+4*(row%height)) }
		round(c.rounding, args.Scratch, c.row(args, entry, row), unsafe.Add(tile, c.tile.rowAt(row%height)),
			at(c.tile.scalesAt()), at(c.tile.sumsAt(0)))
	}
}

func (c *manyCode) Run(args *kernel.Args, lo, hi int) {
	c.columns.RunUnits(args, lo, hi, c.work(), func(entry, first, cols int) { c.sums(args, entry, first, cols) })
}

// sums computes the sums of some columns of an entry.
func (c *manyCode) sums(args *kernel.Args, entry, first, cols int) {
	each, height := c.tile.columns(), c.tile.height()
	for done := 0; done < cols; done += c.filled * each {
		count := min(cols-done, c.filled*each)
		c.fill(args, c.columnAt(args, entry, first+done), count)
		at, words := c.behind(args, tileWords)
		words[tileB] = uintptr(at) + uintptr(c.panelsAt())
		words[tileSquares] = uintptr(at) + uintptr(c.BlockBytes())
		words[tilePanels] = uintptr((count + each - 1) / each)
		words[tileNext] = uintptr(c.columnAt(args, entry, first+done+count))
		a := uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(min(entry, c.copies-1)*c.entryBytes())
		tile := 0
		for i, n := range []int{min(1, c.k.M/height), c.k.M/height - 1, min(1, c.k.M%height)} {
			if n <= 0 {
				continue
			}
			words[tileA], words[tileTiles] = a+uintptr(tile*c.tile.tileBytes()), uintptr(n)
			words[tileOut] = uintptr(args.Scratch) + uintptr(tile*height*c.sumRow()+4*done)
			c.tiles[i].Call(at)
			tile += n
		}
	}
}

// fill fills the panels of some columns, whose blocks begin at b. Sums of columns that are not there are never read,
// but what the memory had might be slow numbers.
func (c *manyCode) fill(args *kernel.Args, b unsafe.Pointer, cols int) {
	at, words := c.behind(args, packWords)
	memory, panels := unsafe.Add(at, c.BlockBytes()), unsafe.Add(at, c.panelsAt())
	each := c.tile.columns()
	for i := 0; i < cols; i += c.lanes {
		panel := unsafe.Add(panels, i/each*c.tile.bytes())
		if i%each == 0 && cols-i < each {
			clear(unsafe.Slice((*byte)(panel), c.tile.bytes()))
		}
		n := min(c.lanes, cols-i)
		if n < c.lanes {
			clear(unsafe.Slice((*byte)(memory), c.tile.memory()))
		}
		words[packTo], words[packFrom] = uintptr(panel)+uintptr(4*(i%each)), uintptr(b)+uintptr(i*c.k.B.Col)
		words[packNumbers] = uintptr(panel) + uintptr(chunk*(i%each))
		words[packColumns], words[packMemory] = uintptr(n), uintptr(memory)
		c.pack.Call(at)
	}
}
