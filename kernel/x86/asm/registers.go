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
}

// addRegisters adds a form to the registerForms of its instruction, if it is one.
func (t *table) addRegisters(f *form) {
	n, last := f.registers()
	if n == 0 {
		return
	}
	r := registerForm{form: f, registers: n, numbers: last, fields: orderFields[f.order]}
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
