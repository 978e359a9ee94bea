package nest

import (
	"encoding/binary"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// constOperand is the memory (or the register) of a constant.
func (e *emitter) constOperand(o operand) asm.Operand {
	if r, ok := e.promoted[o]; ok {
		return asm.Vec(e.bytes(o.kind), r.Num()).Operand()
	}
	if e.counted {
		e.uses[o]++
	}
	m, ok := e.consts[o]
	if !ok {
		m = e.constMemory(o)
		e.consts[o] = m
	}
	return m
}

func (e *emitter) constMemory(o operand) asm.Mem {
	if e.avx512 {
		return e.scalar(o).Bcast()
	}
	return e.fullConst(o)
}

func (e *emitter) scalar(o operand) asm.Mem { return e.a.Const(constBytes(o)) }

func constBytes(o operand) []byte {
	if o.kind.size() == 8 {
		return binary.LittleEndian.AppendUint64(nil, o.bits)
	}
	return binary.LittleEndian.AppendUint32(nil, uint32(o.bits))
}

// loadConst emits d = constant.
func (e *emitter) loadConst(d asm.Reg, o operand) {
	switch {
	case o.bits == 0:
		e.zero(d)
	case o.kind.size() == 8 && d.Bytes() == 16:
		e.a.Emit(asm.VMOVDDUP, d, e.scalar(o))
	case o.kind.size() == 8:
		e.a.Emit(asm.VBROADCASTSD, d, e.scalar(o))
	default:
		e.a.Emit(asm.VBROADCASTSS, d, e.scalar(o))
	}
	if e.counted {
		e.uses[o]++
	}
}

// zero clears a register.
func (e *emitter) zero(r asm.Reg) {
	if e.avx512 {
		e.a.Emit(asm.VPXORD, r, r, r)
		return
	}
	e.a.Emit(asm.VPXOR, r.As(16), r.As(16), r.As(16))
}

// fullConst is a constant in memory as long as a register.
func (e *emitter) fullConst(o operand) asm.Mem {
	var data []byte
	for len(data) < e.bytes(o.kind) {
		data = append(data, constBytes(o)...)
	}
	return e.a.Const(data)
}
