package gemm

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// A panelSplitter packs panels of B in pieces: a panel has its extremes, and then for each step of
// tiles the tiles of each piece; row i of a tile has elements i and i+16 of the step.
type panelSplitter struct {
	*plan
	columns bool                 // whole panels are read where their columns lie
	pieces  [2]*panel.PiecesCode // of panels of B as they lie, of strips
	strip   *panel.StridedCode   // the copy of a strip
	strips  sync.Pool            // of *panelStrip
}

// A panelStrip is the part of a panel that one step takes, and the largest magnitudes of whole columns that lie contiguously.
type panelStrip struct {
	cells [stripDepth][blockColumns]float32
	most  [blockColumns]maxima
}

func newPanelSplitter(p *plan, parts vector.Backend) (s *panelSplitter, err error) {
	s = &panelSplitter{plan: p, columns: p.splitsColumns(), strips: sync.Pool{New: func() any { return new(panelStrip) }}}
	for i, t := range [2]dtype.DType{p.b.DType, dtype.F32} {
		if i == 0 && !s.columns && p.b.Col != 1 { // which are gathered
			continue
		}
		if i == 0 && s.columns {
			s.pieces[i], err = panel.PieceColumns{From: t, Count: p.arith.pieces[1], Across: blockColumns / tileSide, Column: p.b.Col * t.Size(), To: tileSide * p.packedRow()}.Build(parts)
		} else {
			s.pieces[i], err = panel.Pieces{From: t, Count: p.arith.pieces[1], Across: blockColumns / tileSide, Next: blockColumns * t.Size(), To: p.panel,
				Most: p.panel}.Build(parts)
		}
		if err != nil {
			return nil, err
		}
	}
	cells := panel.Cells{From: p.b.DType, To: dtype.F32, Group: 1}
	s.strip, err = panel.Strided{Cells: cells, Columns: true, Depth: p.k, Side: p.n, Deep: p.b.Row, Across: p.b.Col,
		Out: blockColumns * 4}.Build(parts)
	return s, err
}

// splitsColumns reports whether whole panels of B are split where their columns, which are contiguous, lie.
func (p *plan) splitsColumns() bool {
	return p.b.Row == 1 && p.b.Col > 1 && p.b.Col*p.b.DType.Size()*blockColumns < math.MaxInt32 && p.n >= blockColumns && p.k >= stripDepth
}

// pack packs count panels from panel first on; src is the first element of a batch entry.
func (s *panelSplitter) pack(src, dst unsafe.Pointer, first, count int) {
	for i := range count {
		*(*panelMaxima)(unsafe.Add(dst, i*s.panel)) = panelMaxima{}
	}
	full := 0 // panels that are read in place, but for a last part of a step
	if s.b.Col == 1 || s.columns {
		full = min(count, max(0, s.n/blockColumns-first))
	}
	size := s.b.DType.Size()
	if s.columns {
		s.packColumns(src, dst, first, full)
	}
	for step := 0; step*stripDepth < s.k; step++ {
		call := panel.PiecesCall{
			From: uintptr(src) + uintptr((step*stripDepth*s.b.Row+first*blockColumns)*size),
			To:   uintptr(dst) + uintptr(s.correctionBytes()+step*tileSide*s.packedRow()),
			Most: uintptr(dst),
			Row:  s.b.Row * size, High: tileSide * s.b.Row * size, Rows: tileSide, Groups: full,
		}
		if (step+1)*stripDepth > s.k {
			call.Groups = 0
		}
		if call.Groups > 0 && !s.columns {
			s.pieces[0].Split(&call)
		}
		s.packGathered(src, call, step, first, count)
	}
	for i := range count {
		most := (*panelMaxima)(unsafe.Add(dst, i*s.panel))
		*(*extremes)(unsafe.Pointer(most)) = extremesOf(most[:]...)
	}
}

// packColumns packs the whole steps of whole panels, one panel after the other.
func (s *panelSplitter) packColumns(src, dst unsafe.Pointer, first, count int) {
	strip := s.strips.Get().(*panelStrip)
	for i := range count {
		clear(strip.most[:])
		at := unsafe.Add(dst, i*s.panel)
		s.pieces[0].Split(&panel.PiecesCall{
			From: uintptr(src) + uintptr((first+i)*blockColumns*s.b.Col*s.b.DType.Size()),
			To:   uintptr(at) + uintptr(s.correctionBytes()), Most: uintptr(unsafe.Pointer(&strip.most)), Groups: s.k / stripDepth,
		})
		for j := range strip.most {
			(*panelMaxima)(at)[j] = slices.Max(strip.most[j][:])
		}
	}
	s.strips.Put(strip)
}

// packGathered packs a step of those panels that a call leaves.
func (s *panelSplitter) packGathered(src unsafe.Pointer, call panel.PiecesCall, step, first, count int) {
	strip, done := s.strips.Get().(*panelStrip), call.Groups
	call.From, call.Row, call.Groups = uintptr(unsafe.Pointer(strip)), blockColumns*4, 1
	call.High = tileSide * call.Row
	call.To, call.Most = call.To+uintptr(done*s.panel), call.Most+uintptr(done*s.panel)
	for i := done; i < count; i++ {
		s.gather(strip, src, step*stripDepth, (first+i)*blockColumns)
		s.pieces[1].Split(&call)
		call.To, call.Most = call.To+uintptr(s.panel), call.Most+uintptr(s.panel)
	}
	s.strips.Put(strip)
}

// gather reads the elements of B from row and column on and fills them up with zeros.
func (s *panelSplitter) gather(strip *panelStrip, src unsafe.Pointer, row, column int) {
	rows, columns := min(stripDepth, s.k-row), min(blockColumns, s.n-column)
	if rows < stripDepth || columns < blockColumns {
		clear(strip.cells[:])
	}
	from := unsafe.Add(src, (row*s.b.Row+column*s.b.Col)*s.b.DType.Size())
	s.strip.Copy(from, unsafe.Pointer(strip), rows, columns)
}
