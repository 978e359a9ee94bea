package asm

// An Operand is a register, a memory reference or its address, an immediate or a label.
type Operand interface{ operand() }

func (Reg) operand()   {}
func (Mem) operand()   {}
func (Imm) operand()   {}
func (Label) operand() {}

// operands are the operands of an instruction, in Intel's order: registers, None for the memory, and an immediate or a
// label behind them.
type operands struct {
	list               [4]Reg
	at                 Mem
	number             Imm
	label              Label // -1 for none
	registers, numbers uint8
}

// set makes o the operands of a list.
func (o *operands) set(list []Operand) {
	o.registers, o.numbers, o.label = 0, 0, -1
	for i, operand := range list {
		before := o.registers
		switch operand := operand.(type) {
		case Reg:
			o.add(operand)
		case Mem:
			o.at = operand
			o.add(None)
		case Imm:
			o.number = operand
			o.numbers++
		case Label:
			o.label = operand
		}
		if o.registers > before && int(before) < i {
			panic("BUG: asm: a register or memory behind an immediate or a label")
		}
	}
}

// add adds a register, or the memory.
func (o *operands) add(r Reg) {
	o.list[o.registers&3] = r
	o.registers++
}

// Imm is an immediate operand.
type Imm int64

// Label is a place in the code, made by Assembler.Label and placed by Assembler.Bind.
type Label int32

// Reg is a register with its size, and, where it is the destination of an EVEX instruction, the mask that guards it.
type Reg uint32

// A Reg holds the number in bits 0-4, the class in bits 8-11, the mask register in bits 16-18 and
// the zeroing flag in bit 19.
const (
	classGP1 = 1 + iota
	classGP4
	classGP8
	classK
	classX
	classY
	classZ
	classTile
)

const zeroing Reg = 1 << 19

// The general registers, 8 bytes wide. None stands for "no register" in a Mem.
const (
	None Reg = 0
	RAX  Reg = classGP8<<8 + iota - 1
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// X returns the 16-byte vector register i, 0 to 31. Registers from 16 on need AVX-512.
func X(i int) Reg { return numbered(classX, i, 32) }

// Y returns the 32-byte vector register i, 0 to 31.
func Y(i int) Reg { return numbered(classY, i, 32) }

// Z returns the 64-byte vector register i, 0 to 31.
func Z(i int) Reg { return numbered(classZ, i, 32) }

// K returns the mask register i, 0 to 7.
func K(i int) Reg { return numbered(classK, i, 8) }

// T returns the tile register i, 0 to 7, a matrix of up to 16 rows of 64 bytes.
func T(i int) Reg { return numbered(classTile, i, 8) }

// Vec returns vector register i of the given length: 16, 32 or 64 bytes.
func Vec(bytes, i int) Reg {
	switch bytes {
	case 16:
		return X(i)
	case 32:
		return Y(i)
	case 64:
		return Z(i)
	}
	panic("BUG: asm: no vector register of such a length")
}

func numbered(class Reg, i, count int) Reg {
	if i < 0 || i >= count {
		panic("BUG: asm: register out of range")
	}
	return class<<8 | Reg(i)
}

func (r Reg) class() Reg { return r >> 8 & 15 }

// Num returns the register's number.
func (r Reg) Num() int { return int(r & 31) }

// IsVector reports whether r is a vector register.
func (r Reg) IsVector() bool { return r.class() >= classX && r.class() <= classZ }

// Bytes returns the size of the register; of a mask register, 8, of a tile, the most it can have.
func (r Reg) Bytes() int { return [...]int{0, 1, 4, 8, 8, 16, 32, 64, 1024}[r.class()] }

// Byte returns the lowest byte of general register r.
func (r Reg) Byte() Reg { return r.general(classGP1) }

// Dword returns the lower 4 bytes of general register r.
func (r Reg) Dword() Reg { return r.general(classGP4) }

func (r Reg) general(class Reg) Reg {
	if c := r.class(); c < classGP1 || c > classGP8 {
		panic("BUG: asm: " + r.String() + " is no general register")
	}
	return class<<8 | r&31
}

// As returns the vector register of r's number with the given length in bytes.
func (r Reg) As(bytes int) Reg { return Vec(bytes, r.Num()) }

// Mask returns destination r guarded by mask k: elements whose bit is clear keep their value.
func (r Reg) Mask(k Reg) Reg { return r&0xFFFF | Reg(k.Num())<<16 }

// ZeroMask returns destination r guarded by mask k: elements whose bit is clear become zero.
func (r Reg) ZeroMask(k Reg) Reg { return r.Mask(k) | zeroing }

func (r Reg) mask() int  { return int(r >> 16 & 7) }
func (r Reg) bare() Reg  { return r & 0xFFFF }
func (r Reg) zero() bool { return r&zeroing != 0 }

// Mem is a reference to memory at Base + Index×Scale + Disp. The index of a gather or a scatter is
// a vector register. Scale 0 means 1.
type Mem struct {
	Base, Index Reg
	Scale       int
	Disp        int

	pool  int32 // 1 + offset in the constant pool when the base is the instruction pointer
	mask  uint8 // guards a store; the number of the mask register, 0 for none
	bcast bool  // one element, broadcast to all
	rip   bool
}

// Ptr returns the memory at base + disp.
func Ptr(base Reg, disp int) Mem { return Mem{Base: base, Disp: disp} }

// At returns the memory at base + index×scale + disp.
func At(base, index Reg, scale, disp int) Mem {
	return Mem{Base: base, Index: index, Scale: scale, Disp: disp}
}

// Plus returns the memory disp bytes after m.
func (m Mem) Plus(disp int) Mem { m.Disp += disp; return m }

// Bcast returns m as one element that is broadcast to every position of the vector.
func (m Mem) Bcast() Mem { m.bcast = true; return m }

// Mask returns m as a destination guarded by mask k: elements whose bit is clear stay untouched.
func (m Mem) Mask(k Reg) Mem { m.mask = uint8(k.Num()); return m }
