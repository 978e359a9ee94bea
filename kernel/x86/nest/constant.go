package nest

import (
	"encoding/binary"
	"math"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// numbers are the constants of a kernel.
type numbers struct {
	list []operand
	by   map[operand]uint16
}

// of returns the number of a constant, from 1 on.
func (c *numbers) of(o operand) uint16 {
	if o.number != 0 {
		return o.number
	}
	n, ok := c.by[o]
	if !ok {
		if len(c.list) > math.MaxUint16 {
			unsupported()
		}
		n = uint16(len(c.list))
		c.by[o] = n
		c.list = append(c.list, o)
	}
	return n
}

// constOperand is the memory (or the register) of a constant that has a number.
func (e *emitter) constOperand(o operand) asm.Operand {
	if r := e.ownReg[o.number]; r != asm.None {
		return r.As(e.bytes(o.kind)).Operand()
	}
	e.countUse(o.number)
	if e.rehearsal {
		return anyMemory
	}
	m := e.memory[o.number]
	if m == nil {
		m = e.constMemory(o)
		e.memory[o.number] = m
	}
	return m
}

// anyMemory stands for the memory of every constant in a rehearsal.
var anyMemory asm.Operand = asm.Ptr(asm.RAX, 0)

// countUse counts the use of a constant that has a number.
func (e *emitter) countUse(n uint16) {
	if e.counted {
		e.uses[n] += e.weight
	}
}

func (e *emitter) constMemory(o operand) asm.Mem {
	if e.avx512 {
		return e.scalar(o).Bcast()
	}
	return e.fullConst(o)
}

func (e *emitter) scalar(o operand) asm.Mem {
	var room [8]byte
	return e.a.Const(appendConst(room[:0], o))
}

func appendConst(data []byte, o operand) []byte {
	if o.kind.size() == 8 {
		return binary.LittleEndian.AppendUint64(data, o.bits)
	}
	return binary.LittleEndian.AppendUint32(data, uint32(o.bits))
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
		e.countUse(e.numbers.of(o))
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
	var room [64]byte
	data := room[:0]
	for len(data) < e.bytes(o.kind) {
		data = appendConst(data, o)
	}
	return e.a.Const(data)
}
