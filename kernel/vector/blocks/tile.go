package blocks

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// tile is products of rounded rows, some at once, with panels. Chunk by chunk a tile of rows has their bytes, for
// squares of sixteen by sixteen four of each row in turn, then their scales, then the sums of the bytes times the scales
// if the format takes them: of 32 or, where a chunk has two scales, of each 16.
type tile struct {
	*panel
	sumRow int // bytes from the sums of a row to the next row's
}

// height is how many rows a tile has.
func (t *tile) height() int {
	if t.Tiles != nil {
		return 16
	}
	return 4
}

// scalesAt and sumsAt are where a chunk of rows has their scales, and the sums of a half.
func (t *tile) scalesAt() int       { return chunk * t.height() }
func (t *tile) sumsAt(half int) int { return t.scalesAt() + 4*t.height()*(1+half) }
func (t *tile) taken() sign         { return t.takes(t.kind()) }
func (t *tile) zeroes() bool        { return t.unsigned() && t.kind().zero > 0 }

// rowChunk is the memory of a chunk of rows.
func (t *tile) rowChunk() int {
	if t.taken() == none {
		return t.sumsAt(0)
	}
	return t.sumsAt(t.kind().halves())
}

// rowAt is where the first chunk has the bytes of a row of a tile.
func (t *tile) rowAt(row int) int {
	switch {
	case t.Tiles != nil:
		return 4 * row
	case t.Squares:
		return row/2*2*chunk + row%2*8
	}
	return row * chunk
}

// tileBytes is the memory of a tile of rows.
func (t *tile) tileBytes() int { return t.k / chunk * t.rowChunk() }

// Words of the call block of tiles.
const (
	tileA       = iota
	tileB       // panels
	tileOut     // the first sum
	tileTiles   // of rows
	tilePanels  // how many
	tileNext    // what is fetched
	tileSquares // memory of two squares of sums
	tileFault
	tileWords
)

// writer writes the code of tiles.
type writer struct {
	*vector.Builder
	*tile
	rows    int
	vectors int // of the sums of a row
}

// program writes the loop over tiles of some rows, and over panels in it. Each chunk fetches lines of the next panels'
// blocks.
func (t *tile) program(rows, fetched int) *vector.Program {
	lanes := t.lanes
	if t.Tiles != nil {
		lanes = t.columns()
	}
	w := &writer{Builder: vector.NewBuilder("tiles", lanes), tile: t, rows: rows, vectors: t.columns() / lanes}
	if t.Tiles != nil {
		w.Do(vector.TileSizes, w.sizes())
	}
	w.Loop(w.Arg(tileTiles), 1, []vector.Val{w.Arg(tileA), w.Arg(tileOut)}, func(_ vector.Val, at []vector.Val) []vector.Val {
		a, out := at[0], at[1]
		panels := []vector.Val{w.Arg(tileB), out, w.Arg(tileNext)}
		w.Loop(w.Arg(tilePanels), 1, panels, func(_ vector.Val, at []vector.Val) []vector.Val {
			b, next := w.panel(a, at[0], at[1], at[2], fetched)
			return []vector.Val{b, w.Offset(at[1], t.step()), next}
		})
		return []vector.Val{w.Offset(a, t.tileBytes()), w.Offset(out, rows*t.sumRow)}
	})
	if t.Tiles != nil {
		w.Do(vector.TileRelease)
	}
	return w.Optimised()
}

// panel writes the sums of the rows and of the columns of a panel, and returns where the next one is, and what is
// fetched next.
func (w *writer) panel(a, b, out, next vector.Val, fetched int) (_, _ vector.Val) {
	sums := make([]vector.Val, w.rows*w.vectors)
	if w.Tiles != nil {
		sums = make([]vector.Val, w.columns()) // of columns
	}
	for i := range sums {
		sums[i] = w.Float(vector.F32, 0)
	}
	if w.Tiles != nil {
		list := w.inSquares(a, b, next, fetched, sums)
		w.storeSums(transpose.Square(w.Builder, list[2:])[:w.rows], out)
		return list[0], list[1]
	}
	list := w.Loop(w.Word(w.k/chunk), 1, append([]vector.Val{a, b, next}, sums...), func(_ vector.Val, c []vector.Val) []vector.Val {
		rowsAt, panelAt, next := c[0], c[1], c[2]
		sums := append([]vector.Val(nil), c[3:]...)
		for line := range fetched {
			w.Prefetch(next, 64*line)
		}
		for half := range w.kind().halves() {
			first, end := half*2/w.kind().halves(), (half+1)*2/w.kind().halves() // sixteens
			switch {
			case w.Squares:
				w.lanesScaled(rowsAt, panelAt, half, w.smallSquares(rowsAt, panelAt, first, end), sums)
			case w.Dots.Lanes:
				w.lanesScaled(rowsAt, panelAt, half, w.lanesOfRows(rowsAt, panelAt, first, end), sums)
			default:
				w.scaled(rowsAt, panelAt, half, w.fours(rowsAt, panelAt, 4*first, 4*end), sums)
			}
		}
		return append([]vector.Val{w.Offset(rowsAt, w.rowChunk()), w.Offset(panelAt, w.chunkBytes()), w.Offset(next, 64*fetched)}, sums...)
	})
	w.storeSums(list[3:], out)
	return list[1], list[2]
}

func (w *writer) storeSums(sums []vector.Val, out vector.Val) {
	for i, v := range sums {
		w.Store(v, out, vector.Access{Offset: i/w.vectors*w.sumRow + i%w.vectors*4*w.Lanes()})
	}
}

// zeros is a vector of integers for each sum.
func (w *writer) zeros() []vector.Val {
	acc := make([]vector.Val, w.rows*w.vectors)
	for i := range acc {
		acc[i] = w.Bits(vector.I32, 0)
	}
	return acc
}
