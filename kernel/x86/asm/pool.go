package asm

import (
	"encoding/binary"
	"slices"
)

// A pool holds the constants that instructions refer to relative to the instruction pointer.
type pool struct {
	data  []byte
	known map[string]int
}

// Const returns a reference to data in the constant pool, aligned to its length rounded up to a
// power of two, at most 64. Equal data is stored once.
func (a *Assembler) Const(data []byte) Mem {
	offset, ok := a.pool.known[string(data)]
	if !ok {
		align := 1
		for align < len(data) && align < 64 {
			align *= 2
		}
		offset = (len(a.pool.data) + align - 1) &^ (align - 1)
		for len(a.pool.data) < offset {
			a.pool.data = append(a.pool.data, 0)
		}
		a.pool.data = append(a.pool.data, data...)
		if a.pool.known == nil {
			a.pool.known = make(map[string]int)
		}
		a.pool.known[string(data)] = offset
	}
	return Mem{rip: true, pool: int32(1 + offset)}
}

// ConstU32 returns a reference to the given 4-byte elements in the constant pool.
func (a *Assembler) ConstU32(elements ...uint32) Mem {
	var room [64]byte
	data := slices.Grow(room[:0], 4*len(elements))
	for _, e := range elements {
		data = binary.LittleEndian.AppendUint32(data, e)
	}
	return a.Const(data)
}

// ConstU64 returns a reference to the given 8-byte elements in the constant pool.
func (a *Assembler) ConstU64(elements ...uint64) Mem {
	var room [64]byte
	data := slices.Grow(room[:0], 8*len(elements))
	for _, e := range elements {
		data = binary.LittleEndian.AppendUint64(data, e)
	}
	return a.Const(data)
}

// appendTo appends the pool to code and returns where it starts.
func (p *pool) appendTo(code []byte) (out []byte, start int) {
	if len(p.data) == 0 {
		return code, len(code)
	}
	for len(code)%64 != 0 {
		code = append(code, 0xCC)
	}
	return append(code, p.data...), len(code)
}
