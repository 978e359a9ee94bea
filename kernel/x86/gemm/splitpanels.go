package gemm

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A panelSplitter packs panels of B in pieces: a panel has its maxima, and then for each step of
// tiles the tiles of each piece; row i of a tile has elements i and i+16 of the step.
type panelSplitter struct {
	*plan
	columns bool               // whole panels are read where their columns lie
	entry   [2]int             // of panels of B as they lie, of strips
	strip   *panel.StridedCode // the copy of a strip
	strips  sync.Pool          // of *panelStrip
}

// A panelStrip is what one step takes of a panel.
type panelStrip [stripDepth][blockColumns]float32

func newPanelSplitter(p *plan, a *asm.Assembler, parts vector.Backend) (s *panelSplitter, err error) {
	s = &panelSplitter{plan: p, columns: p.splitsColumns(), strips: sync.Pool{New: func() any { return new(panelStrip) }}}
	for i, t := range [2]dtype.DType{p.b.DType, dtype.F32} {
		s.entry[i] = splitter{pieces: p.arith.pieces[1], across: blockColumns / tileSide,
			srcNext: blockColumns * t.Size(), dstNext: p.panel, maxNext: p.panel}.emit(a, t, p.features)
	}
	if s.columns {
		s.entry[0] = s.emitColumns(a)
	}
	cells := panel.Cells{From: p.b.DType, To: dtype.F32, Group: 1}
	s.strip, err = panel.Strided{Cells: cells, Columns: true, Depth: p.k, Side: p.n, Deep: p.b.Row, Across: p.b.Col,
		Out: blockColumns * 4}.Build(parts)
	return s, err
}

// pack packs count panels from panel first on; src is the first element of a batch entry.
func (s *panelSplitter) pack(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	for i := range count {
		*(*maxima)(unsafe.Add(dst, i*s.panel)) = maxima{}
	}
	full := 0 // panels that are read in place, but for a last part of a step
	if s.b.Col == 1 || s.columns {
		full = min(count, max(0, s.n/blockColumns-first))
	}
	size := s.b.DType.Size()
	if s.columns {
		s.packColumns(code, src, dst, first, full)
	}
	for step := 0; step*stripDepth < s.k; step++ {
		args := splitArgs{
			src:    uintptr(src) + uintptr((step*stripDepth*s.b.Row+first*blockColumns)*size),
			dst:    uintptr(dst) + uintptr(s.correctionBytes()+step*tileSide*s.packedRow()),
			most:   uintptr(dst),
			stride: s.b.Row * size, high: tileSide * s.b.Row * size, rows: tileSide, count: full,
		}
		if (step+1)*stripDepth > s.k {
			args.count = 0
		}
		if args.count > 0 && !s.columns {
			code.CallAt(s.entry[0], unsafe.Pointer(&args))
		}
		s.packGathered(code, src, args, step, first, count)
	}
}

// packColumns packs the whole steps of whole panels, one panel after the other.
func (s *panelSplitter) packColumns(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	for i := range count {
		panel := uintptr(dst) + uintptr(i*s.panel)
		args := splitArgs{
			src: uintptr(src) + uintptr((first+i)*blockColumns*s.b.Col*s.b.DType.Size()),
			dst: panel + uintptr(s.correctionBytes()), most: panel, count: s.k / stripDepth,
		}
		code.CallAt(s.entry[0], unsafe.Pointer(&args))
	}
}

// packGathered packs a step of those panels that args leaves.
func (s *panelSplitter) packGathered(code *exec.Code, src unsafe.Pointer, args splitArgs, step, first, count int) {
	strip, done := s.strips.Get().(*panelStrip), args.count
	args.src, args.stride, args.count = uintptr(unsafe.Pointer(strip)), blockColumns*4, 1
	args.high = tileSide * args.stride
	args.dst, args.most = args.dst+uintptr(done*s.panel), args.most+uintptr(done*s.panel)
	for i := done; i < count; i++ {
		s.gather(strip, src, step*stripDepth, (first+i)*blockColumns)
		code.CallAt(s.entry[1], unsafe.Pointer(&args))
		args.dst, args.most = args.dst+uintptr(s.panel), args.most+uintptr(s.panel)
	}
	s.strips.Put(strip)
}

// gather reads the elements of B from row and column on and fills them up with zeros.
func (s *panelSplitter) gather(strip *panelStrip, src unsafe.Pointer, row, column int) {
	rows, columns := min(stripDepth, s.k-row), min(blockColumns, s.n-column)
	if rows < stripDepth || columns < blockColumns {
		*strip = panelStrip{}
	}
	from := unsafe.Add(src, (row*s.b.Row+column*s.b.Col)*s.b.DType.Size())
	s.strip.Copy(from, unsafe.Pointer(strip), rows, columns)
}
