package asm

// An instruction is a form with its operands sorted into the fields of the encoding.
type instruction struct {
	form     *form
	evex     bool
	w        uint8
	length   int              // of the vectors, in bytes
	fields   [numFields]uint8 // the numbers of registers, all five bits
	isMem    bool
	extended bool // whether only EVEX has what the operands need
	mem      Mem  // if isMem
	memArg   *arg // likewise
	rex      bool // a byte register that needs an empty REX prefix
	rel      Label
	imm      int64
	immLen   int
	mask     int
	zero     bool
}

// begin makes in an instruction without operands. What only an operand in memory has may be left from another one.
func (in *instruction) begin(f *form) {
	in.form, in.evex, in.w, in.length = f, false, uint8(f.w&w1), 16
	in.fields = [numFields]uint8{}
	in.isMem, in.extended, in.rex, in.rel = false, false, false, -1
	in.immLen, in.mask, in.zero = 0, 0, false
}

// match sorts ops into the fields of f, which become in, and reports whether they fit.
func (f *form) match(ops []Operand, in *instruction) bool {
	in.begin(f)
	if f.enc&(encVEX|encEVEX) != 0 && !f.vectorLength(ops, in) {
		return false
	}
	n := 0
	for i := range f.args {
		a := &f.args[i]
		if a.reg == kindNone {
			break
		}
		if n++; i >= len(ops) || !in.place(i, a, ops[i]) {
			return false
		}
	}
	if n != len(ops) {
		return false
	}
	if !in.choose() {
		return false
	}
	return f.w != wReg || in.generalWidth(ops)
}

// choose takes the encoding of an instruction whose operands are placed, and reports whether there is one.
func (in *instruction) choose() bool {
	f := in.form
	switch {
	case f.enc&encVEX != 0 && !in.extended && in.length < 64 && f.lengths&lengthBit(in.length) != 0:
	case f.enc&encEVEX != 0:
		in.evex = true
	case f.enc&encLegacy != 0:
	default:
		return false
	}
	if f.w == wEVEX {
		in.w = 0
		if in.evex {
			in.w = 1
		}
	}
	return in.maskAllowed()
}

// maskAllowed checks the mask, which gathers and scatters must have.
func (in *instruction) maskAllowed() bool {
	if in.isMem && in.evex && in.mem.Index.IsVector() {
		return in.mask != 0 && !in.zero
	}
	return in.mask == 0 || in.evex && in.form.enc&encUnmasked == 0
}

// generalWidth sets W from the general registers among ops, which must agree.
func (in *instruction) generalWidth(ops []Operand) bool {
	in.w = 0
	class := Reg(0)
	for i, op := range ops {
		r, ok := op.(Reg)
		if !ok || in.form.args[i].reg != kindReg {
			continue
		}
		if class != 0 && class != r.class() {
			return false
		}
		if class = r.class(); class == classGP8 {
			in.w = 1
		}
	}
	return true
}

func lengthBit(bytes int) uint8 {
	switch bytes {
	case 32:
		return lenY
	case 64:
		return lenZ
	}
	return lenX
}

// vectorLength finds the length that the operands of f agree on.
func (f *form) vectorLength(ops []Operand, in *instruction) bool {
	for i, op := range ops {
		if i >= len(f.args) {
			return false
		}
		r, ok := op.(Reg)
		switch {
		case ok && f.args[i].reg == kindVec && r.IsVector():
			in.length = r.Bytes()
			return f.lengths&lengthBit(in.length) != 0
		case ok && f.args[i].reg == kindY:
			in.length = max(in.length, 32)
		case ok && f.args[i].reg == kindZ:
			in.length = 64
		}
	}
	for i, op := range ops { // without a plain vector operand, the index of a gather decides
		if f.args[i].reg != kindIndexVec {
			continue
		}
		index := None
		switch m := op.(type) {
		case Mem:
			index = m.Index
		case *Mem:
			index = m.Index
		}
		if index.IsVector() {
			in.length = index.Bytes()
		}
	}
	return true
}

// place puts operand i into its field.
func (in *instruction) place(i int, a *arg, op Operand) bool {
	switch op := op.(type) {
	case Reg:
		return in.placeReg(i, a, op)
	case Mem:
		return in.placeMem(a, &op)
	case *Mem:
		return in.placeMem(a, op)
	case Imm:
		return in.placeImm(a, int64(op))
	case Label:
		in.rel = op
		return a.reg == kindRel
	}
	return false
}

func (in *instruction) placeReg(i int, a *arg, r Reg) bool {
	bare := r.bare()
	if a.only || !a.reg.takes(bare, in.length) {
		return false
	}
	if r != bare {
		if i != 0 || a.reg == kindMask && r.zero() {
			return false
		}
		in.extended, in.mask, in.zero = true, r.mask(), r.zero()
	}
	if r.Num() > 15 { // a vector
		in.extended = true
	}
	if a.reg == kindReg1 && r.Num() >= 4 {
		in.rex = true
	}
	if a.reg == kindCL {
		return true
	}
	f := orderFields[in.form.order&31][i&3]
	in.fields[f&3] = uint8(r.Num())
	if f == fieldS {
		in.imm, in.immLen = int64(r.Num())<<4, 1
	}
	return true
}

func (in *instruction) placeMem(a *arg, m *Mem) bool {
	gather := a.reg == kindIndexVec || a.reg == kindIndexHalf
	if gather != m.Index.IsVector() || !gather && a.mem == 0 || m.bcast && a.bcast == 0 {
		return false
	}
	if gather && !a.reg.takes(m.Index, in.length) {
		return false
	}
	if m.bcast || m.mask != 0 || gather && m.Index.Num() > 15 {
		in.extended = true
	}
	if m.mask != 0 {
		in.mask = int(m.mask)
	}
	if a.reg == kindRows && (m.Index == None || m.Base == None) {
		return false
	}
	in.mem, in.isMem, in.memArg = *m, true, a
	return true
}

func (in *instruction) placeImm(a *arg, v int64) bool {
	switch a.reg {
	case kindImm1:
		if v < -128 || v > 255 {
			return false
		}
		in.immLen = 1
	case kindSigned1:
		if v != int64(int8(v)) {
			return false
		}
		in.immLen = 1
	case kindImm4:
		if v != int64(int32(v)) && !(in.form.order == orderOI && v == int64(uint32(v))) {
			return false
		}
		in.immLen = 4
	case kindImm8:
		in.immLen = 8
	default:
		return false
	}
	in.imm = v
	return true
}
