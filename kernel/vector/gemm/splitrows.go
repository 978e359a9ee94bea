package gemm

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// A rowSplitter copies rows of A in pieces: for 16 rows at a time, for each step of tiles, a tile of
// each piece; cell i of a row has elements i and i+16 of the step. Behind the tiles of a batch entry
// lie the extremes of every rowsPerUnit rows.
type rowSplitter struct {
	*plan
	pieces [2]*panel.PiecesCode // of rows of A as they lie, of strips
	strip  *panel.StridedCode   // the copy of a strip
	strips sync.Pool            // of *rowStrip
}

// A rowStrip is a part of some rows, and the largest magnitudes of the whole rows.
type rowStrip struct {
	cells [rowsPerUnit][stripWidth + 16]float32
	most  [rowsPerUnit]maxima
}

// stripWidth is the number of elements of a row that are gathered at once.
const stripWidth = 2 * stripDepth

func newRowSplitter(p *plan, parts vector.Backend) (s *rowSplitter, err error) {
	s = &rowSplitter{plan: p, strips: sync.Pool{New: func() any { return new(rowStrip) }}}
	for i, t := range [2]dtype.DType{p.a.DType, dtype.F32} {
		if i == 0 && p.a.Col != 1 { // which are gathered
			continue
		}
		s.pieces[i], err = panel.Pieces{From: t, Count: p.arith.pieces[0], Across: 1, Next: stripDepth * t.Size(),
			To: vector.TileBytes * p.arith.pieces[0], MostRow: int(unsafe.Sizeof(maxima{}))}.Build(parts)
		if err != nil {
			return nil, err
		}
	}
	cells := panel.Cells{From: p.a.DType, To: dtype.F32, Group: 1}
	s.strip, err = panel.Strided{Cells: cells, Depth: p.k, Side: p.m, Deep: p.a.Col, Across: p.a.Row,
		Out: int(unsafe.Sizeof(rowStrip{}.cells[0]))}.Build(parts)
	return s, err
}

// copy copies count rows from row first on, a multiple of rowsPerUnit; src is the first element of a
// batch entry, dst the first tile.
func (s *rowSplitter) copy(src, dst unsafe.Pointer, first, count int) {
	strip := s.strips.Get().(*rowStrip)
	clear(strip.most[:])
	call := panel.PiecesCall{To: uintptr(dst) + uintptr(first*s.rowBytes()), Most: uintptr(unsafe.Pointer(&strip.most))}
	size := s.a.DType.Size()
	src = unsafe.Add(src, first*s.a.Row*size)
	done := 0
	if s.a.Col == 1 {
		done = s.k / stripDepth * stripDepth
		call.From, call.Row, call.High = uintptr(src), s.a.Row*size, tileSide*size
		s.split(s.pieces[0], call, count, 0, done)
	}
	call.From, call.Row, call.High = uintptr(unsafe.Pointer(strip)), int(unsafe.Sizeof(strip.cells[0])), tileSide*4
	for ; done < s.k; done += stripWidth {
		n := min(stripWidth, s.k-done)
		s.gather(strip, unsafe.Add(src, done*s.a.Col*size), count, n)
		s.split(s.pieces[1], call, count, done, kernel.Pieces(n, stripDepth)*stripDepth)
	}
	var rows [rowsPerUnit]uint32
	for i := range rows {
		rows[i] = slices.Max(strip.most[i][:])
	}
	*(*extremes)(unsafe.Add(dst, s.rowTiles()*s.rowBytes()+first/rowsPerUnit*maximaBytes)) = extremesOf(rows[:]...)
	s.strips.Put(strip)
}

// split writes n elements of count rows, which a call has, from column on.
func (s *rowSplitter) split(pieces *panel.PiecesCode, call panel.PiecesCall, count, column, n int) {
	if n == 0 {
		return
	}
	call.Groups = n / stripDepth
	call.To += uintptr(column / stripDepth * s.arith.pieces[0] * vector.TileBytes)
	for ; count > 0; count -= tileSide {
		call.Rows = min(count, tileSide)
		pieces.Split(&call)
		call.From += uintptr(tileSide * call.Row)
		call.To += uintptr(tileSide * s.rowBytes())
		call.Most += tileSide * unsafe.Sizeof(maxima{})
	}
}

// gather reads n elements of count rows and fills them up with zeros to whole steps.
func (s *rowSplitter) gather(strip *rowStrip, src unsafe.Pointer, count, n int) {
	s.strip.Copy(src, unsafe.Pointer(strip), n, count)
	if rest := n % stripDepth; rest > 0 {
		for i := range count {
			clear(strip.cells[i][n : n-rest+stripDepth])
		}
	}
}
