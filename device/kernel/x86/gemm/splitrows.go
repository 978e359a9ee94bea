package gemm

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/exec"
	"github.com/go-acap/acap/device/kernel/x86/transpose"
	"github.com/go-acap/acap/tensor/dtype"
)

// A rowSplitter copies rows of A in pieces: for 16 rows at a time, for each step of tiles, a tile of
// each piece; cell i of a row has elements i and i+16 of the step. Behind the tiles of a batch entry
// lie the maxima of every rowsPerUnit rows.
type rowSplitter struct {
	*plan
	entry      [2]int             // of rows of A as they lie, of strips
	transposer [2]transpose.Mover // of whole units and of the last, where columns are contiguous
	strips     sync.Pool          // of *rowStrip
}

// A rowStrip is a part of some rows.
type rowStrip [rowsPerUnit][stripWidth + 16]float32

// stripWidth is the number of elements of a row that are gathered at once.
const stripWidth = 2 * stripDepth

// rowArgs are the arguments of the code.
type rowArgs struct {
	src, dst, most uintptr
	stride         int // of src, bytes
	rows, steps    int
}

func newRowSplitter(p *plan, a *asm.Assembler) *rowSplitter {
	s := &rowSplitter{plan: p, strips: sync.Pool{New: func() any { return new(rowStrip) }}}
	s.entry = [2]int{s.emit(a, p.a.DType), s.emit(a, dtype.F32)}
	if s.transposes() {
		for i, rows := range [2]int{min(rowsPerUnit, p.m), p.m % rowsPerUnit} {
			s.transposer[i] = transpose.Mover{
				Lines: p.k, Length: rows * 4, Cell: 4, SrcStride: p.a.Col * 4,
				DstStride: int(unsafe.Sizeof(rowStrip{}[0])),
			}
			s.transposer[i].Emit(a, p.features)
		}
	}
	return s
}

// transposes reports whether columns of A are contiguous.
func (s *rowSplitter) transposes() bool {
	return s.a.DType == dtype.F32 && s.a.Col != 1 && s.a.Row == 1 && s.a.Col > 0 && s.a.Col*4*17 < 1<<31
}

// emit emits the loops over rows and steps of elements of type t.
func (s *rowSplitter) emit(a *asm.Assembler, t dtype.DType) (entry int) {
	pieces, load := s.arith.pieces[0], widening{t, dtype.F32, s.features}
	a.Align(64)
	entry = a.Len()
	a.Notef("rows of %v in %d pieces", t, pieces)
	w := newPieceWriter(a)
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, 16))
	a.Emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, 24))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, 32))
	a.Emit(asm.VMOVUPS, w.most, asm.Ptr(asm.R8, 0))
	a.Emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, 40))
	step := a.Here()
	a.Emit(asm.MOV, asm.RAX, asm.RSI)
	a.Emit(asm.MOV, asm.RBX, asm.RDX)
	a.Emit(asm.MOV, asm.RCX, asm.R11)
	row := a.Here()
	load.load(a, asm.Z(0), asm.Ptr(asm.RAX, 0), 0)
	load.load(a, asm.Z(1), asm.Ptr(asm.RAX, tileSide*t.Size()), 0)
	w.write(asm.Z(0), asm.Z(1), pieces, 2, func(piece int) asm.Mem { return asm.Ptr(asm.RBX, tileBytes*piece) })
	a.Emit(asm.ADD, asm.RAX, asm.R9)
	a.Emit(asm.ADD, asm.RBX, asm.Imm(64))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(stripDepth*t.Size()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(tileBytes*pieces))
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, step)
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.R8, 0), w.most)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// copy copies count rows from row first on, a multiple of rowsPerUnit; src is the first element of a
// batch entry, dst the first tile.
func (s *rowSplitter) copy(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	most := (*maxima)(unsafe.Add(dst, s.rowTiles()*s.rowBytes()+first/rowsPerUnit*maximaBytes))
	*most = maxima{}
	args := rowArgs{
		dst: uintptr(dst) + uintptr(first*s.rowBytes()), most: uintptr(unsafe.Pointer(most)),
	}
	size := s.a.DType.Size()
	src = unsafe.Add(src, first*s.a.Row*size)
	done := 0
	if s.a.Col == 1 {
		done = s.k / stripDepth * stripDepth
		args.src, args.stride = uintptr(src), s.a.Row*size
		s.split(code, s.entry[0], args, count, 0, done)
	}
	strip := s.strips.Get().(*rowStrip)
	args.src, args.stride = uintptr(unsafe.Pointer(strip)), int(unsafe.Sizeof(strip[0]))
	for ; done < s.k; done += stripWidth {
		n := min(stripWidth, s.k-done)
		s.gather(code, strip, unsafe.Add(src, done*s.a.Col*size), count, n)
		s.split(code, s.entry[1], args, count, done, divideUp(n, stripDepth)*stripDepth)
	}
	s.strips.Put(strip)
}

// split writes n elements of count rows, which args has, from column on.
func (s *rowSplitter) split(code *exec.Code, entry int, args rowArgs, count, column, n int) {
	if n == 0 {
		return
	}
	args.steps = n / stripDepth
	args.dst += uintptr(column / stripDepth * s.arith.pieces[0] * tileBytes)
	for ; count > 0; count -= tileSide {
		args.rows = min(count, tileSide)
		code.CallAt(entry, unsafe.Pointer(&args))
		args.src += uintptr(tileSide * args.stride)
		args.dst += uintptr(tileSide * s.rowBytes())
	}
}

// gather reads n elements of count rows and fills them up with zeros to whole steps.
func (s *rowSplitter) gather(code *exec.Code, strip *rowStrip, src unsafe.Pointer, count, n int) {
	switch {
	case s.transposes():
		last := 0
		if count < rowsPerUnit {
			last = 1
		}
		s.transposer[last].Move(code, uintptr(src), uintptr(unsafe.Pointer(strip)), n)
	default:
		move, size := Converter(s.a.DType, dtype.F32), s.a.DType.Size()
		for i := range count {
			for j := range n {
				move(unsafe.Pointer(&strip[i][j]), unsafe.Add(src, (i*s.a.Row+j*s.a.Col)*size))
			}
		}
	}
	if rest := n % stripDepth; rest > 0 {
		for i := range count {
			clear(strip[i][n : n-rest+stripDepth])
		}
	}
}
