package product

import "github.com/go-acap/acap/kernel/vector"

// Words of the call block.
const (
	wordA = iota
	wordB
	wordC
	wordRows     // panels of A with all rows of a tile
	wordLastRows // 1 if there is one with fewer
	wordColumns  // panels of B
	wordLastColumns
	wordFault
	words
)

// tile is what the code of tiles depends on.
type tile struct {
	kind       vector.Kind // of the sums, and of the elements of panels
	op         vector.Op   // sum + column·row[i]
	rows, cols int         // of a whole tile
	lastRows   int         // of the last one, 0 if all are whole
	lastCols   int
	depth      int // steps of the sum
	row, col   int // bytes between results
}

// steps of a sum that one turn of its loop does.
const unrolled = 4

// program writes the loops over tiles.
func (t *tile) program() *vector.Program {
	b := vector.NewBuilder("product", 16/t.kind.Size())
	size := t.kind.Size()
	panel := t.rows * t.depth * size
	columns := func(bAt, cAt vector.Val, cols int) {
		rows := b.Arg(wordRows)
		b.Loop(rows, 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			t.sums(b, b.Along(b.Arg(wordA), i, panel), bAt, b.Along(cAt, i, t.rows*t.row), t.rows, cols)
			return nil
		})
		if t.lastRows > 0 {
			b.When(b.Arg(wordLastRows), func() {
				t.sums(b, b.Along(b.Arg(wordA), rows, panel), bAt, b.Along(cAt, rows, t.rows*t.row), t.lastRows, cols)
			})
		}
	}
	at := func(i vector.Val) (bAt, cAt vector.Val) {
		return b.Along(b.Arg(wordB), i, t.cols*t.depth*size), b.Along(b.Arg(wordC), i, t.cols*t.col)
	}
	b.Loop(b.Arg(wordColumns), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		bAt, cAt := at(i)
		columns(bAt, cAt, t.cols)
		return nil
	})
	if t.lastCols > 0 {
		b.When(b.Arg(wordLastColumns), func() {
			bAt, cAt := at(b.Arg(wordColumns))
			columns(bAt, cAt, t.lastCols)
		})
	}
	p := b.Program()
	p.Optimise()
	return p
}

// sums writes a tile.
func (t *tile) sums(b *vector.Builder, aAt, bAt, cAt vector.Val, rows, cols int) {
	lanes, size := b.Lanes(), t.kind.Size()
	vectors := (cols + lanes - 1) / lanes
	acc := make([]vector.Val, rows*vectors)
	for i := range acc {
		acc[i] = b.Bits(t.kind, 0)
	}
	load := func(at vector.Val, n, step int) (list []vector.Val) {
		for first := 0; first < n; first += lanes {
			a := vector.Access{Offset: (step*n + first) * size}
			if n-first < lanes {
				a.Count = n - first
			}
			list = append(list, b.Load(t.kind, at, a))
		}
		return list
	}
	step := func(aAt, bAt vector.Val, n int, acc []vector.Val) []vector.Val {
		x, y := load(bAt, cols, n), load(aAt, rows, n)
		out := make([]vector.Val, len(acc))
		for i := range rows {
			for j := range vectors {
				out[i*vectors+j] = b.Into(t.op, t.kind, i%lanes, x[j], y[i/lanes], acc[i*vectors+j])
			}
		}
		return out
	}
	whole := t.depth / unrolled * unrolled
	if whole > unrolled {
		acc = b.Loop(b.Word(whole), unrolled, acc, func(k vector.Val, acc []vector.Val) []vector.Val {
			a, x := b.Along(aAt, k, rows*size), b.Along(bAt, k, cols*size)
			for n := range unrolled {
				acc = step(a, x, n, acc)
			}
			return acc
		})
	} else {
		whole = 0
	}
	for n := whole; n < t.depth; n++ {
		acc = step(aAt, bAt, n, acc)
	}
	for i := range rows {
		row := b.Offset(cAt, i*t.row)
		for j := range vectors {
			a := vector.Access{Offset: j * lanes * t.col}
			if t.col != size {
				a.Stride = t.col
			}
			if cols-j*lanes < lanes {
				a.Count = cols - j*lanes
			}
			b.Store(acc[i*vectors+j], row, a)
		}
	}
}
