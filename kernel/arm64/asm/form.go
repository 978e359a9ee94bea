package asm

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed instructions.txt
var instructions string

// form is a line of instructions.txt.
type form struct {
	name   string
	fields []field
	word   uint32
}

// field is an operand of a form.
type field struct {
	what  byte   // X W B H S D Q V, # an immediate, @ a label, [ memory
	place uint   // of the number of a register
	how   string // arrangement or class of a vector; kind of an immediate, a label or memory
	coded byte   // how the number of an element is coded, 0 if this is none
	fixed Arrangement
	class bool
}

var forms = sync.OnceValue(func() map[string][]*form {
	table := map[string][]*form{}
	for _, line := range strings.Split(instructions, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		word, err := strconv.ParseUint(words[len(words)-1], 16, 32)
		if err != nil {
			panic("BUG: asm: " + line)
		}
		f := &form{name: words[0], word: uint32(word)}
		for _, w := range words[1 : len(words)-1] {
			f.fields = append(f.fields, fieldOf(w))
		}
		table[f.name] = append(table[f.name], f)
	}
	return table
})

var places = map[byte]uint{'d': 0, 't': 0, 'n': 5, 'a': 10, 'm': 16}

func fieldOf(text string) field {
	f := field{what: text[0], how: text[1:]}
	switch text[0] {
	case '#', '@':
		return f
	case '[':
		f.how = strings.TrimSuffix(f.how, "]")
		return f
	}
	f.place = places[text[1]]
	if text[0] != 'V' {
		return f
	}
	f.how = text[3:]
	if at := strings.IndexByte(f.how, '['); at >= 0 {
		f.coded = f.how[at+1]
		f.how = f.how[:at]
	}
	if f.class = strings.Contains("fiwbq", f.how) && !(f.coded != 0); f.class {
		return f
	}
	for i, name := range arrangements {
		if name == f.how {
			f.fixed = Arrangement(i)
			return f
		}
	}
	panic("BUG: asm: no arrangement " + text)
}

// fits reports whether an operand is of the kind of the field. Classes take any arrangement here.
func (f *field) fits(o Operand) bool {
	switch f.what {
	case '#':
		_, ok := o.(Imm)
		return ok
	case '@':
		_, ok := o.(Label)
		return ok
	case '[':
		m, ok := o.(Mem)
		return ok && f.reaches(m)
	case 'X', 'W':
		r, ok := o.(Reg)
		return ok && r.word == (f.what == 'W')
	}
	v, ok := o.(Vec)
	switch {
	case !ok:
		return false
	case f.what != 'V':
		return !v.element && arrangements[v.arr] == strings.ToLower(string(f.what))
	case f.class:
		return !v.element && strings.Contains(classes[f.how], arrangements[v.arr]+" ")
	}
	return v.element == (f.coded != 0) && v.arr == f.fixed
}

var classes = map[string]string{"f": "2s 4s 2d ", "i": "8b 16b 4h 8h 2s 4s 2d ", "q": "8b 16b 4h 8h 2s 4s 2d ", "w": "8b 16b 4h 8h 2s 4s ", "b": "8b 16b "}

// reaches reports whether the field takes an address.
func (f *field) reaches(m Mem) bool {
	unit, _ := strconv.Atoi(strings.TrimLeft(f.how, "+rp"))
	switch {
	case f.how == "":
		return !m.indexed && m.Offset == 0
	case f.how == "~":
		return !m.indexed && m.Offset >= -256 && m.Offset < 256
	case f.how[0] == 'r':
		return m.indexed && (m.Shift == 0 || 1<<m.Shift == unit)
	case f.how[0] == 'p':
		return !m.indexed && m.Offset%unit == 0 && m.Offset >= -64*unit && m.Offset < 64*unit
	}
	return !m.indexed && m.Offset >= 0 && m.Offset%unit == 0 && m.Offset < 4096*unit
}

// match returns the form of a mnemonic that takes the operands.
func match(name string, operands []Operand) *form {
	for _, f := range forms()[name] {
		if len(f.fields) != len(operands) {
			continue
		}
		ok := true
		var arr Arrangement
		first := true
		for i := range f.fields {
			d := &f.fields[i]
			if ok = d.fits(operands[i]); !ok {
				break
			}
			if d.class {
				if v := operands[i].(Vec); first {
					arr, first = v.arr, false
				} else if ok = v.arr == arr; !ok {
					break
				}
			}
			if n, isImm := operands[i].(Imm); isImm && !d.holds(int64(n)) {
				ok = false
				break
			}
		}
		if ok {
			return f
		}
	}
	panic(fmt.Sprintf("BUG: asm: no form %s %v", name, operands))
}

// holds reports whether an immediate fits its field.
func (f *field) holds(n int64) bool {
	switch f.how {
	case "12":
		return n >= 0 && n < 4096
	case "12s":
		return n > 0 && n < 4096<<12 && n&4095 == 0
	case "16s":
		return n == 16
	case "0":
		return n == 0
	case "hw":
		return n >= 0 && n <= 48 && n%16 == 0
	case "16":
		return n >= 0 && n < 1<<16
	case "8":
		return n >= 0 && n < 256
	case "e":
		return n >= 0 && n < 16
	case "r":
		return n > 0 && n <= 64
	}
	return n >= 0 && n <= 64
}
