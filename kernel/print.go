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

// String implements [Kernel].
func (n *Nest) String() string {
	var p printer
	p.open("nest %q outer=%s inner=%s", n.Name, list(n.Outer), list(n.Inner))
	for _, a := range n.Access {
		p.line("port %s offset=%d outer=%s inner=%s", a.Port, a.Offset, list(a.Outer), list(a.Inner))
	}
	for _, s := range n.Stages {
		p.stage(&s)
	}
	p.end()
	return p.Builder.String()
}

func (p *printer) stage(s *Stage) {
	if s.Once {
		p.open("once")
	} else {
		p.open("stage")
	}
	p.body(s.Body)
	for _, r := range s.Reduce {
		if r.Kind.IsArg() {
			p.line("reduce %s %s %%%d arg=%%%d", r.Kind, r.Type, r.Value, r.Arg)
			continue
		}
		p.line("reduce %s %s %%%d init=%s", r.Kind, r.Type, r.Value, literal(r.Type, r.Init))
	}
	for _, k := range s.Keep {
		p.line("keep %%%d", k)
	}
	p.end()
}

func (p *printer) body(b Body) {
	for n := range b {
		if op := b[n].Op; op == Store || op == StoreAt {
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
	case Load, LoadAt, Store, StoreAt:
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

// String implements [Kernel].
func (c *Contraction) String() string {
	var p printer
	rounded := ""
	if c.Rounded {
		rounded = " rounded=1"
	}
	p.open("contraction %q batch=%s m=%d n=%d k=%d acc=%s%s", c.Name, list(c.Batch), c.M, c.N, c.K, c.Acc, rounded)
	p.line("a %s", &c.A)
	p.line("b %s", &c.B)
	p.epilogue(&c.Epilogue)
	p.end()
	return p.Builder.String()
}

// String prints the operand as the text form has it.
func (m *Matrix) String() string {
	return fmt.Sprintf("%s offset=%d batch=%s row=%d col=%d", m.Port, m.Offset, list(m.Batch), m.Row, m.Col)
}

func (p *printer) epilogue(e *Epilogue) {
	for _, a := range e.Access {
		p.line("port %s offset=%d outer=%s", a.Port, a.Offset, list(a.Outer))
	}
	p.open("epilogue")
	p.body(e.Body)
	p.end()
}

// String implements [Kernel].
func (c *Convolution) String() string {
	var p printer
	p.open("convolution %q input=%s output=%s filter=%s stride=%s dilation=%s pad=%s groups=%d acc=%s",
		c.Name, list{c.N, c.C, c.H, c.W}, list{c.K, c.P, c.Q}, list{c.R, c.S},
		list(c.Stride[:]), list(c.Dilation[:]), list(c.Pad[:]), c.Groups, c.Acc)
	p.line("x %s", &c.X)
	p.line("filter %s", &c.Filter)
	p.epilogue(&c.Epilogue)
	p.end()
	return p.Builder.String()
}

// String prints the operand as the text form has it.
func (m *Image) String() string {
	return fmt.Sprintf("%s offset=%d strides=%s", m.Port, m.Offset, list(m.Strides[:]))
}

// String implements [Kernel].
func (a *Attention) String() string {
	var p printer
	p.open("attention %q batch=%s queries=%d keys=%d dim=%d vdim=%d scale=%s causal=%d safe=%d acc=%s",
		a.Name, list(a.Batch), a.Queries, a.Keys, a.Dim, a.VDim,
		strconv.FormatFloat(a.Scale, 'g', -1, 64), number01(a.Causal), number01(a.Safe), a.Acc)
	p.line("q %s", &a.Q)
	p.line("k %s", &a.K)
	p.line("v %s", &a.V)
	p.line("o %s", &a.O)
	if a.Mask != nil {
		p.line("mask %s bool=%d", a.Mask, number01(a.MaskIsBool))
	}
	p.end()
	return p.Builder.String()
}

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}
