package asm

// EmitVector is [Assembler.Emit] of vector and mask registers, and of an immediate behind them if there is one, which
// takes less time. [None] among the registers stands for the memory at the given place.
func (a *Assembler) EmitVector(op Op, registers []Reg, at *Mem, imm ...Imm) {
	if a.mode == unlisted {
		list := a.table.registers[op]
		for n := range list {
			f := &list[n]
			if f.registers != len(registers) || f.numbers != len(imm) {
				continue
			}
			if len(imm) == 0 && a.direct(f, registers, at) {
				return
			}
			if f.fill(registers, at, imm, &a.next) {
				a.append(&a.next)
				return
			}
		}
	}
	operands := make([]Operand, 0, len(form{}.args))
	for _, r := range registers {
		if r == None {
			operands = append(operands, at)
			continue
		}
		operands = append(operands, r.Operand())
	}
	for _, i := range imm {
		operands = append(operands, i)
	}
	a.Emit(op, operands...)
}

// registerForm is a form that takes vector or mask registers, or memory in the place of one, and an immediate number of a
// byte behind them or none.
type registerForm struct {
	form               *form
	registers, numbers int
	fields             [4]field     // of the registers
	classes            [3][4]uint16 // of registers, a bit for each, in instructions of 16, 32 and 64 bytes
	direct             bool         // see [Assembler.direct]
}

// addRegisters adds a form to the registerForms of its instruction, if it is one.
func (t *table) addRegisters(f *form) {
	n, last := f.registers()
	if n == 0 {
		return
	}
	r := registerForm{form: f, registers: n, numbers: last, fields: orderFields[f.order], direct: f.direct(n)}
	for i, a := range f.args[:n] {
		for length := range r.classes {
			if !a.only {
				r.classes[length][i] = classesOf[a.reg][length]
			}
		}
	}
	t.registers[f.op] = append(t.registers[f.op], r)
}

// registers returns how many vector or mask registers a form takes, or memory in the place of one, 0 if it takes something
// else too, and whether an immediate number of a byte is behind them.
func (f *form) registers() (n, last int) {
	if f.w == wReg || f.enc&(encVEX|encEVEX) == 0 {
		return 0, 0
	}
	for i := range f.args {
		switch k := f.args[i].reg; {
		case k == kindNone:
			return n, last
		case k == kindImm1 && last == 0:
			last = 1
		case k > kindMask || last == 1:
			return 0, 0
		default:
			n++
		}
	}
	return n, last
}

// direct appends an instruction without a mask, whose operands are registers and memory at a register, and reports
// whether the form takes these operands. It does for most instructions what fill and append do, and faster: no
// description of the instruction is made.
func (a *Assembler) direct(f *registerForm, registers []Reg, at *Mem) bool {
	if !f.direct {
		return false
	}
	first := registers[0]
	if first == None {
		first = registers[1]
	}
	length := first.class() - classX // 0 to 2 of a vector
	if length > 2 || f.form.lengths>>length&1 == 0 {
		return false
	}
	var fields [numFields]uint8
	var arg *arg // in memory
	high := uint8(0)
	for i, r := range registers {
		if r == None {
			arg = &f.form.args[i&3]
			continue
		}
		if r != r.bare() || f.classes[length][i&3]>>r.class()&1 == 0 {
			return false
		}
		n := uint8(r.Num())
		fields[f.fields[i&3]&3] = n
		high |= n
	}
	evex, granule, more := high > 15 || length == 2 || f.form.enc&encVEX == 0, 1, uint8(0)
	w, r, x, b := uint8(f.form.w&w1), fields[fieldR], fields[fieldM]>>4, fields[fieldM]>>3&1
	if arg != nil {
		if at.rip || at.mask != 0 || at.Index.IsVector() || arg.mem == 0 || at.bcast && arg.bcast == 0 {
			return false
		}
		x, b = uint8(at.Index.Num()>>3&1), uint8(at.Base.Num()>>3&1)
		if at.bcast {
			evex, more = true, 0x10
		}
		if evex {
			granule = arg.granule(16<<length, w, at.bcast)
		}
	}
	switch {
	case !evex:
		a.code = f.form.vex(a.code, r>>3, x, b, fields[fieldV], w, 16<<length)
	case f.form.enc&encEVEX == 0:
		return false
	default:
		if f.form.w == wEVEX {
			w = 1
		}
		a.code = f.form.evex(a.code, r>>3, x, b, fields[fieldV], w, 16<<length, more)
	}
	a.code = append(a.code, f.form.opcode)
	if arg == nil {
		a.code = append(a.code, 0xC0|r&7<<3|fields[fieldM]&7)
	} else {
		a.code = at.appendTo(a.code, r&7<<3, granule, &a.access)
	}
	return true
}

// direct reports whether [Assembler.direct] may emit the form with n operands: the first operand that is not in memory
// is a vector, whose length is that of the instruction, and there is nothing to encode but the operands.
func (f *form) direct(n int) bool {
	return f.args[0].reg == kindVec && (f.args[0].mem == 0 || f.args[1].reg == kindVec) && n > 1 && f.ext < 0 && f.order != orderRVMS
}

// fill makes in an instruction of registers and memory, as match does, and reports whether they fit.
func (f *registerForm) fill(registers []Reg, at *Mem, imm []Imm, in *instruction) bool {
	in.begin(f.form)
	if !f.form.registerLength(registers, in) {
		return false
	}
	classes := &f.classes[in.length>>5]
	for i, r := range registers {
		if r == None {
			if !in.placeMem(&f.form.args[i], at) {
				return false
			}
			continue
		}
		if classes[i&3]>>r.class()&1 == 0 {
			return false
		}
		if r != r.bare() {
			if i != 0 || r.zero() && f.form.args[0].reg == kindMask {
				return false
			}
			in.extended, in.mask, in.zero = true, r.mask(), r.zero()
		}
		number, to := uint8(r.Num()), f.fields[i&3]
		in.extended = in.extended || number > 15
		in.fields[to&3] = number
		if to == fieldS {
			in.imm, in.immLen = int64(number)<<4, 1
		}
	}
	for i, v := range imm {
		if !in.placeImm(&f.form.args[len(registers)+i], int64(v)) {
			return false
		}
	}
	return in.choose()
}

// registerLength finds the length of vectors, as vectorLength does.
func (f *form) registerLength(registers []Reg, in *instruction) bool {
	for i, r := range registers {
		if r == None {
			continue
		}
		switch f.args[i].reg {
		case kindVec:
			in.length = r.Bytes()
			return r.IsVector() && f.lengths&lengthBit(in.length) != 0
		case kindY:
			in.length = max(in.length, 32)
		case kindZ:
			in.length = 64
		}
	}
	return true
}
