package transpose

import "github.com/go-acap/acap/kernel/x86/asm"

// Emit transposes rows, one register for each of the square's rows, and returns the registers that
// hold the columns. An element has 4 bytes, and there are as many rows as elements in a
// register of 32 or 64 bytes. spare are as many free registers of the same length; the result lies
// in some of rows and spare, and the others are overwritten. With 32-byte registers one spare
// register does.
func Emit(a *asm.Assembler, rows, spare []asm.Reg) []asm.Reg {
	switch n := len(rows); {
	case n == 16:
		return emit16(a, rows, spare)
	case n == 8 && rows[0].Bytes() == 32:
		return emit8(a, rows, spare[0])
	}
	panic("BUG: transpose: no such square")
}

// emit16: two rounds of unpacking inside the 16-byte lanes, two of shuffling whole lanes.
func emit16(a *asm.Assembler, r, t []asm.Reg) []asm.Reg {
	for i := 0; i < 16; i += 2 {
		a.Emit(asm.VPUNPCKLDQ, t[i], r[i], r[i+1])
		a.Emit(asm.VPUNPCKHDQ, t[i+1], r[i], r[i+1])
	}
	for i := 0; i < 16; i += 4 {
		a.Emit(asm.VPUNPCKLQDQ, r[i], t[i], t[i+2])
		a.Emit(asm.VPUNPCKHQDQ, r[i+1], t[i], t[i+2])
		a.Emit(asm.VPUNPCKLQDQ, r[i+2], t[i+1], t[i+3])
		a.Emit(asm.VPUNPCKHQDQ, r[i+3], t[i+1], t[i+3])
	}
	// r[4g+c] holds, in lane l, column 4l+c of rows 4g to 4g+3.
	for c := range 4 {
		a.Emit(asm.VSHUFI32X4, t[c], r[c], r[4+c], asm.Imm(0x88))
		a.Emit(asm.VSHUFI32X4, t[4+c], r[c], r[4+c], asm.Imm(0xDD))
		a.Emit(asm.VSHUFI32X4, t[8+c], r[8+c], r[12+c], asm.Imm(0x88))
		a.Emit(asm.VSHUFI32X4, t[12+c], r[8+c], r[12+c], asm.Imm(0xDD))
	}
	for c := range 4 {
		a.Emit(asm.VSHUFI32X4, r[c], t[c], t[8+c], asm.Imm(0x88))
		a.Emit(asm.VSHUFI32X4, r[8+c], t[c], t[8+c], asm.Imm(0xDD))
		a.Emit(asm.VSHUFI32X4, r[4+c], t[4+c], t[12+c], asm.Imm(0x88))
		a.Emit(asm.VSHUFI32X4, r[12+c], t[4+c], t[12+c], asm.Imm(0xDD))
	}
	return r[:16]
}

// emit8 transposes 8×8 elements of 4 bytes in 32-byte registers with one spare register.
func emit8(a *asm.Assembler, r []asm.Reg, spare asm.Reg) []asm.Reg {
	regs := append([]asm.Reg(nil), r...)
	// pair replaces two registers by op(x, y) and op2(x, y), using and renewing the spare one.
	pair := func(i, j int, emit func(lo, hi, x, y asm.Reg)) {
		x, y := regs[i], regs[j]
		emit(spare, y, x, y)
		regs[i], regs[j], spare = spare, y, x
	}
	unpack := func(low, high asm.Op) func(lo, hi, x, y asm.Reg) {
		return func(lo, hi, x, y asm.Reg) {
			a.Emit(low, lo, x, y)
			a.Emit(high, hi, x, y)
		}
	}
	for i := 0; i < 8; i += 2 {
		pair(i, i+1, unpack(asm.VUNPCKLPS, asm.VUNPCKHPS))
	}
	for _, i := range []int{0, 1, 4, 5} {
		pair(i, i+2, unpack(asm.VUNPCKLPD, asm.VUNPCKHPD))
	}
	for i := range 4 {
		pair(i, i+4, func(lo, hi, x, y asm.Reg) {
			a.Emit(asm.VPERM2F128, lo, x, y, asm.Imm(0x20))
			a.Emit(asm.VPERM2F128, hi, x, y, asm.Imm(0x31))
		})
	}
	// Now register c of the first half holds column 2·(c&1) + c>>1 of the lower lanes.
	return []asm.Reg{regs[0], regs[2], regs[1], regs[3], regs[4], regs[6], regs[5], regs[7]}
}
