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
	kind       vector.Kind // of the sums
	op         vector.Op   // sum + column·row[i], or of squares
	square     bool        // a vector holds the sums of two rows by two columns
	across     bool        // of squares, whose columns are the first operand
	element    int         // bytes of a line of a panel in one step
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
	panel := t.rows * t.depth * t.element
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
		return b.Along(b.Arg(wordB), i, t.cols*t.depth*t.element), b.Along(b.Arg(wordC), i, t.cols*t.col)
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
	step := func(aAt, bAt vector.Val, n int, acc []vector.Val) []vector.Val {
		columns := t.load(b, bAt, cols, n*cols)
		if t.square {
			return t.addSquares(b, columns, aAt, rows, n*rows, acc)
		}
		return t.add(b, columns, t.load(b, aAt, rows, n*rows), acc)
	}
	acc := t.zeros(b, rows, cols)
	whole := t.depth / unrolled * unrolled
	if whole > unrolled {
		acc = b.Loop(b.Word(whole), unrolled, acc, func(k vector.Val, acc []vector.Val) []vector.Val {
			a, x := b.Along(aAt, k, rows*t.element), b.Along(bAt, k, cols*t.element)
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
	if t.square {
		acc = t.straight(b, acc, rows, cols)
	}
	t.store(b, acc, cAt, cols, t.row, t.col)
}

// vectors is how many vectors hold so many elements.
func vectors(b *vector.Builder, n int) int { return (n + b.Lanes() - 1) / b.Lanes() }

// inUse is how many lanes of the vector from element first on hold one of n elements, 0 for all lanes.
func inUse(b *vector.Builder, first, n int) int {
	if n-first < b.Lanes() {
		return n - first
	}
	return 0
}

// zeros writes sums to begin with: vectors of columns, row by row.
func (t *tile) zeros(b *vector.Builder, rows, cols int) []vector.Val {
	n := rows * vectors(b, cols)
	if t.square {
		n = (rows + 1) / 2 * ((cols + 1) / 2)
	}
	acc := make([]vector.Val, n)
	for i := range acc {
		acc[i] = b.Bits(t.kind, 0)
	}
	return acc
}

// load reads n elements of a panel, from element first on behind an address.
func (t *tile) load(b *vector.Builder, at vector.Val, n, first int) (list []vector.Val) {
	lanes := t.element / t.kind.Size() // of an element
	for i := 0; i < n*lanes; i += b.Lanes() {
		list = append(list, b.Load(t.kind, at, vector.Access{Offset: first*t.element + i*t.kind.Size(), Count: inUse(b, i, n*lanes)}))
	}
	return list
}

// add writes the sums plus the products of columns with the elements that factors have, one for each row.
func (t *tile) add(b *vector.Builder, columns, factors, acc []vector.Val) []vector.Val {
	out := make([]vector.Val, len(acc))
	for n := range acc {
		i, j := n/len(columns), n%len(columns)
		out[n] = b.Into(t.op, t.kind, i%b.Lanes(), columns[j], factors[i/b.Lanes()], acc[n])
	}
	return out
}

// store writes the sums to results that are so many bytes apart, between rows and between columns.
func (t *tile) store(b *vector.Builder, acc []vector.Val, out vector.Val, cols, row, col int) {
	across := vectors(b, cols)
	for n, v := range acc {
		first := n % across * b.Lanes()
		a := vector.Access{Offset: first * col, Count: inUse(b, first, cols)}
		if col != t.kind.Size() {
			a.Stride = col
		}
		b.Store(v, b.Offset(out, n/across*row), a)
	}
}
