package asm

import "strings"

// Op is an instruction mnemonic: its place among the mnemonics of instructions.txt. Mnemonics in upper case have constants.
type Op uint16

// String returns the mnemonic as the table has it.
func (o Op) String() string { return known().mnemonics[o].name() }

// Named returns the instruction of a name, in lower case. A name that there is not panics.
func Named(name string) Op {
	o, ok := known().byName[name]
	if !ok {
		o, ok = known().byName[strings.ToUpper(name)]
	}
	if !ok {
		panic("BUG: asm: no instruction " + name)
	}
	return o
}

// A form is one encodable shape of an instruction: a row of instructions.txt.
type form struct {
	// How many operands are registers, or memory in the place of one, and how many immediate numbers are behind them.
	registers, numbers uint8
	op                 Op
	order              order
	enc                encoding
	lengths            uint8 // set of lenX, lenY, lenZ
	prefix             uint8 // the pp field: 0 none, 1 66, 2 F3, 3 F2
	opMap              uint8 // 0 one byte, 1 0F, 2 0F38, 3 0F3A
	w                  wRule
	opcode             uint8
	ext                int8  // ModRM.reg extension, -1 if none
	second             uint8 // a second opcode byte that takes the place of ModRM, 0 if none
	args               [4]arg
	fields             [4]field // of the registers
}

// An arg says what may stand at one operand position.
type arg struct {
	reg   kind
	mem   uint8 // bytes of memory allowed, or memSame, memAny; 0: no memory
	step  uint8 // granule of compressed displacements where it is not the whole access
	bcast uint8 // bytes of one broadcast element; 0: no broadcast
	only  bool  // no register, the kind only gives the size of the memory
	// classes are the classes of registers that may stand there, as bits, in instructions of 16, 32 and 64 bytes.
	classes [3]uint16
}

const (
	memSame = 0xFF // memory as long as the register kind says
	memAny  = 0xFE // memory of any size: only the address counts
)

type encoding uint8

const (
	encLegacy encoding = 1 << iota
	encVEX
	encEVEX
	encUnmasked // the EVEX form takes no mask
	encL1       // VEX.L is set though no operand says so
)

const (
	lenX uint8 = 1 << iota
	lenY
	lenZ
)

type wRule uint8

const (
	w0 wRule = iota
	w1
	wEVEX // 1 with EVEX only
	wReg  // 1 when a general-register operand has 8 bytes
)

// order says what follows the opcode of an instruction.
type order uint8

const (
	orderModRM order = iota
	orderNone        // nothing
	orderOI          // a number, with a register in the lowest bits of the opcode
	orderD           // the distance to a label
)

// kind is the set of registers (or other operands) that a position takes.
type kind uint8

const (
	kindNone kind = iota
	kindVec
	kindHalf
	kindQuarter
	kindX
	kindY
	kindZ
	kindMask
	kindReg
	kindReg1
	kindReg4
	kindReg8
	kindImm1
	kindSigned1
	kindImm4
	kindImm8
	kindRel
	kindCL
	kindIndexVec // memory addressed by a vector of the instruction's length
	kindIndexHalf
	kindTile
	kindRows // memory of rows: base and index, which is their distance
)

// kinds says of each kind the word in instructions.txt and the bytes and classes of its registers. Kinds with a share are
// vectors: the length of the instruction's vectors, divided by the share.
var kinds = [...]struct {
	word         string
	share, bytes int
	classes      []Reg
}{
	kindNone:      {},
	kindVec:       {word: "v", share: 1},
	kindHalf:      {word: "h", share: 2},
	kindQuarter:   {word: "q", share: 4},
	kindX:         {word: "x", bytes: 16, classes: []Reg{classX}},
	kindY:         {word: "y", bytes: 32, classes: []Reg{classY}},
	kindZ:         {word: "z", bytes: 64, classes: []Reg{classZ}},
	kindMask:      {word: "k", classes: []Reg{classK}},
	kindReg:       {word: "r", classes: []Reg{classGP4, classGP8}},
	kindReg1:      {word: "r1", bytes: 1, classes: []Reg{classGP1}},
	kindReg4:      {word: "r4", bytes: 4, classes: []Reg{classGP4}},
	kindReg8:      {word: "r8", bytes: 8, classes: []Reg{classGP8}},
	kindImm1:      {word: "i1"},
	kindSigned1:   {word: "s1"},
	kindImm4:      {word: "i4"},
	kindImm8:      {word: "i8"},
	kindRel:       {word: "rel"},
	kindCL:        {word: "cl", classes: []Reg{classGP1}},
	kindIndexVec:  {word: "gv", share: 1},
	kindIndexHalf: {word: "gh", share: 2},
	kindTile:      {word: "t", classes: []Reg{classTile}},
	kindRows:      {word: "rows"},
}

// bytes returns the size of a register of kind k in an instruction of the given vector length.
func (k kind) bytes(length int) int {
	if share := kinds[k].share; share > 0 {
		return length / share
	}
	return kinds[k].bytes
}

// classes are the classes of registers of kind k in instructions of 16, 32 and 64 bytes, a bit for each class.
func (k kind) classes() (sets [3]uint16) {
	for n := range sets {
		for _, c := range kinds[k].classes {
			sets[n] |= 1 << c
		}
		if share := kinds[k].share; share > 0 {
			sets[n] = 1 << Vec(max(16<<n/share, 16), 0).class()
		}
	}
	return sets
}
