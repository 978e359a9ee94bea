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
	mem      *Mem // if isMem
	memArg   *arg // likewise
	rex      bool // a byte register that needs an empty REX prefix
	rel      Label
	imm      int64
	immLen   int
	mask     int
	zero     bool
}

// begin makes in an instruction without operands. Fields that only an operand in memory has may be left from another
// operand.
func (in *instruction) begin(f *form) {
	in.form, in.evex, in.w, in.length = f, false, uint8(f.w&w1), 16
	in.fields = [numFields]uint8{}
	in.isMem, in.extended, in.rex, in.rel = false, false, false, -1
	in.immLen, in.mask, in.zero = 0, 0, false
}

// match sorts operands into the fields of f, which become in, and reports whether they fit.
func (f *form) match(o *operands, in *instruction) bool {
	if f.registers != o.registers || f.numbers != o.numbers || (f.order == orderD) != (o.label >= 0) {
		return false
	}
	in.begin(f)
	if f.enc&(encVEX|encEVEX) != 0 && !f.vectorLength(o, in) {
		return false
	}
	if !in.placeRegisters(o) {
		return false
	}
	if f.numbers > 0 && !in.placeImm(&f.args[f.registers&3], int64(o.number)) {
		return false
	}
	in.rel = o.label
	return in.choose()
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

// lengthBit is the bit of vectors of 16, 32 or 64 bytes.
func lengthBit(bytes int) uint8 { return lenX << (bytes >> 5) }

// vectorLength finds the length that the operands of f agree on.
func (f *form) vectorLength(o *operands, in *instruction) bool {
	for i, r := range o.list[:o.registers] {
		switch k := f.args[i].reg; {
		case r == None:
		case k == kindVec:
			in.length = r.Bytes()
			return r.IsVector() && f.lengths&lengthBit(in.length) != 0
		case k == kindY:
			in.length = max(in.length, 32)
		case k == kindZ:
			in.length = 64
		}
	}
	for i, r := range o.list[:o.registers] { // without a plain vector operand, the index of a gather decides
		if r == None && f.args[i].reg == kindIndexVec && o.at.Index.IsVector() {
			in.length = o.at.Index.Bytes()
		}
	}
	return true
}

// placeRegisters puts registers, and memory, into their fields. General registers that W depends on must agree.
func (in *instruction) placeRegisters(o *operands) bool {
	f, general := in.form, Reg(0)
	for i, r := range o.list[:o.registers] {
		a := &f.args[i]
		if r == None {
			if !in.placeMem(a, &o.at) {
				return false
			}
			continue
		}
		if a.classes[in.length>>5]>>r.class()&1 == 0 {
			return false
		}
		if r != r.bare() {
			if i != 0 || r.zero() && a.reg == kindMask {
				return false
			}
			in.extended, in.mask, in.zero = true, r.mask(), r.zero()
		}
		number := uint8(r.Num())
		switch {
		case number > 15: // a vector
			in.extended = true
		case a.reg == kindReg && f.w == wReg:
			if general != 0 && general != r.class() {
				return false
			}
			general = r.class()
		case a.reg == kindReg1:
			in.rex = in.rex || number >= 4
		case a.reg == kindCL:
			if r != RCX.Byte() {
				return false
			}
			continue
		}
		to := f.fields[i]
		in.fields[to&3] = number
		if to == fieldS {
			in.imm, in.immLen = int64(number)<<4, 1
		}
	}
	if f.w == wReg {
		in.w = 0
		if general == classGP8 {
			in.w = 1
		}
	}
	return true
}

func (in *instruction) placeMem(a *arg, m *Mem) bool {
	gather := a.reg == kindIndexVec || a.reg == kindIndexHalf
	if gather != m.Index.IsVector() || !gather && a.mem == 0 || m.bcast && a.bcast == 0 {
		return false
	}
	if gather && a.classes[in.length>>5]>>m.Index.class()&1 == 0 {
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
	in.mem, in.isMem, in.memArg = m, true, a
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
