package asm

// generalForms are the forms of an instruction of two general registers of four or eight bytes, of one and memory on
// either side, of one and an immediate number of a byte or of four, and of a label. They are nil where there is none.
type generalForms struct{ registers, reads, writes, short, long, label *form }

// addGeneral makes a form the one of each kind that its instruction has no earlier one of.
func (t *table) addGeneral(f *form) {
	g, to, from := &t.general[f.op], &f.args[0], &f.args[1]
	first := func(place **form, takes bool) {
		if takes && *place == nil {
			*place = f
		}
	}
	first(&g.label, f.order == orderD)
	if f.enc != encLegacy || f.prefix != 0 || to.reg != kindReg && to.reg != kindReg8 || f.args[2].reg != kindNone {
		return
	}
	first(&g.short, from.reg == kindSigned1)
	first(&g.long, from.reg == kindImm4)
	if f.w == wReg && from.reg == kindReg {
		first(&g.registers, !from.only)
		first(&g.reads, from.mem != 0)
		first(&g.writes, to.mem != 0)
	}
}

// general emits an instruction that has one of generalForms, and reports whether the instruction has one. No
// description of the instruction is made, which takes most of the time of Emit.
func (a *Assembler) general(op Op, operands []Operand) bool {
	g := &a.table.general[op]
	switch len(operands) {
	case 1:
		label, ok := operands[0].(Label)
		if !ok || g.label == nil {
			return false
		}
		a.code = append(g.label.legacy(a.code, 0, 0, 0, 0), 0, 0, 0, 0)
		a.fixups = append(a.fixups, fixup{len(a.code) - 4, len(a.code), label, -1})
		return true
	case 2:
	default:
		return false
	}
	if m, ok := operands[0].(Mem); ok {
		r, ok := operands[1].(Reg)
		return ok && a.generalAccess(g.writes, r, &m)
	}
	r, ok := operands[0].(Reg)
	if !ok {
		return false
	}
	switch o := operands[1].(type) {
	case Mem:
		return a.generalAccess(g.reads, r, &o)
	case Reg:
		return r.class() == o.class() && a.generalRegisters(g.registers, r, o)
	case Imm:
		f := g.long
		if g.short != nil && o == Imm(int8(o)) {
			f = g.short
		}
		if f == nil || o != Imm(int32(o)) || !r.isGeneral() || r.class() != classGP8 && f.args[0].reg == kindReg8 {
			return false
		}
		a.code = append(f.legacy(a.code, r.wide(), 0, 0, r.high()), 0xC0|byte(f.ext)<<3|byte(r&7))
		if f == g.short {
			a.code = append(a.code, byte(o))
		} else {
			a.code = appendInt32(a.code, int(o))
		}
		return true
	}
	return false
}

// generalRegisters is general for two registers of a length.
func (a *Assembler) generalRegisters(f *form, to, from Reg) bool {
	if f == nil || !to.isGeneral() {
		return false
	}
	if f.order == orderMR {
		to, from = from, to
	}
	a.code = append(f.legacy(a.code, to.wide(), to.high(), 0, from.high()), 0xC0|byte(to&7)<<3|byte(from&7))
	return true
}

// generalAccess is general for a register and memory.
func (a *Assembler) generalAccess(f *form, r Reg, m *Mem) bool {
	if f == nil || !r.isGeneral() || m.rip || m.bcast || m.mask != 0 || m.Index.IsVector() {
		return false
	}
	a.code = m.appendTo(f.legacy(a.code, r.wide(), r.high(), m.Index.high(), m.Base.high()), byte(r&7)<<3, 1, &a.access)
	return true
}

// legacy appends the prefix and the opcode of an instruction of a length, given the fourth bits of ModRM.reg, index, and
// base or rm.
func (f *form) legacy(code []byte, w, r, x, b byte) []byte {
	if rex := w<<3 | r<<2 | x<<1 | b; rex != 0 {
		code = append(code, 0x40|rex)
	}
	if f.opMap == 1 {
		code = append(code, 0x0F)
	}
	return append(code, f.opcode)
}

// isGeneral reports whether r is a general register of four or eight bytes.
func (r Reg) isGeneral() bool {
	return r.bare() == r && (r.class() == classGP4 || r.class() == classGP8)
}

// wide returns 1 for a general register of eight bytes, else 0.
func (r Reg) wide() byte { return byte((r.class() - classGP4) & 1) }

// high returns the fourth bit of the number.
func (r Reg) high() byte { return byte(r >> 3 & 1) }
