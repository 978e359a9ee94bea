package asm

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Assembler writes code.
type Assembler struct {
	words  []uint32
	lines  []string // of each word, if there is to be a listing
	listed bool
	labels []int // place of each label in words, -1 if it has none
	fixups []fixup
	pool   []byte
	at     map[string]Label // constants by their bytes
	consts []constant
}

type fixup struct {
	word  int
	label Label
	how   string
}

type constant struct {
	label  Label
	offset int
}

// New returns an assembler that keeps a listing.
func New() *Assembler { return &Assembler{listed: true, at: map[string]Label{}} }

// Unlisted returns an assembler that keeps none.
func Unlisted() *Assembler { return &Assembler{at: map[string]Label{}} }

// Label returns a label without a place.
func (a *Assembler) Label() Label {
	a.labels = append(a.labels, -1)
	return Label{len(a.labels) - 1}
}

// Bind gives a label the current place.
func (a *Assembler) Bind(l Label) { a.labels[l.num] = len(a.words) }

// Here returns a label at the current place.
func (a *Assembler) Here() Label {
	l := a.Label()
	a.Bind(l)
	return l
}

// Len returns the bytes of the code so far, without its constants.
func (a *Assembler) Len() int { return 4 * len(a.words) }

// Constant returns the label of data of 4, 8 or 16 bytes behind the code. Equal data lies there once.
func (a *Assembler) Constant(data []byte) Label {
	if l, ok := a.at[string(data)]; ok {
		return l
	}
	for len(a.pool)%min(len(data), 16) != 0 {
		a.pool = append(a.pool, 0)
	}
	l := a.Label()
	a.consts = append(a.consts, constant{l, len(a.pool)})
	a.pool = append(a.pool, data...)
	a.at[string(data)] = l
	return l
}

// Emit appends an instruction.
func (a *Assembler) Emit(name string, operands ...Operand) {
	f := match(name, operands)
	w := f.word
	for i, o := range operands {
		d := &f.fields[i]
		switch o := o.(type) {
		case Reg:
			w |= uint32(o.num) << d.place
		case Vec:
			w |= uint32(o.num)<<d.place | d.vector(o)
		case Imm:
			w |= d.immediate(int64(o), operands[0])
		case Mem:
			w |= d.memory(o)
		case Label:
			a.fixups = append(a.fixups, fixup{len(a.words), o, d.how})
		}
	}
	a.words = append(a.words, w)
	if a.listed {
		a.lines = append(a.lines, line(name, operands))
	}
}

func line(name string, operands []Operand) string {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = o.String()
		if v, ok := o.(Vec); ok && (strings.HasPrefix(name, "ld1") || strings.HasPrefix(name, "st1") || name == "tbl" && i == 1) {
			list[i] = "{ " + list[i] + " }"
			if v.element {
				list[i] = fmt.Sprintf("{ v%d.%s }[%d]", v.num, arrangements[v.arr], v.index)
			}
		}
		if n, ok := o.(Imm); ok && i > 0 && strings.HasPrefix(name, "mov") && len(operands) == 3 && i == 2 {
			list[i] = fmt.Sprintf("lsl #%d", n)
		}
		if n, ok := o.(Imm); ok && name == "add" && len(operands) == 4 {
			list[i] = fmt.Sprintf("lsl #%d", n)
		}
		if n, ok := o.(Imm); ok && name == "prfm" {
			list[i] = map[Imm]string{0: "pldl1keep"}[n]
		}
	}
	if base, condition, ok := strings.Cut(name, "."); ok && base == "csel" {
		name, list = base, append(list, condition)
	}
	return strings.TrimSpace(fmt.Sprintf("%-8s %s", name, strings.Join(list, ", ")))
}

// sizes are the logarithms of the bytes of what instructions count.
var sizes = [...]uint32{B8: 0, B16: 0, H4: 1, H8: 1, S2: 2, S4: 2, D1: 3, D2: 3, B: 0, H: 1, S: 2, D: 3, B4: 2, H2: 2}

// vector returns the bits of an arrangement or of an element.
func (f *field) vector(v Vec) uint32 {
	size := sizes[v.arr]
	q := uint32(0)
	if v.arr == B16 || v.arr == H8 || v.arr == S4 || v.arr == D2 {
		q = 1 << 30
	}
	i := uint32(v.index)
	switch {
	case f.class && f.how == "f":
		return q | size&1<<22
	case f.class && (f.how == "b" || f.how == "q"):
		return q
	case f.class:
		return q | size<<22
	case f.coded == 'x' && v.arr == D:
		return i << 11
	case f.coded == 'x':
		return i>>1<<11 | i&1<<21
	case f.coded == '5':
		return (i<<(size+1) | 1<<size) << 16
	case f.coded == '4':
		return i << size << 11
	case f.coded == 'l':
		i <<= size
		w := i>>3<<30 | i>>2&1<<12 | i&3<<10
		return w
	}
	return 0
}

// immediate returns the bits of an immediate; the first operand is the result, whose elements a shift is of.
func (f *field) immediate(n int64, first Operand) uint32 {
	u := uint32(n)
	switch f.how {
	case "12":
		return u << 10
	case "12s":
		return u >> 12 << 10
	case "16":
		return u << 5
	case "hw":
		return u / 16 << 21
	case "e":
		return u << 11
	case "8":
		return u>>5<<16 | u&31<<5
	case "s6":
		return u << 10
	case "lsl":
		return (64-u)&63<<16 | (63-u)<<10
	case "lsr":
		return u << 16
	case "0", "16s":
		return 0
	}
	v := first.(Vec)
	width := map[Arrangement]uint32{B8: 8, B16: 8, H4: 16, H8: 16, S2: 32, S4: 32, D2: 64}[v.arr]
	// The class has put the size where the upper bits of a shift are: they say the size in another way.
	if f.how == "l" {
		return (width + u) << 16
	}
	return (2*width - u) << 16
}

// memory returns the bits of an address.
func (f *field) memory(m Mem) uint32 {
	w := uint32(m.Base.num) << 5
	switch {
	case f.how == "":
		return w
	case f.how == "~":
		return w | uint32(m.Offset)&0x1ff<<12
	case f.how[0] == 'r':
		if m.Shift > 0 {
			w |= 1 << 12
		}
		return w | uint32(m.Index.num)<<16
	}
	unit, _ := strconv.Atoi(f.how[1:])
	if f.how[0] == 'p' {
		return w | uint32(m.Offset/unit)&0x7f<<15
	}
	return w | uint32(m.Offset/unit)<<10
}

// Code is assembled code.
type Code struct {
	Bytes []byte
	lines []string
	place map[int][]Label // labels by word
}

// ErrReach says that code is too long for its branches, or its constants too far.
var ErrReach = fmt.Errorf("asm: a label out of reach")

// Assemble returns the code with its constants. It panics with [ErrReach].
func (a *Assembler) Assemble() *Code {
	for len(a.words)%4 != 0 {
		a.Emit("nop")
	}
	end := len(a.words)
	for _, c := range a.consts {
		a.labels[c.label.num] = end + c.offset/4
	}
	for _, f := range a.fixups {
		far := a.labels[f.label.num] - f.word
		if a.labels[f.label.num] < 0 {
			panic("BUG: asm: a label without a place")
		}
		w := &a.words[f.word]
		if f.how == "26" {
			reach(far, 25)
			*w |= uint32(far) & (1<<26 - 1)
		} else {
			reach(far, 18)
			*w |= uint32(far) & (1<<19 - 1) << 5
		}
	}
	c := &Code{lines: a.lines}
	for _, w := range a.words {
		c.Bytes = binary.LittleEndian.AppendUint32(c.Bytes, w)
	}
	c.Bytes = append(c.Bytes, a.pool...)
	if a.listed {
		c.place = map[int][]Label{}
		for i, at := range a.labels {
			if at >= 0 {
				c.place[at] = append(c.place[at], Label{i})
			}
		}
	}
	return c
}

func reach(far, width int) {
	if bits.Len(uint(max(far, ^far))) > width {
		panic(ErrReach)
	}
}

// String returns the listing: what an assembler reads, with the constants as words.
func (c *Code) String() string {
	var b strings.Builder
	label := func(at int) {
		for _, l := range c.place[at] {
			fmt.Fprintf(&b, "%v:\n", l)
		}
	}
	for i, text := range c.lines {
		label(i)
		fmt.Fprintf(&b, "\t%s\n", text)
	}
	if len(c.lines) == 0 {
		return ""
	}
	for at := 4 * len(c.lines); at+4 <= len(c.Bytes); at += 4 {
		label(at / 4)
		fmt.Fprintf(&b, "\t.word    %#08x\n", binary.LittleEndian.Uint32(c.Bytes[at:]))
	}
	return b.String()
}
