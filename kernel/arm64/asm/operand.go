package asm

import "fmt"

// Operand is a register, an element of one, an immediate, memory or a label.
type Operand interface{ String() string }

// Arrangement says how an instruction sees a vector register: as a vector of elements, as one scalar, or as one element
// of the vector.
type Arrangement uint8

// The arrangements.
const (
	B8 Arrangement = iota
	B16
	H4
	H8
	S2
	S4
	D1
	D2
	B // a number, or an element with an index
	H
	S
	D
	Q
	B4 // four bytes, or two halves, that are an element together
	H2
)

var arrangements = [...]string{"8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d", "b", "h", "s", "d", "q", "4b", "2h"}

// Reg is a general register.
type Reg struct {
	num  uint8
	word bool // its lower four bytes
}

// X returns general register n. X(31) is zero.
func X(n int) Reg { return Reg{num: uint8(n)} }

// Zero is the register that reads as 0.
var Zero = X(31)

// W returns the lower half of the register.
func (r Reg) W() Reg { return Reg{r.num, true} }

// Num returns the number of the register.
func (r Reg) Num() int { return int(r.num) }

func (r Reg) String() string {
	letter := "x"
	if r.word {
		letter = "w"
	}
	if r.num == 31 {
		return letter + "zr"
	}
	return fmt.Sprint(letter, r.num)
}

// Vec is a vector register in an arrangement.
type Vec struct {
	num     uint8
	arr     Arrangement
	index   int8
	element bool
}

// V returns vector register n, all of its 16 bytes.
func V(n int) Vec { return Vec{num: uint8(n), arr: Q} }

// As returns the register in another arrangement.
func (v Vec) As(a Arrangement) Vec { return Vec{num: v.num, arr: a} }

// Element returns an element of the register.
func (v Vec) Element(a Arrangement, index int) Vec {
	return Vec{num: v.num, arr: a, index: int8(index), element: true}
}

// Num returns the number of the register.
func (v Vec) Num() int { return int(v.num) }

func (v Vec) String() string {
	switch {
	case v.element:
		return fmt.Sprintf("v%d.%s[%d]", v.num, arrangements[v.arr], v.index)
	case v.arr >= B && v.arr <= Q:
		return fmt.Sprint(arrangements[v.arr], v.num)
	}
	return fmt.Sprintf("v%d.%s", v.num, arrangements[v.arr])
}

// Imm is an immediate number.
type Imm int64

func (i Imm) String() string { return fmt.Sprintf("#%d", int64(i)) }

// Mem is memory at Base + Offset, or at Base plus Index times 1<<Shift.
type Mem struct {
	Base    Reg
	Offset  int
	Index   Reg
	Shift   int
	indexed bool
}

// At returns the memory at a register and a distance in bytes.
func At(base Reg, offset int) Mem { return Mem{Base: base, Offset: offset} }

// Indexed returns the memory at a register plus another times 1<<shift.
func Indexed(base, index Reg, shift int) Mem {
	return Mem{Base: base, Index: index, Shift: shift, indexed: true}
}

func (m Mem) String() string {
	switch {
	case m.indexed && m.Shift > 0:
		return fmt.Sprintf("[%v, %v, lsl #%d]", m.Base, m.Index, m.Shift)
	case m.indexed:
		return fmt.Sprintf("[%v, %v]", m.Base, m.Index)
	case m.Offset != 0:
		return fmt.Sprintf("[%v, #%d]", m.Base, m.Offset)
	}
	return fmt.Sprintf("[%v]", m.Base)
}

// Label is a place in the code.
type Label struct{ num int }

func (l Label) String() string { return fmt.Sprintf("L%d", l.num) }
