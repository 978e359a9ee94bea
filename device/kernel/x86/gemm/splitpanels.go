package gemm

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/exec"
	"github.com/go-acap/acap/device/kernel/x86/transpose"
	"github.com/go-acap/acap/tensor/dtype"
)

// A panelSplitter packs panels of B in pieces: a panel has its maxima, and then for each step of
// tiles the tiles of each piece; row i of a tile has elements i and i+16 of the step.
type panelSplitter struct {
	*plan
	entry      [2]int             // of panels of B as they lie, of strips
	transposer [2]transpose.Mover // of whole strips and of the last, where columns are contiguous
	strips     sync.Pool          // of *panelStrip
}

// A panelStrip is what one step takes of a panel.
type panelStrip [stripDepth][blockColumns]float32

// panelArgs are the arguments of the code, which packs a step of some panels.
type panelArgs struct {
	src, dst, most uintptr // of the first panel
	stride         int     // of rows, bytes
	panels         int
}

func newPanelSplitter(p *plan, a *asm.Assembler) *panelSplitter {
	s := &panelSplitter{plan: p, strips: sync.Pool{New: func() any { return new(panelStrip) }}}
	s.entry = [2]int{s.emit(a, p.b.DType), s.emit(a, dtype.F32)}
	if s.transposes() {
		for i, length := range [2]int{min(stripDepth, p.k), p.k % stripDepth} {
			s.transposer[i] = transpose.Mover{
				Lines: p.n % blockColumns, Length: length * 4, Cell: 4, SrcStride: p.b.Col * 4,
				DstStride: blockColumns * 4,
			}
			s.transposer[i].Emit(a, p.features)
		}
	}
	return s
}

// transposes reports whether columns of B are contiguous.
func (s *panelSplitter) transposes() bool {
	return s.b.DType == dtype.F32 && s.b.Col != 1 && s.b.Row == 1 && s.b.Col > 0 && s.b.Col*4*17 < 1<<31
}

// emit emits the loops over panels and rows of cells, of elements of type t.
func (s *panelSplitter) emit(a *asm.Assembler, t dtype.DType) (entry int) {
	pieces, load := s.arith.pieces[1], widening{t, dtype.F32, s.features}
	a.Align(64)
	entry = a.Len()
	a.Notef("panels of %v in %d pieces", t, pieces)
	w := newPieceWriter(a)
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, 16))
	a.Emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, 24))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, 32))
	a.Emit(asm.MOV, asm.R10, asm.R9)
	a.Emit(asm.SHL, asm.R10, asm.Imm(4)) // 16 rows
	panel := a.Here()
	a.Emit(asm.VMOVUPS, w.most, asm.Ptr(asm.R8, 0))
	a.Emit(asm.MOV, asm.RAX, asm.RSI)
	a.Emit(asm.MOV, asm.RBX, asm.RDX)
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(tileSide))
	row := a.Here()
	for j := range blockColumns / tileSide {
		low, high := asm.Z(8*j), asm.Z(8*j+1)
		at := j * tileSide * t.Size()
		load.load(a, low, asm.Ptr(asm.RAX, at), 0)
		load.load(a, high, asm.At(asm.RAX, asm.R10, 1, at), 0)
		w.write(low, high, pieces, 8*j+2, func(piece int) asm.Mem {
			return asm.Ptr(asm.RBX, (piece*blockColumns/tileSide+j)*tileBytes)
		})
	}
	a.Emit(asm.ADD, asm.RAX, asm.R9)
	a.Emit(asm.ADD, asm.RBX, asm.Imm(64))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.R8, 0), w.most)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(blockColumns*t.Size()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(s.panel))
	a.Emit(asm.ADD, asm.R8, asm.Imm(s.panel))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, panel)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// pack packs count panels from panel first on; src is the first element of a batch entry.
func (s *panelSplitter) pack(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	for i := range count {
		*(*maxima)(unsafe.Add(dst, i*s.panel)) = maxima{}
	}
	full := 0 // panels that are read in place, but for a last part of a step
	if s.b.Col == 1 {
		full = min(count, max(0, s.n/blockColumns-first))
	}
	size := s.b.DType.Size()
	for step := 0; step*stripDepth < s.k; step++ {
		args := panelArgs{
			src:    uintptr(src) + uintptr((step*stripDepth*s.b.Row+first*blockColumns)*size),
			most:   uintptr(dst),
			dst:    uintptr(dst) + uintptr(s.correctionBytes()+step*tileSide*s.packedRow()),
			stride: s.b.Row * size, panels: full,
		}
		if (step+1)*stripDepth > s.k {
			args.panels = 0
		}
		if args.panels > 0 {
			code.CallAt(s.entry[0], unsafe.Pointer(&args))
		}
		s.packGathered(code, src, args, step, first, count)
	}
}

// packGathered packs a step of those panels that args leaves.
func (s *panelSplitter) packGathered(code *exec.Code, src unsafe.Pointer, args panelArgs, step, first, count int) {
	strip := s.strips.Get().(*panelStrip)
	for i := args.panels; i < count; i++ {
		s.gather(code, strip, src, step*stripDepth, (first+i)*blockColumns)
		part := panelArgs{
			src: uintptr(unsafe.Pointer(strip)), stride: blockColumns * 4, panels: 1,
			dst: args.dst + uintptr(i*s.panel), most: args.most + uintptr(i*s.panel),
		}
		code.CallAt(s.entry[1], unsafe.Pointer(&part))
	}
	s.strips.Put(strip)
}

// gather reads the elements of B from row and column on and fills them up with zeros.
func (s *panelSplitter) gather(code *exec.Code, strip *panelStrip, src unsafe.Pointer, row, column int) {
	rows, columns := min(stripDepth, s.k-row), min(blockColumns, s.n-column)
	t := s.b.DType
	from := unsafe.Add(src, (row*s.b.Row+column*s.b.Col)*t.Size())
	if rows < stripDepth || columns < blockColumns {
		*strip = panelStrip{}
	}
	switch {
	case s.transposes():
		last := 0
		if rows < stripDepth && s.k > stripDepth {
			last = 1
		}
		s.transposer[last].Move(code, uintptr(from), uintptr(unsafe.Pointer(strip)), columns)
	case s.b.Col == 1 && t == dtype.F32:
		for i := range rows {
			copy(strip[i][:columns], unsafe.Slice((*float32)(unsafe.Add(from, i*s.b.Row*4)), columns))
		}
	default:
		move := Converter(t, dtype.F32)
		for i := range rows {
			for j := range columns {
				move(unsafe.Pointer(&strip[i][j]), unsafe.Add(from, (i*s.b.Row+j*s.b.Col)*t.Size()))
			}
		}
	}
}
