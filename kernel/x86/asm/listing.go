package asm

import (
	"fmt"
	"strings"
)

// String returns the listing: offset, bytes and text of each instruction, in Intel syntax as the GNU assembler reads it.
// Padding and constants are left out.
func (c *Code) String() string {
	var b strings.Builder
	for _, e := range c.record {
		if e.form == nil {
			fmt.Fprintf(&b, "%v:\n", e.label)
			continue
		}
		var in instruction
		e.form.match(&e.operands, &in)
		encoded, _ := in.encode(nil, &access{})
		fmt.Fprintf(&b, "%6x  %-22x  %s\n", e.offset, c.Bytes[e.offset:e.offset+len(encoded)], in.text(&e.operands))
	}
	return b.String()
}

func (l Label) String() string { return fmt.Sprintf("L%d", int32(l)) }

var generalNames = [...]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"}

// String returns the register's name, with its mask if it has one.
func (r Reg) String() string {
	n := r.Num()
	name := ""
	switch r.class() {
	case classGP8, classGP4, classGP1:
		name = generalName(r.class(), n)
	case classK:
		name = fmt.Sprintf("k%d", n)
	case classX, classY, classZ:
		name = fmt.Sprintf("%cmm%d", 'x'+rune(r.class()-classX), n)
	case classTile:
		name = fmt.Sprintf("tmm%d", n)
	default:
		return "none"
	}
	if r.mask() != 0 {
		name += fmt.Sprintf("{k%d}", r.mask())
	}
	if r.zero() {
		name += "{z}"
	}
	return name
}

func generalName(class Reg, n int) string {
	if n >= 8 {
		return fmt.Sprintf("r%d%s", n, map[Reg]string{classGP8: "", classGP4: "d", classGP1: "b"}[class])
	}
	long := generalNames[n]
	switch {
	case class == classGP8:
		return long
	case class == classGP4:
		return "e" + long[1:]
	case n < 4:
		return long[1:2] + "l"
	}
	return long[1:] + "l"
}

// String returns the reference in brackets, without the size of the access.
func (m Mem) String() string {
	var terms []string
	switch {
	case m.rip:
		terms = append(terms, "rip")
	case m.Base != None:
		terms = append(terms, m.Base.String())
	}
	if m.Index != None {
		terms = append(terms, fmt.Sprintf("%s*%d", m.Index, max(m.Scale, 1)))
	}
	s := strings.Join(terms, "+")
	switch {
	case m.pool > 0:
		s += fmt.Sprintf("+const%+d", int(m.pool)-1+m.Disp)
	case m.Disp != 0 || s == "":
		s += fmt.Sprintf("%+d", m.Disp)
	}
	s = "[" + s + "]"
	if m.mask != 0 {
		s += fmt.Sprintf("{k%d}", m.mask)
	}
	return s
}

var sizeNames = map[int]string{
	1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword",
}

// text returns the instruction in Intel syntax with the sizes of memory accesses.
func (in *instruction) text(o *operands) string {
	return o.text(known().mnemonics[in.form.op].text(), func(m Mem) string {
		text := m.String()
		if size, ok := sizeNames[in.memArg.bytes(in.length, in.w, in.mem.bcast)]; ok {
			text = size + " ptr " + text
		}
		if m.bcast {
			text += fmt.Sprintf("{1to%d}", in.broadcastCount())
		}
		return text
	})
}

func (in *instruction) broadcastCount() int {
	return max(in.memArg.reg.bytes(in.length), 1) / int(in.memArg.bcast)
}

// text returns an instruction with memory as a function writes it.
func (o *operands) text(name string, memory func(m Mem) string) string {
	var words []string
	for _, r := range o.list[:o.registers] {
		if r == None {
			words = append(words, memory(o.at))
		} else {
			words = append(words, r.String())
		}
	}
	if o.numbers > 0 {
		words = append(words, fmt.Sprint(o.number))
	}
	if o.label >= 0 {
		words = append(words, o.label.String())
	}
	return strings.TrimSpace(name + " " + strings.Join(words, ", "))
}
