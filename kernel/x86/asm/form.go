package asm

import (
	"strings"
	"sync"
)

// Op is an instruction mnemonic: its place among those of instructions.txt, in alphabetical order. Mnemonics in lower case
// follow those in upper case, which have constants.
type Op uint16

// A mnemonic says how an instruction is written and which forms it has: those from first up to the first of the next
// mnemonic. The last mnemonic has no name and ends the forms.
type mnemonic struct {
	name  string // in upper case if there is a constant of the name
	text  string // in listings
	first int    // in forms
}

// String returns the mnemonic as the table has it.
func (o Op) String() string { return known().mnemonics[o].name }

var opsByName = sync.OnceValue(func() map[string]Op {
	names := map[string]Op{}
	for o, m := range known().mnemonics {
		names[strings.ToLower(m.name)] = Op(o)
	}
	return names
})

// Named returns the instruction of a name, in lower case. A name that there is not panics.
func Named(name string) Op {
	o, ok := opsByName()[name]
	if !ok {
		panic("BUG: asm: no instruction " + name)
	}
	return o
}

// A form is one encodable shape of an instruction: a row of instructions.txt.
type form struct {
	op      Op
	order   order
	enc     encoding
	lengths uint8 // set of lenX, lenY, lenZ
	prefix  uint8 // the pp field: 0 none, 1 66, 2 F3, 3 F2
	opMap   uint8 // 0 one byte, 1 0F, 2 0F38, 3 0F3A
	w       wRule
	opcode  uint8
	ext     int8  // ModRM.reg extension, -1 if none
	second  uint8 // a second opcode byte that takes the place of ModRM, 0 if none
	args    [4]arg
	fields  [4]field // of the registers
	// How many of them are registers, or memory in the place of one, and how many immediate numbers are behind them.
	registers, numbers int
}

// An arg says what may stand at one operand position.
type arg struct {
	reg   kind
	mem   uint8 // bytes of memory allowed, or memSame, memAny; 0: no memory
	step  uint8 // granule of compressed displacements where it is not the whole access
	bcast uint8 // bytes of one broadcast element; 0: no broadcast
	only  bool  // no register, the kind only gives the size of the memory
	// classes are those of registers that may stand there, a bit for each, in instructions of 16, 32 and 64 bytes.
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

type order uint8

const (
	orderNone order = iota
	orderRM
	orderMR
	orderRVM
	orderRMV
	orderMVR
	orderVMI
	orderRMI
	orderMRI
	orderRVMI
	orderRVMS
	orderM
	orderMI
	orderMC
	orderOI
	orderD
	orderR
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

// vecShift gives, for the vector kinds, how often the length is halved.
func (k kind) vecShift() (shift int, ok bool) {
	switch k {
	case kindVec, kindIndexVec:
		return 0, true
	case kindHalf, kindIndexHalf:
		return 1, true
	case kindQuarter:
		return 2, true
	}
	return 0, false
}

// bytes returns the size of a register of kind k in an instruction of the given vector length.
func (k kind) bytes(length int) int {
	if shift, ok := k.vecShift(); ok {
		return length >> shift
	}
	switch k {
	case kindX:
		return 16
	case kindY:
		return 32
	case kindZ:
		return 64
	case kindReg1:
		return 1
	case kindReg4:
		return 4
	case kindReg8:
		return 8
	}
	return 0
}

// classesOf are the classes of registers of each kind in instructions of 16, 32 and 64 bytes, a bit for each class.
var classesOf = func() (table [kindRows + 1][3]uint16) {
	set := func(k kind, classes ...Reg) {
		for n := range table[k] {
			for _, c := range classes {
				table[k][n] |= 1 << c
			}
		}
	}
	for k := range table {
		for n := range table[k] {
			if shift, ok := kind(k).vecShift(); ok {
				table[k][n] = 1 << Vec(max(16<<n>>shift, 16), 0).class()
			}
		}
	}
	set(kindX, classX)
	set(kindY, classY)
	set(kindZ, classZ)
	set(kindMask, classK)
	set(kindReg, classGP4, classGP8)
	set(kindReg1, classGP1)
	set(kindReg4, classGP4)
	set(kindReg8, classGP8)
	set(kindTile, classTile)
	set(kindCL, classGP1)
	return table
}()
