package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// printer writes the text form: one item a line, blocks in braces.
type printer struct {
	strings.Builder
	depth int
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *printer) open(format string, args ...any) {
	p.line(format+" {", args...)
	p.depth++
}

func (p *printer) end() {
	p.depth--
	p.line("}")
}

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

func (p *printer) body(b Body) {
	for n := range b {
		if b[n].Op == Store {
			p.line("%s", b[n].String())
			continue
		}
		p.line("%%%d = %s", n, b[n].String())
	}
}

// String prints the instruction without the number of its result.
func (i *Instr) String() string {
	s := i.Op.String() + " " + i.Type.String()
	for _, o := range i.Operands() {
		s += fmt.Sprintf(" %%%d", o)
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

// literal prints a value in decimal if that gives back its bits, or its bits in
// hexadecimal if not.
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

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}
