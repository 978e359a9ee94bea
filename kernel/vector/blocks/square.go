package blocks

import (
	"github.com/go-acap/acap/kernel/vector"
)

// sizes is the table of the sizes of the registers.
func (w *writer) sizes() vector.Val {
	depth := chunk / 4 / w.kind().halves()
	return w.TileTable(func(register int) (rows, bytes int) {
		switch register {
		case vector.TileSums:
			return w.columns(), 4 * w.rows
		case vector.TileRows:
			return w.columns(), 4 * depth
		case vector.TileColumns:
			return depth, 4 * w.rows
		}
		return 0, 0
	})
}

// squares is where the products of a panel with rows are: squares of sixteen columns, which are the rows of a square,
// and of rows, one of each half of a chunk that has a scale of its own. The numbers of a panel are not transposed for
// them; rows are, once.
type squares struct {
	*writer
	rows, panel vector.Val // the chunk of square 0
	cur, other  vector.Val // memory of the sums of two squares
}

// at is the addresses of a square, and its half.
func (s *squares) at(n int) (rows, panel vector.Val, half int) {
	h := s.kind().halves()
	return s.Offset(s.rows, n/h*s.rowChunk()), s.Offset(s.panel, n/h*s.chunkBytes()), n % h
}

// multiply begins the products of a square.
func (s *squares) multiply(n int) {
	rows, panel, half := s.at(n)
	first := half * 2 / s.kind().halves() // sixteen
	s.Tile(vector.TileZero, vector.TileSums, 0)
	s.Tile(vector.TileLoad, vector.TileRows, chunk, s.Offset(panel, 16*first))
	s.Tile(vector.TileLoad, vector.TileColumns, 4*s.height(), s.Offset(rows, s.rowAt(0)+16*first*s.height()))
	s.Tile(vector.TileDotSigned, vector.TileSums, 0)
}

// scale adds the sums of a square, which are in memory, to the sums of the rows. Those of the next square are stored,
// and the products of the one behind that begin, before that: a processor takes as long from products to sums as it
// takes to scale a square. So many squares are left.
func (s *squares) scale(n, left int, sums []vector.Val) {
	if left > 1 {
		s.Tile(vector.TileStore, vector.TileSums, s.step(), s.other)
	}
	if left > 2 {
		s.multiply(n + 2)
	}
	rows, panel, half := s.at(n)
	s.scaled(rows, panel, half, func(column int) vector.Val {
		return s.Load(vector.I32, s.cur, vector.Access{Offset: column * s.step()})
	}, sums)
	s.cur, s.other = s.other, s.cur
}

// inSquares writes the sums of a panel's columns, whose lanes are rows, and returns them behind where the next panel
// is, and what is fetched next.
func (w *writer) inSquares(a, b, next vector.Val, fetched int, sums []vector.Val) []vector.Val {
	h := w.kind().halves()
	all := w.k / chunk * h
	fetch := func(next vector.Val, chunk int) {
		for line := range fetched {
			w.Prefetch(next, 64*(chunk*fetched+line))
		}
	}
	s := &squares{w, a, b, w.Arg(tileSquares), w.Offset(w.Arg(tileSquares), vector.TileBytes)}
	s.multiply(0)
	s.Tile(vector.TileStore, vector.TileSums, s.step(), s.cur)
	if all > 1 {
		s.multiply(1)
	}
	turns := max(0, all-2) / h
	list := append([]vector.Val{a, b, next, s.cur, s.other}, sums...)
	list = w.Loop(w.Word(turns), 1, list, func(_ vector.Val, c []vector.Val) []vector.Val {
		s := &squares{w, c[0], c[1], c[3], c[4]}
		sums := append([]vector.Val(nil), c[5:]...)
		fetch(c[2], 0)
		for n := range h {
			s.scale(n, h+2, sums)
		}
		rows, panel, _ := s.at(h)
		return append([]vector.Val{rows, panel, w.Offset(c[2], 64*fetched), s.cur, s.other}, sums...)
	})
	s = &squares{w, list[0], list[1], list[3], list[4]}
	sums = append([]vector.Val(nil), list[5:]...)
	left := all - turns*h
	for n := range left {
		if n%h == 0 {
			fetch(list[2], n/h)
		}
		s.scale(n, left-n, sums)
	}
	_, panel, _ := s.at(left)
	return append([]vector.Val{panel, w.Offset(list[2], 64*fetched*left/h)}, sums...)
}
