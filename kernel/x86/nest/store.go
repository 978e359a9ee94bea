package nest

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// store appends the write of a value to a port at the current point. The value
// is already rounded to the port's type.
func (s *sequence) store(p *port, v operand) {
	if v.constant() {
		v = s.splat(v)
	}
	switch p.dtype {
	case dtype.Bool:
		v = s.and(v, cBits(i32, 1))
	case dtype.BF16:
		v = s.shiftRight(as(i32, v), 16)
	}
	s.do(instr{src: s.sources(v, dummy), temps: 2, emit: func(e *emitter, r *registers) {
		e.store(p, r)
	}})
}

func (e *emitter) store(p *port, r *registers) {
	switch {
	case e.single:
		e.storeElements(p, r, 1)
	case p.lane != 1:
		e.storeStrided(p, r)
	case e.avx512:
		e.storeVector(p, r.reg(0))
	case p.size() >= 4 && e.tail == 0:
		e.storeVector(p, r.reg(0))
	case p.dtype == dtype.F16 && e.tail == 0:
		e.a.Emit(asm.VCVTPS2PH, e.contiguous(p), r.reg(0), asm.Imm(0))
	case p.size() >= 4:
		e.storeMasked(p, r)
	default:
		e.storeElements(p, r, e.count())
	}
}

// storeVector writes contiguous elements.
func (e *emitter) storeVector(p *port, v asm.Reg) {
	m := e.contiguous(p)
	if e.tail > 0 {
		m = m.Mask(tailMask)
	}
	stream := e.stream && e.tail == 0
	switch p.dtype {
	case dtype.F32, dtype.I32, dtype.F64, dtype.I64:
		switch {
		case stream:
			e.a.Emit(asm.VMOVNTPS, m, v)
		case p.size() == 8:
			e.a.Emit(asm.VMOVUPD, m, v)
		default:
			e.a.Emit(asm.VMOVUPS, m, v)
		}
	case dtype.F16:
		e.a.Emit(asm.VCVTPS2PH, m, v, asm.Imm(0))
	case dtype.BF16, dtype.I16:
		e.a.Emit(asm.VPMOVDW, m, v)
	default:
		e.a.Emit(asm.VPMOVDB, m, v)
	}
}

// storeMasked writes the tail of 4- or 8-byte elements on AVX2.
func (e *emitter) storeMasked(p *port, r *registers) {
	v := r.reg(0)
	e.a.Emit(maskedMove(p), e.contiguous(p), e.tailGuard(p, r.t[0].As(v.Bytes())), v)
}

// maskedMove moves 4- or 8-byte elements on AVX2, those that a vector of guards says.
func maskedMove(p *port) asm.Op {
	if p.size() == 8 {
		return asm.VPMASKMOVQ
	}
	return asm.VPMASKMOVD
}

// tailGuard sets the guards of the elements of the tail.
func (e *emitter) tailGuard(p *port, guard asm.Reg) asm.Reg {
	data := make([]byte, guard.Bytes())
	for i := range e.tail * p.size() {
		data[i] = 0xff
	}
	e.a.Emit(asm.VMOVUPS, guard, e.a.Const(data))
	return guard
}

// storeStrided writes elements that lie apart.
func (e *emitter) storeStrided(p *port, r *registers) {
	reach := p.lane * (e.lanes - 1) * p.size()
	if !e.avx512 || p.size() < 4 || int(int32(reach)) != reach {
		e.storeElements(p, r, e.count())
		return
	}
	m := e.element(p)
	v := r.reg(0)
	n := v.Bytes() / p.size()
	index := r.t[0].As(max(4*n, 16))
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, uint32(i*p.lane*p.size()))
	}
	e.a.Emit(asm.LEA, asm.RAX, m)
	e.a.Emit(asm.VMOVUPS, index, e.a.Const(data))
	guard := asm.K(7)
	if e.tail > 0 {
		e.a.Emit(asm.KMOVW, guard, tailMask)
	} else {
		e.a.Emit(asm.KXNORW, guard, guard, guard)
	}
	scatter := asm.VPSCATTERDD
	if p.size() == 8 {
		scatter = asm.VPSCATTERDQ
	}
	e.a.Emit(scatter, asm.At(asm.RAX, index, 1, 0).Mask(guard), v)
}

// storeElements writes n elements one by one.
func (e *emitter) storeElements(p *port, r *registers, n int) {
	var m asm.Mem
	switch {
	case p.lane == 1 && !e.single:
		m = e.contiguous(p)
	default:
		m = e.element(p)
	}
	v := r.reg(0)
	e.a.Emit(asm.LEA, asm.R11, m)
	e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, e.scratchWord()))
	if p.dtype == dtype.F16 {
		half := halfOf(r.t[0].As(v.Bytes()))
		e.a.Emit(asm.VCVTPS2PH, half, v, asm.Imm(0))
		e.a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 0), half)
	} else {
		e.a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 0), v)
	}
	step := kindOf(p.dtype).size()
	if p.dtype == dtype.F16 {
		step = 2
	}
	e.a.Emit(asm.MOV, asm.Ptr(argsReg, e.savedWord()), laneReg)
	for i := range n {
		src, dst := asm.Ptr(asm.RAX, i*step), asm.Ptr(asm.R11, i*p.lane*p.size())
		switch p.size() {
		case 8:
			e.a.Emit(asm.MOV, laneReg, src)
			e.a.Emit(asm.MOV, dst, laneReg)
		case 4:
			e.a.Emit(asm.MOV, laneReg.Dword(), src)
			e.a.Emit(asm.MOV, dst, laneReg.Dword())
		case 2:
			// Two bytes, for the assembler has no 2-byte registers.
			e.a.Emit(asm.MOVZXW, laneReg.Dword(), src)
			e.a.Emit(asm.MOV, dst, laneReg.Byte())
			e.a.Emit(asm.SHR, laneReg.Dword(), asm.Imm(8))
			e.a.Emit(asm.MOV, dst.Plus(1), laneReg.Byte())
		default:
			e.a.Emit(asm.MOV, laneReg.Byte(), src)
			e.a.Emit(asm.MOV, dst, laneReg.Byte())
		}
	}
	e.a.Emit(asm.MOV, laneReg, asm.Ptr(argsReg, e.savedWord()))
}
