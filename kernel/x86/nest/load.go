package nest

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// load appends the read of a port at the current point.
func (s *sequence) load(p *port, before bool) operand {
	k := kindOf(p.dtype)
	v := s.add(k, instr{before: before, temps: 2, early: true, emit: func(e *emitter, r *registers) {
		e.load(p, r)
	}})
	if p.dtype == dtype.Bool { // 0 and 1 to 0 and -1
		return s.minus(s.splat(cBits(i32, 0)), v)
	}
	return v
}

func (e *emitter) load(p *port, r *registers) {
	switch {
	case e.single || p.lane == 0:
		e.loadSingle(p, r.d)
	case p.lane != 1:
		e.loadStrided(p, r)
	default:
		e.loadContiguous(p, e.contiguous(p), r)
	}
}

// loadContiguous reads the elements of a port that begin at m.
func (e *emitter) loadContiguous(p *port, m asm.Mem, r *registers) {
	switch {
	case e.tail == 0:
		e.loadVector(p, m, r.d, r.d)
	case e.avx512:
		e.loadVector(p, m, r.d, r.d.ZeroMask(tailMask))
	case p.size() >= 4:
		e.a.Emit(maskedMove(p), r.d, e.tailGuard(p, r.t[0].As(r.d.Bytes())), m)
	default:
		e.loadTail(p, m, r)
	}
}

// loadVector reads contiguous elements into d; guarded is d with a mask, or d.
func (e *emitter) loadVector(p *port, m asm.Mem, d, guarded asm.Reg) {
	switch p.dtype {
	case dtype.F32, dtype.I32:
		e.a.Emit(asm.VMOVUPS, guarded, m)
	case dtype.F64, dtype.I64:
		e.a.Emit(asm.VMOVUPD, guarded, m)
	case dtype.F16:
		e.a.Emit(asm.VCVTPH2PS, guarded, m)
	case dtype.BF16:
		e.a.Emit(asm.VPMOVZXWD, guarded, m)
		e.a.Emit(asm.VPSLLD, d, d, asm.Imm(16))
	case dtype.I16:
		e.a.Emit(asm.VPMOVSXWD, guarded, m)
	case dtype.I8:
		e.a.Emit(asm.VPMOVSXBD, guarded, m)
	default:
		e.a.Emit(asm.VPMOVZXBD, guarded, m)
	}
}

// loadSingle broadcasts one element.
func (e *emitter) loadSingle(p *port, d asm.Reg) {
	m := e.element(p)
	eax := asm.RAX.Dword()
	switch p.dtype {
	case dtype.F32, dtype.I32:
		e.a.Emit(asm.VBROADCASTSS, d, m)
		return
	case dtype.F64, dtype.I64:
		if d.Bytes() == 16 {
			e.a.Emit(asm.VMOVDDUP, d, m)
		} else {
			e.a.Emit(asm.VBROADCASTSD, d, m)
		}
		return
	}
	e.loadNarrow(p.dtype, eax, m)
	e.a.Emit(asm.VMOVD, d.As(16), eax)
	if p.dtype == dtype.F16 {
		e.a.Emit(asm.VCVTPH2PS, d.As(16), d.As(16))
	}
	e.a.Emit(asm.VPBROADCASTD, d, d.As(16))
}

// loadStrided reads elements that lie apart: by a gather if they are 4 or 8
// bytes long, one by one if not.
func (e *emitter) loadStrided(p *port, r *registers) {
	if p.lane == 2 && p.size() == 4 && e.avx512 {
		e.loadEven(p, r)
		return
	}
	reach := p.lane * (e.lanes - 1) * p.size()
	if p.size() < 4 && e.avx512 && int(int32(reach)) == reach {
		e.loadApart(p, r)
		return
	}
	if p.size() < 4 || int(int32(reach)) != reach {
		e.loadTail(p, e.element(p), r)
		return
	}
	m := e.element(p)
	n := r.d.Bytes() / p.size()
	index := r.t[0].As(max(4*n, 16))
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, uint32(min(i, e.count()-1)*p.lane*p.size()))
	}
	e.a.Emit(asm.LEA, asm.RAX, m)
	e.a.Emit(asm.VMOVUPS, index, e.a.Const(data))
	gather := asm.VPGATHERDD
	if p.size() == 8 {
		gather = asm.VPGATHERDQ
	}
	at := asm.At(asm.RAX, index, 1, 0)
	e.zero(r.d)
	if e.avx512 {
		// The lanes past the tail repeat the last element, so all may be read.
		e.a.Emit(asm.KXNORW, asm.K(7), asm.K(7), asm.K(7))
		e.a.Emit(gather, r.d.Mask(asm.K(7)), at)
		return
	}
	ones := r.t[1].As(r.d.Bytes())
	e.a.Emit(asm.VPCMPEQD, ones, ones, ones)
	e.a.Emit(gather, r.d, at, ones)
}

// loadApart reads elements of 1 or 2 bytes that lie apart by a gather of the words of 4
// bytes, on their boundaries, in which they are. Those end in no other page than the
// elements. The lanes past the tail repeat the last element.
func (e *emitter) loadApart(p *port, r *registers) {
	a, n := e.a, r.d.Bytes()/4
	at, word := r.t[0].As(r.d.Bytes()), r.t[1].As(r.d.Bytes())
	offsets := make([]uint32, n)
	for i := range offsets {
		offsets[i] = uint32(min(i, e.count()-1) * p.lane * p.size())
	}
	a.Emit(asm.LEA, asm.RAX, e.element(p))
	a.Emit(asm.VPBROADCASTD, word, asm.RAX.Dword())
	a.Emit(asm.VPANDD, word, word, a.ConstU32(3).Bcast())
	a.Emit(asm.VPADDD, at, word, a.ConstU32(offsets...))
	a.Emit(asm.AND, asm.RAX, asm.Imm(-4))
	a.Emit(asm.VPANDD, word, at, a.ConstU32(^uint32(3)).Bcast())
	e.zero(r.d)
	a.Emit(asm.KXNORW, asm.K(7), asm.K(7), asm.K(7))
	a.Emit(asm.VPGATHERDD, r.d.Mask(asm.K(7)), asm.At(asm.RAX, word, 1, 0))
	e.cutOut(p.dtype, r.d, at)
}

// cutOut makes values of elements of 1 or 2 bytes of the words in d that they are in; place
// has their addresses, of which the lowest bits count, and is lost.
func (e *emitter) cutOut(t dtype.DType, d, place asm.Reg) {
	a := e.a
	a.Emit(asm.VPSLLD, place, place, asm.Imm(3))
	a.Emit(asm.VPANDD, place, place, a.ConstU32(8*3).Bcast())
	a.Emit(asm.VPSRLVD, d, d, place)
	above, down := asm.Imm(int64(32-8*t.Size())), asm.VPSRLD
	switch t {
	case dtype.F16:
		half := halfOf(d)
		a.Emit(asm.VPMOVDW, half, d)
		a.Emit(asm.VCVTPH2PS, d, half)
		return
	case dtype.I8, dtype.I16:
		down = asm.VPSRAD
	}
	a.Emit(asm.VPSLLD, d, d, above)
	if t != dtype.BF16 {
		a.Emit(down, d, d, above)
	}
}

// loadEven reads every other 4-byte element: two vectors, and the even elements
// of both. Nothing past the last element is read.
func (e *emitter) loadEven(p *port, r *registers) {
	n := r.d.Bytes() / 4
	last := 2*e.count() - 1 // elements from the first to the last
	low, high := min(n, last), max(0, last-n)
	e.a.Emit(asm.LEA, asm.R11, e.element(p))
	guarded := func(d asm.Reg, disp, count int) {
		if count < n {
			e.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<count-1))
			e.a.Emit(asm.KMOVW, asm.K(7), asm.RAX.Dword())
			d = d.ZeroMask(asm.K(7))
		}
		e.a.Emit(asm.VMOVUPS, d, asm.Ptr(asm.R11, disp))
	}
	guarded(r.d, 0, low)
	other, index := r.t[0].As(r.d.Bytes()), r.t[1].As(r.d.Bytes())
	if last > n {
		guarded(other, r.d.Bytes(), high)
	} else {
		e.zero(other)
	}
	even := make([]uint32, n)
	for i := range even {
		even[i] = uint32(2 * i)
	}
	e.a.Emit(asm.VMOVUPS, index, e.a.ConstU32(even...))
	e.a.Emit(asm.VPERMT2PS, r.d, index, other)
}

// loadTail reads the elements in use one by one; the first is at m.
func (e *emitter) loadTail(p *port, m asm.Mem, r *registers) {
	e.a.Emit(asm.LEA, asm.R11, m)
	e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, e.scratchWord()))
	if e.avx512 || r.d.Bytes() > 16 {
		e.zero(r.d)
		e.a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 0), r.d)
	}
	e.a.Emit(asm.MOV, asm.Ptr(argsReg, e.savedWord()), laneReg)
	for i := range e.count() {
		e.loadElement(p, asm.Ptr(asm.R11, i*p.lane*p.size()), r.t[0])
		e.putLane(p, i)
	}
	e.a.Emit(asm.MOV, laneReg, asm.Ptr(argsReg, e.savedWord()))
	e.a.Emit(asm.VMOVUPS, r.d, asm.Ptr(asm.RAX, 0))
}

// loadNarrow reads an element of 1 or 2 bytes as 32 bits: bf16 as f32, f16 as it is.
func (e *emitter) loadNarrow(d dtype.DType, to asm.Reg, src asm.Mem) {
	switch d {
	case dtype.F16, dtype.BF16:
		e.a.Emit(asm.MOVZXW, to, src)
	case dtype.I16:
		e.a.Emit(asm.MOVSXW, to, src)
	case dtype.I8:
		e.a.Emit(asm.MOVSXB, to, src)
	default:
		e.a.Emit(asm.MOVZXB, to, src)
	}
	if d == dtype.BF16 {
		e.a.Emit(asm.SHL, to, asm.Imm(16))
	}
}

// loadElement reads one element into laneReg.
func (e *emitter) loadElement(p *port, src asm.Mem, temp asm.Reg) {
	ecx := laneReg.Dword()
	switch p.dtype {
	case dtype.F32, dtype.I32:
		e.a.Emit(asm.MOV, ecx, src)
	case dtype.F64, dtype.I64:
		e.a.Emit(asm.MOV, laneReg, src)
	default:
		e.loadNarrow(p.dtype, ecx, src)
	}
	if p.dtype == dtype.F16 {
		e.a.Emit(asm.VMOVD, temp.As(16), ecx)
		e.a.Emit(asm.VCVTPH2PS, temp.As(16), temp.As(16))
		e.a.Emit(asm.VMOVD, ecx, temp.As(16))
	}
}

// putLane writes laneReg to lane i of a vector in memory at RAX.
func (e *emitter) putLane(p *port, i int) {
	width := kindOf(p.dtype).size()
	var value asm.Operand = laneReg.Dword()
	if width == 8 {
		value = laneReg
	}
	e.a.Emit(asm.MOV, asm.Ptr(asm.RAX, i*width), value)
}
