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

// Again appends the code between two marks once more, and reports whether it has. Code that refers to labels or to
// constants is not appended, and no code if instructions are listed. by is added to the displacement of the code's
// address, in bytes; unless by is 0, code that has no address, or several, is not appended.
func (a *Assembler) Again(from, to Mark, by int) bool {
	if a.listed || from.fixups != to.fixups {
		return false
	}
	if by == 0 {
		a.code = append(a.code, a.code[from.at:to.at]...)
		return true
	}
	x := &to.access
	if x.count != from.access.count+1 {
		return false
	}
	next := x.modRM + 1
	old := a.code[x.modRM]
	base := old & 7
	if base == 4 {
		base = a.code[next] & 7
		next++
	}
	was := old & 0xC0
	if was == 0 && base == 5 { // there is no base
		return false
	}
	mod, number := x.displacement(base, int(x.disp)+by)
	at := len(a.code) + int(x.modRM-from.at)
	a.code = append(a.code, a.code[from.at:next]...)
	a.code[at] = old&^0xC0 | mod
	a.code = appendDisplacement(a.code, mod, number)
	switch was {
	case 0x40:
		next++
	case 0x80:
		next += 4
	}
	a.code = append(a.code, a.code[next:to.at]...)
	return true
}
