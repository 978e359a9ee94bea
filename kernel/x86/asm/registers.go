package asm

// EmitVector is [Assembler.Emit] of vector and mask registers, and of an immediate behind them if there is one, which
// takes less time. [None] among the registers stands for the memory at the given place.
func (a *Assembler) EmitVector(op Op, registers []Reg, at *Mem, imm ...Imm) {
	if a.mode == unlisted {
		for _, f := range registerForms[op] {
			if f.registers == len(registers) && f.numbers == len(imm) && f.form.fill(registers, at, imm, &a.next) {
				a.append(&a.next)
				return
			}
		}
	}
	operands := make([]Operand, 0, len(forms[0].args))
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
}

// registerForms are those of each instruction.
var registerForms = func() (table [len(mnemonics)][]registerForm) {
	for i := range forms {
		f := &forms[i]
		if n, last := f.registers(); n > 0 {
			table[f.op] = append(table[f.op], registerForm{f, n, last})
		}
	}
	return table
}()

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
func (f *form) fill(registers []Reg, at *Mem, imm []Imm, in *instruction) bool {
	in.begin(f)
	if !f.registerLength(registers, in) {
		return false
	}
	for i, r := range registers {
		if r == None {
			if !in.placeMem(&f.args[i], at) {
				return false
			}
		} else if !in.placeReg(i, &f.args[i], r) {
			return false
		}
	}
	for i, v := range imm {
		if !in.placeImm(&f.args[len(registers)+i], int64(v)) {
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
