package asm

import "math/bits"

// access is where an instruction has the address of its operand in memory.
type access struct {
	count   int32 // of instructions with such an address, from the first one to this one
	modRM   int32 // the offset of this byte
	disp    int32
	granule uint8 // the unit of a displacement of one byte, as a power of two
}

// note notes an access of an instruction, whose displacement of one byte counts granules, a power of two.
func (x *access) note(modRM, disp, granule int) {
	*x = access{x.count + 1, int32(modRM), int32(disp), uint8(bits.TrailingZeros(uint(granule)))}
}

// displacement returns the upper bits of the byte ModRM for a displacement from a base, and the number that follows.
func (x *access) displacement(base byte, disp int) (mod byte, number int) {
	short := disp >> x.granule
	switch {
	case disp == 0 && base != 5:
		return 0, 0
	case short<<x.granule == disp && short == int(int8(short)):
		return 0x40, short
	}
	return 0x80, disp
}

// appendDisplacement appends the number of a displacement.
func appendDisplacement(code []byte, mod byte, number int) []byte {
	switch mod {
	case 0x40:
		return append(code, byte(number))
	case 0x80:
		return appendInt32(code, number)
	}
	return code
}

// Mark is a place in the code.
type Mark struct {
	at, fixups int32
	access     access // the last one in front of the place
}

// Mark returns where the next instruction begins.
func (a *Assembler) Mark() Mark { return Mark{int32(len(a.code)), int32(len(a.fixups)), a.access} }

// Moved is the address of an instruction, which is By bytes further in each turn.
type Moved struct {
	access access
	By     int
}

// Moved returns the only address behind a mark, false if there is none, if there are several, or if it has no base.
func (a *Assembler) Moved(behind Mark, by int) (m Moved, ok bool) {
	m = Moved{a.access, by}
	return m, a.access.count == behind.access.count+1 && (a.code[a.access.modRM]&0xC0 != 0 || a.baseOf(int(a.access.modRM)) != 5)
}

// baseOf is the lower bits of the base of the address whose byte ModRM is at a place.
func (a *Assembler) baseOf(modRM int) byte {
	base := a.code[modRM] & 7
	if base == 4 { // there is a byte SIB
		base = a.code[modRM+1] & 7
	}
	return base
}

// Again appends the code between two marks as a turn has it, by its number, and reports whether it has. The displacements
// of some addresses in the code, in its order, are moved. Code that refers to labels or to constants is not appended, and
// no code if instructions are listed.
func (a *Assembler) Again(from, to Mark, moved []Moved, turn int) bool {
	if a.listed || from.fixups != to.fixups {
		return false
	}
	at := int(from.at)
	for n := range moved {
		m := &moved[n]
		modRM := int(m.access.modRM)
		old, end := a.code[modRM], modRM+1
		if old&7 == 4 {
			end++
		}
		mod, number := m.access.displacement(a.baseOf(modRM), int(m.access.disp)+turn*m.By)
		a.code = append(a.code, a.code[at:end]...)
		a.code[len(a.code)+modRM-end] = old&^0xC0 | mod
		a.code = appendDisplacement(a.code, mod, number)
		switch at = end; old & 0xC0 {
		case 0x40:
			at++
		case 0x80:
			at += 4
		}
	}
	a.code = append(a.code, a.code[at:to.at]...)
	return true
}
