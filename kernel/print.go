package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// list prints extents as [2,3].
type list []int

func (l list) String() string {
	s := make([]string, len(l))
	for i, x := range l {
		s[i] = strconv.Itoa(x)
	}
	return "[" + strings.Join(s, ",") + "]"
}

func (p Port) String() string {
	s := p.DType.String()
	if p.Write {
		s += " out"
	} else {
		s += " in"
	}
	if p.Const {
		s += " const"
	}
	if p.Format != dtype.Plain {
		s += " " + p.Format.String()
	}
	return fmt.Sprintf("%s len=%d", s, p.Len)
}

// String prints the instruction without the number of its result.
func (i *Instr) String() string {
	s := i.Op.String() + " " + i.Type.String()
	for _, o := range i.Operands() {
		s += " " + value(o)
	}
	switch i.Op {
	case Const:
		s += " " + literal(i.Type, i.Imm)
	case Load, LoadAt, Store:
		s += fmt.Sprintf(" port=%d", i.Port)
	case Index:
		s += fmt.Sprintf(" loop=%d", i.Port)
	case Acc, Kept:
		s += fmt.Sprintf(" stage=%d number=%d", i.Port, i.Imm)
	}
	return s
}

// literal prints a value in decimal if that gives back its bits, or its bits in hexadecimal if not.
func literal(t dtype.DType, bits uint64) string {
	if !t.IsFloat() {
		if s := strconv.FormatInt(Integer(t, bits), 10); bits&mask(t) == bits {
			return s
		}
		return fmt.Sprintf("0x%x", bits)
	}
	width := 32
	if t == dtype.F64 {
		width = 64
	}
	v := Value(t, bits)
	if Bits(t, v) == bits && v == v {
		return strconv.FormatFloat(v, 'g', -1, width)
	}
	return fmt.Sprintf("0x%x", bits)
}

// value prints the number of an instruction.
func value(n int) string { return "%" + strconv.Itoa(n) }

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}
