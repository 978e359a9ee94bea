package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// packer packs panels of B. A panel holds, after the correction, one row of cells for each step;
// column j of step s is cell s·width + j.
type packer struct {
	*plan
	how        packing
	transposer transpose.Mover
	entry      [2]int // full and last panel
	correction [2]int
}

type packing uint8

const (
	packSlowly  packing = iota // element by element, in Go
	packRows                   // rows of B are contiguous: copy, widen or interleave them
	packColumns                // columns of B are contiguous: transpose, and widen on the way
)

// newPacker chooses how to pack and emits the code for it.
func newPacker(p *plan, a *asm.Assembler) *packer {
	k := &packer{plan: p}
	b, es := &p.b, p.b.DType.Size()
	lastLanes := p.n % p.lanes
	w := widening{b.DType, p.arith.b, p.features}
	alongRows := w
	if p.arith.pairs() || p.arith.group == 4 { // an element of each of several rows becomes a cell
		alongRows.to = dtype.I32
	}
	switch {
	case b.Col == 1 && b.Row > 0 && b.Row*es*2*(rowsAtOnce+1) < 1<<31 && alongRows.possible() && alongRows.endsInside(p.n):
		k.how = packRows
		k.entry[0] = k.emitRows(a, p.shape.vecs, 0)
		if n := p.n % p.width(); n > 0 {
			k.entry[1] = k.emitRows(a, divideUp(n, p.lanes), lastLanes)
		}
	case b.columnsLie() && b.DType == p.arith.b && (p.features.Level >= cpu.AVX512 || p.k%p.arith.group == 0): // a part of a cell needs a mask
		k.how = packColumns
		k.transposer = transpose.Mover{
			Length: p.k * es, Cell: p.arith.cell(), SrcStride: b.Col * es,
			DstStride: p.width() * p.arith.cell(), Lines: p.n % p.width(),
		}
		k.transposer.Emit(a, p.features)
	case b.columnsLie() && p.arith.pairs() && w.possible() && p.k%(p.features.Level.VectorBytes()/p.arith.b.Size()) == 0:
		k.how = packColumns
		k.transposer = transpose.Mover{
			Lines: p.n % p.width(), Length: p.k * p.arith.b.Size(), Cell: p.arith.cell(), Source: es * p.arith.group, SrcStride: b.Col * es,
			DstStride: p.width() * p.arith.cell(), Load: w.load,
		}
		k.transposer.Emit(a, p.features)
	case b.columnsLie() && p.arith.group == 1 && w.possible() && w.endsInside(p.k):
		k.how = packColumns
		k.transposer = w.mover(p.n%p.width(), p.k, b.Col)
		k.transposer.DstStride = p.width() * p.arith.cell()
		k.transposer.Emit(a, p.features)
	}
	if p.arith.shiftedA {
		k.correction[0] = k.emitCorrection(a, p.shape.vecs)
		k.correction[1] = k.correction[0]
	}
	return k
}

// rowsAtOnce is the number of rows of B that are copied before the next panel's turn, while as many
// are fetched: about as many lines as a core fetches at once, and few enough for the ways of one set
// of the first-level cache, on which rows of some lengths fall.
const rowsAtOnce = 4

// emitRows emits the copy of a run of panels: source in [RDI], first panel in [RDI+8], number of
// panels in [RDI+16].
func (k *packer) emitRows(a *asm.Assembler, vecs, tail int) int {
	a.Align(64)
	entry := a.Len()
	if tail > 0 && k.features.Level >= cpu.AVX512 {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<tail-1))
		a.Emit(asm.KMOVD, asm.K(1), asm.RAX.Dword())
	}
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, 8))
	if c := k.correctionBytes(); c > 0 {
		a.Emit(asm.ADD, asm.R9, asm.Imm(c))
	}
	group := k.arith.group
	atOnce := max(1, rowsAtOnce/group)
	full := k.k / (atOnce * group)
	if full > 0 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(full))
		loop := a.Here()
		k.emitPanels(a, vecs, tail, atOnce, atOnce*group)
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
	if rest := k.k - full*atOnce*group; rest > 0 {
		k.emitPanels(a, vecs, tail, divideUp(rest, group), rest)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// emitPanels emits the loop over panels for a few steps, and the move to the next steps.
func (k *packer) emitPanels(a *asm.Assembler, vecs, tail, steps, rows int) {
	row := k.b.Row * k.b.DType.Size()
	a.Emit(asm.MOV, asm.RSI, asm.R8)
	a.Emit(asm.MOV, asm.RDX, asm.R9)
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, 16))
	loop := a.Here()
	for s := range rows { // the next rows lie on other pages, where the processor does not look
		for j := 0; j < vecs*k.lanes*k.b.DType.Size(); j += 64 {
			a.Emit(asm.PREFETCHT0, asm.Ptr(asm.RSI, (s+rowsAtOnce)*row+j))
		}
	}
	for s := range steps {
		for j := range vecs {
			lanes := 0
			if j == vecs-1 {
				lanes = tail
			}
			r := k.emitCells(a, s, j, min(k.arith.group, rows-s*k.arith.group), lanes)
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, (s*k.shape.vecs+j)*r.Bytes()), r)
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(k.width()*k.b.DType.Size()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(k.panel))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.ADD, asm.R8, asm.Imm(rows*row))
	a.Emit(asm.ADD, asm.R9, asm.Imm(steps*k.width()*k.arith.cell()))
}

// emitCells loads vector j of step s: rows of B, interleaved if a cell has several.
func (k *packer) emitCells(a *asm.Assembler, s, j, rows, tail int) asm.Reg {
	size := k.features.Level.VectorBytes()
	sum, or := asm.Vec(size, 0), asm.VPORD
	if k.features.Level < cpu.AVX512 {
		or = asm.VPOR
	}
	bits := 8 * k.arith.b.Size()
	for g := range rows {
		r := asm.Vec(size, min(g, 1))
		row := (s*k.arith.group + g) * k.b.Row * k.b.DType.Size()
		k.emitLoad(a, r, asm.Ptr(asm.RSI, row+j*k.lanes*k.b.DType.Size()), tail)
		if k.arith.pairs() {
			a.Emit(asm.VPSLLD, r, r, asm.Imm(bits))
			if g == 0 { // without the bits of the sign
				a.Emit(asm.VPSRLD, r, r, asm.Imm(bits))
			}
		} else if g > 0 {
			a.Emit(asm.VPSLLD, r, r, asm.Imm(g*bits))
		}
		if g > 0 {
			a.Emit(or, sum, sum, r)
		}
	}
	return sum
}

// emitLoad loads lanes elements of B, widened to the size of a cell.
func (k *packer) emitLoad(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int) {
	w := widening{k.b.DType, k.arith.b, k.features}
	switch {
	case k.arith.pairs():
		w.to = dtype.I32
		w.load(a, r, m, tail)
	case k.arith.group == 2:
		a.Emit(asm.VPMOVZXWD, w.masked(r, tail), m)
	case k.arith.group == 4:
		widening{dtype.U8, dtype.I32, k.features}.load(a, r, m, tail)
	default:
		w.load(a, r, m, tail)
	}
}

// emitCorrection emits, for the panel in [RDI+8], the start of every column: -128·Σ b.
func (k *packer) emitCorrection(a *asm.Assembler, vecs int) int {
	a.Align(64)
	entry := a.Len()
	size := k.features.Level.VectorBytes()
	ones := asm.Vec(size, k.features.Level.VectorRegisters()-1)
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(k.steps))
	a.Emit(asm.VPBROADCASTD, ones, a.ConstU32(0x80808080))
	for j := range vecs {
		r := asm.Vec(size, j)
		a.Emit(asm.VXORPS, r, r, r)
	}
	a.Emit(asm.LEA, asm.RSI, asm.Ptr(asm.RDX, k.correctionBytes()))
	loop := a.Here()
	for j := range vecs {
		a.Emit(k.arith.bytes(), asm.Vec(size, j), ones, asm.Ptr(asm.RSI, j*size))
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(vecs*size))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	zero := ones
	a.Emit(asm.VXORPS, zero, zero, zero)
	for j := range vecs {
		a.Emit(asm.VPSUBD, asm.Vec(size, j), zero, asm.Vec(size, j))
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, j*size), asm.Vec(size, j))
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// pack packs count panels of B from panel first on; src is the first element of a batch entry.
func (k *packer) pack(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	full := min(count, max(0, k.n/k.width()-first))
	es := k.b.DType.Size()
	column := first * k.width() * k.b.Col * es
	switch k.how {
	case packRows:
		args := [3]uintptr{uintptr(src) + uintptr(column), uintptr(dst), uintptr(full)}
		if full > 0 {
			code.CallAt(k.entry[0], unsafe.Pointer(&args))
		}
		if full < count {
			args[0] += uintptr(full * k.width() * es)
			args[1] += uintptr(full * k.panel)
			args[2] = 1
			code.CallAt(k.entry[1], unsafe.Pointer(&args))
		}
	case packColumns:
		for i := range count {
			from := uintptr(src) + uintptr(column+i*k.width()*k.b.Col*es)
			to := uintptr(dst) + uintptr(i*k.panel+k.correctionBytes())
			k.transposer.Move(code, from, to, min(k.width(), k.n-(first+i)*k.width()))
		}
	default:
		for i := range count {
			k.packSlowly(unsafe.Add(dst, i*k.panel+k.correctionBytes()), src, first+i)
		}
	}
	if k.arith.tiles {
		k.fillUp(dst, count)
	}
	if k.arith.shiftedA {
		for i := range count {
			args := [2]uintptr{0, uintptr(dst) + uintptr(i*k.panel)}
			code.CallAt(k.correction[0], unsafe.Pointer(&args))
		}
	}
}

// fillUp clears the steps behind the last cells of B, up to a whole tile.
func (k *packer) fillUp(dst unsafe.Pointer, count int) {
	written := divideUp(k.k, k.arith.group) * k.width() * k.arith.cell()
	for i := range count {
		clear(unsafe.Slice((*byte)(unsafe.Add(dst, i*k.panel)), k.panel)[written:])
	}
}

// packSlowly packs one panel element by element.
func (k *packer) packSlowly(dst, src unsafe.Pointer, panel int) {
	move := Converter(k.b.DType, k.arith.b)
	es, to := k.b.DType.Size(), k.arith.b.Size()
	j0 := panel * k.width()
	for s := range k.steps {
		for j := range k.width() {
			for g := range k.arith.group {
				at := unsafe.Add(dst, ((s*k.width()+j)*k.arith.group+g)*to)
				row := s*k.arith.group + g
				if row >= k.k || j0+j >= k.n {
					clear(unsafe.Slice((*byte)(at), to))
					continue
				}
				move(at, unsafe.Add(src, (row*k.b.Row+(j0+j)*k.b.Col)*es))
			}
		}
	}
}
