package asm

import "math/bits"

// field is where an encoding has the number of a register.
type field uint8

const (
	fieldR field = iota // ModRM.reg
	fieldV              // VEX.vvvv
	fieldM              // ModRM.rm, or the lowest bits of the opcode
	fieldS              // the upper four bits of an immediate number
	numFields
)

// fieldOf has the fields of registers by the letters of an order.
var fieldOf = map[rune]field{'R': fieldR, 'V': fieldV, 'M': fieldM, 'O': fieldM, 'S': fieldS}

// bytes returns the size of an access to memory in an instruction of vectors of a length, 0 if only the address counts.
func (a *arg) bytes(length int, w uint8, bcast bool) int {
	switch {
	case bcast:
		return int(a.bcast)
	case a.mem == memAny:
		return 0
	case a.mem == memSame && a.reg == kindReg:
		return 4 + 4*int(w)
	case a.mem == memSame:
		return a.reg.bytes(length)
	case a.mem == 0: // gather
		return int(a.step)
	}
	return int(a.mem)
}

// granule returns the unit of an EVEX displacement of one byte, likewise.
func (a *arg) granule(length int, w uint8, bcast bool) int {
	if a.step != 0 && !bcast {
		return int(a.step)
	}
	return max(a.bytes(length, w, bcast), 1)
}

// highBits returns the fourth bits of ModRM.reg, index, and base or rm.
func (in *instruction) highBits() (r, x, b uint8) {
	r = in.fields[fieldR] >> 3 & 1
	if in.isMem {
		return r, uint8(in.mem.Index.Num() >> 3 & 1), uint8(in.mem.Base.Num() >> 3 & 1)
	}
	rm := in.fields[fieldM]
	return r, rm >> 4 & 1, rm >> 3 & 1
}

// vectorBits is the length of vectors in a prefix.
func (f *form) vectorBits(length int) uint8 {
	if length == 16 && f.enc&encL1 != 0 {
		return 1
	}
	return uint8(length >> 5)
}

// encode appends the bytes of the instruction to code, and notes its access to memory, if it has one. relocation is the
// offset of a 4-byte field relative to the instruction pointer, or -1.
func (in *instruction) encode(code []byte, to *access) (out []byte, relocation int) {
	relocation = -1
	f := in.form
	switch {
	case in.evex:
		code = in.evexPrefix(code)
	case f.enc&encVEX != 0:
		code = in.vexPrefix(code)
	default:
		code = in.legacyPrefix(code)
	}
	opcode := f.opcode
	if f.order == orderOI {
		opcode |= in.fields[fieldM] & 7
	}
	code = append(code, opcode)
	switch f.order {
	case orderNone:
		if f.second != 0 {
			code = append(code, f.second)
		}
	case orderOI:
	case orderD:
		relocation = len(code)
		code = append(code, 0, 0, 0, 0)
	default:
		if f.ext >= 0 {
			in.fields[fieldR] = uint8(f.ext)
		}
		code, relocation = in.modRM(code, to)
	}
	for i := range in.immLen {
		code = append(code, byte(in.imm>>(8*i)))
	}
	return code, relocation
}

var legacyPrefixes = [...]byte{1: 0x66, 2: 0xF3, 3: 0xF2}

func (in *instruction) legacyPrefix(code []byte) []byte {
	f := in.form
	if f.prefix != 0 {
		code = append(code, legacyPrefixes[f.prefix])
	}
	r, x, b := in.highBits()
	if rex := in.w<<3 | r<<2 | x<<1 | b; rex != 0 || in.rex {
		code = append(code, 0x40|rex)
	}
	if f.opMap == 1 {
		code = append(code, 0x0F)
	}
	return code
}

func (in *instruction) vexPrefix(code []byte) []byte {
	f := in.form
	r, x, b := in.highBits()
	tail := ^in.fields[fieldV]&15<<3 | f.vectorBits(in.length)<<2 | f.prefix
	if x == 0 && b == 0 && in.w == 0 && f.opMap == 1 {
		return append(code, 0xC5, (1-r)<<7|tail)
	}
	return append(code, 0xC4, (1-r)<<7|(1-x)<<6|(1-b)<<5|f.opMap, in.w<<7|tail)
}

func (in *instruction) evexPrefix(code []byte) []byte {
	f := in.form
	r, x, b := in.highBits()
	r4 := in.fields[fieldR] >> 4 & 1
	v, more := in.fields[fieldV], uint8(in.mask)
	if in.isMem && in.mem.Index.IsVector() {
		v |= uint8(in.mem.Index.Num() & 16)
	}
	if in.zero {
		more |= 0x80
	}
	if in.isMem && in.mem.bcast {
		more |= 0x10
	}
	return append(code, 0x62, (1-r)<<7|(1-x)<<6|(1-b)<<5|(1-r4)<<4|f.opMap,
		in.w<<7|^v&15<<3|4|f.prefix, f.vectorBits(in.length)<<5|^v>>4&1<<3|more)
}

// modRM appends ModRM, SIB and displacement.
func (in *instruction) modRM(code []byte, to *access) (out []byte, relocation int) {
	reg := in.fields[fieldR] & 7 << 3
	if !in.isMem {
		return append(code, 0xC0|reg|in.fields[fieldM]&7), -1
	}
	if in.mem.rip {
		code = append(code, reg|5)
		return appendInt32(code, in.mem.Disp), len(code)
	}
	granule := 1
	if in.evex {
		granule = in.memArg.granule(in.length, in.w, in.mem.bcast)
	}
	return in.mem.appendTo(code, reg, granule, to), -1
}

// appendTo appends ModRM, whose register is given, SIB and displacement.
func (m *Mem) appendTo(code []byte, reg byte, granule int, to *access) []byte {
	to.note(len(code), m.Disp, granule)
	base := byte(m.Base.Num() & 7)
	mod, number := to.displacement(base, m.Disp)
	if m.Base == None {
		mod, base = 0, 5
	}
	if m.Index == None && base != 4 && m.Base != None {
		code = append(code, mod|reg|base)
	} else {
		index, scale := 4, byte(0)
		if m.Index != None {
			index = m.Index.Num() & 7
			scale = scaleBits(m)
		}
		code = append(code, mod|reg|4, scale<<6|byte(index)<<3|base)
	}
	if m.Base == None {
		return appendInt32(code, m.Disp)
	}
	return appendDisplacement(code, mod, number)
}

func scaleBits(m *Mem) byte {
	if m.Index == RSP {
		panic("BUG: asm: RSP cannot be an index")
	}
	scale := max(m.Scale, 1)
	if m.Scale < 0 || scale > 8 || scale&(scale-1) != 0 {
		panic("BUG: asm: scale must be 1, 2, 4 or 8")
	}
	return byte(bits.TrailingZeros(uint(scale)))
}

func appendInt32(code []byte, v int) []byte {
	if v != int(int32(v)) {
		panic(ErrReach)
	}
	return append(code, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}
