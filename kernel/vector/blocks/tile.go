package blocks

import "github.com/go-acap/acap/kernel/vector"

// tile is products of rounded rows, four at once, with panels. Chunk by chunk a tile of rows has their bytes, then their scales, then
// the sums of the bytes times the scales if the format has least values: of 32 or, where a chunk has two scales, of each 16.
type tile struct {
	*panel
	rows, cols        int // of all
	outRow, outColumn int
}

const rowBytes = chunk * tileRows

// sumAt is where a chunk of rows has the sums of a half.
func (t *tile) sumAt(half int) int { return rowBytes + 4*tileRows*(1+half) }

// rowChunk is the memory of a chunk of rows.
func (t *tile) rowChunk() int {
	if t.kind().least == none {
		return t.sumAt(0)
	}
	return t.sumAt(t.kind().halves())
}

// rowAt is where the first chunk has the bytes of a row of a tile.
func (t *tile) rowAt(row int) int {
	if t.squares {
		return row/2*2*chunk + row%2*8
	}
	return row * chunk
}

// tileBytes is the memory of a tile of rows.
func (t *tile) tileBytes() int { return t.k / chunk * t.rowChunk() }

// Words of the call block of tiles.
const (
	tileA      = iota
	tileB      // panels
	tileOut    // the first result
	tilePanels // with all columns
	tileLast   // 1 if there is one with fewer
	tileFault
	tileWords
)

// program writes the loop over tiles of rows, and panels in it.
func (t *tile) program() *vector.Program {
	r := newReader("tiles", t.format)
	panels := func(a, out vector.Val, rows int) {
		r.Loop(r.Arg(tilePanels), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			t.sums(r, a, r.Along(r.Arg(tileB), i, t.bytes()), r.Along(out, i, panelCols*t.outColumn), rows, panelCols)
			return nil
		})
		if last := t.cols % panelCols; last > 0 {
			r.When(r.Arg(tileLast), func() {
				n := r.Arg(tilePanels)
				t.sums(r, a, r.Along(r.Arg(tileB), n, t.bytes()), r.Along(out, n, panelCols*t.outColumn), rows, last)
			})
		}
	}
	whole := t.rows / tileRows
	at := func(i vector.Val) (a, out vector.Val) {
		return r.Along(r.Arg(tileA), i, t.tileBytes()), r.Along(r.Arg(tileOut), i, tileRows*t.outRow)
	}
	if whole > 0 {
		r.Loop(r.Word(whole), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			a, out := at(i)
			panels(a, out, tileRows)
			return nil
		})
	}
	if last := t.rows % tileRows; last > 0 {
		a, out := at(r.Word(whole))
		panels(a, out, last)
	}
	return r.program()
}

// sums writes the results of some rows and columns.
func (t *tile) sums(r *reader, a, b, out vector.Val, rows, cols int) {
	quads := (cols + quad - 1) / quad
	sums := make([]vector.Val, rows*quads)
	for i := range sums {
		sums[i] = r.Float(vector.F32, 0)
	}
	sums = r.Loop(r.Word(t.k/chunk), 1, sums, func(i vector.Val, sums []vector.Val) []vector.Val {
		sums = append([]vector.Val(nil), sums...)
		rowsAt, panelAt := r.Along(a, i, t.rowChunk()), r.Along(b, i, t.chunkBytes())
		acc := make([]vector.Val, rows*quads)
		scales := r.Load(vector.F32, rowsAt, vector.Access{Offset: rowBytes})
		for half := range t.kind().halves() {
			for i := range acc {
				acc[i] = r.Bits(vector.I32, 0)
			}
			first, end := half*2/t.kind().halves(), (half+1)*2/t.kind().halves() // sixteens
			if t.squares {
				acc = t.addSquares(r, rowsAt, panelAt, rows, quads, first, end)
			} else {
				t.addLanes(r, rowsAt, panelAt, rows, quads, first, end, acc)
			}
			for q := range quads {
				of := r.Load(vector.F32, panelAt, vector.Access{Offset: t.scaleAt(half) + q*quadBytes})
				for row := range rows {
					i := row*quads + q
					f := r.Op(vector.Mul, r.Convert(vector.ToFloat, vector.F32, acc[i]), of)
					sums[i] = r.Into(vector.LaneMul, vector.F32, row, f, scales, sums[i])
				}
			}
			if r.least == none {
				continue
			}
			rowSums := r.Load(vector.F32, rowsAt, vector.Access{Offset: t.sumAt(half)})
			for q := range quads {
				least := r.Load(vector.F32, panelAt, vector.Access{Offset: t.leastAt(half) + q*quadBytes})
				for row := range rows {
					i := row*quads + q
					sums[i] = r.Into(vector.LaneMul, vector.F32, row, least, rowSums, sums[i])
				}
			}
		}
		return sums
	})
	for i, v := range sums {
		first := i % quads * quad
		a := vector.Access{Offset: first * t.outColumn, Count: count(first, cols)}
		if t.outColumn != 4 {
			a.Stride = t.outColumn
		}
		r.Store(v, r.Offset(out, i/quads*t.outRow), a)
	}
}

// addLanes adds products of four numbers.
func (t *tile) addLanes(r *reader, rowsAt, panelAt vector.Val, rows, quads, first, end int, acc []vector.Val) {
	for sixteen := first; sixteen < end; sixteen++ {
		var a [tileRows]vector.Val
		for row := range rows {
			a[row] = r.Load(vector.Bytes, rowsAt, vector.Access{Offset: t.rowAt(row) + 16*sixteen})
		}
		for four := range 4 {
			for q := range quads {
				b := r.Load(vector.Bytes, panelAt, vector.Access{Offset: (4*sixteen+four)*4*panelCols + q*quadBytes})
				for row := range rows {
					i := row*quads + q
					acc[i] = r.Into(vector.DotLane, vector.I32, four, b, a[row], acc[i])
				}
			}
		}
	}
}

// addSquares returns the sums of products of eight numbers of two rows and two columns, row by row.
func (t *tile) addSquares(r *reader, rowsAt, panelAt vector.Val, rows, quads, first, end int) []vector.Val {
	pairs := (rows + 1) / 2
	acc := make([]vector.Val, pairs*quads*2)
	for i := range acc {
		acc[i] = r.Bits(vector.I32, 0)
	}
	for eight := 2 * first; eight < 2*end; eight++ {
		var a [tileRows / 2]vector.Val
		for p := range pairs {
			a[p] = r.Load(vector.Bytes, rowsAt, vector.Access{Offset: t.rowAt(2*p) + 16*eight})
		}
		for two := range 2 {
			for q := range quads {
				b := r.Load(vector.Bytes, panelAt, vector.Access{Offset: eight*8*panelCols + two*32 + q*quadBytes})
				for p := range pairs {
					i := (p*quads+q)*2 + two
					acc[i] = r.Into(vector.MatSigned, vector.I32, 0, a[p], b, acc[i])
				}
			}
		}
	}
	var list []vector.Val
	for row := range rows {
		for q := range quads {
			i := (row/2*quads + q) * 2
			list = append(list, r.Into([2]vector.Op{vector.Zip1, vector.Zip2}[row%2], vector.I32, 8, acc[i], acc[i+1]))
		}
	}
	return list
}
