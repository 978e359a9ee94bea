package emit

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

//go:embed rules.txt
var ruleText string

// rule is a line of rules.txt.
type rule struct {
	op    string
	kinds string
	needs []string // features
	shape vector.Shape
	code  []pattern
}

// pattern is an instruction of a rule.
type pattern struct {
	name     string
	operands []slot
}

// slot is an operand of a pattern.
type slot struct {
	reg     byte // d, a, b, c, s, t, u, x, y; # an immediate
	arr     string
	index   int // of an element, -1 if this is none, -2 for the immediate
	literal asm.Imm
}

var rules = sync.OnceValue(func() map[string][]*rule {
	table := map[string][]*rule{}
	for _, line := range strings.Split(ruleText, "\n") {
		w := strings.Fields(line)
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		r := &rule{op: w[0], kinds: w[1], shape: vector.Shape{Tied: -1}}
		w = w[2:]
		for ; r.attribute(w[0]); w = w[1:] {
		}
		for _, text := range strings.Split(strings.Join(w, " "), ";") {
			r.code = append(r.code, patternOf(strings.Fields(text)))
		}
		table[r.op] = append(table[r.op], r)
	}
	return table
})

// attribute reads what a rule needs, and reports whether the word says such a thing.
func (r *rule) attribute(word string) bool {
	name, value, _ := strings.Cut(word, "=")
	n, _ := strconv.Atoi(value)
	switch name {
	case "bf16", "dot", "i8mm":
		r.needs = append(r.needs, name)
	case "tied":
		r.shape.Tied = int(value[0] - 'a')
	case "early":
		r.shape.Early = true
	case "temps":
		r.shape.Vectors = n
	case "words":
		r.shape.Words = n
	default:
		return false
	}
	return true
}

func patternOf(w []string) pattern {
	p := pattern{name: w[0]}
	for _, o := range w[1:] {
		s := slot{reg: o[0], index: -1}
		if o[0] == '#' {
			if o != "#i" {
				n, err := strconv.Atoi(o[1:])
				if err != nil {
					panic("BUG: emit: " + o)
				}
				s.literal = asm.Imm(n)
				s.index = 0
			}
			p.operands = append(p.operands, s)
			continue
		}
		_, rest, _ := strings.Cut(o, ".")
		arr, index, element := strings.Cut(rest, "[")
		s.arr = arr
		if element {
			if s.index = -2; index != "i]" {
				s.index, _ = strconv.Atoi(strings.TrimSuffix(index, "]"))
			}
		}
		p.operands = append(p.operands, s)
	}
	return p
}

// fits reports whether a rule is for an instruction on a processor.
func (r *rule) fits(i *vector.Instr, f cpu.Features) bool {
	k := i.Kind
	switch r.kinds {
	case "*":
	case "f":
		if !k.IsFloat() {
			return false
		}
	case "i":
		if k != vector.I32 && k != vector.I64 {
			return false
		}
	default:
		if r.kinds != k.String() {
			return false
		}
	}
	for _, n := range r.needs {
		if n == "bf16" && !f.BF16 || n == "dot" && !f.DotProduct || n == "i8mm" && !f.I8MM {
			return false
		}
	}
	return true
}

// find returns the rule for an instruction, nil if there is none.
func find(i *vector.Instr, f cpu.Features) *rule {
	for _, r := range rules()[i.Op.String()] {
		if r.fits(i, f) {
			return r
		}
	}
	return nil
}

// arrangement returns how vectors of so many bytes are seen by elements of a size.
func arrangement(size, bytes int) asm.Arrangement {
	full := map[int]asm.Arrangement{1: asm.B16, 2: asm.H8, 4: asm.S4, 8: asm.D2}[size]
	if bytes == 16 {
		return full
	}
	return full - 1 // the shorter one stands before it
}

var fixed = map[string]asm.Arrangement{"2s": asm.S2, "4s": asm.S4, "2d": asm.D2, "4h": asm.H4, "8h": asm.H8, "8b": asm.B8,
	"16b": asm.B16, "b": asm.B, "h": asm.H, "s": asm.S, "d": asm.D, "4b": asm.B4}

// apply emits the instructions of a rule.
func (e *emitter) apply(r *rule, s *vector.Step) {
	i := s.Instr
	regs := map[byte]int{'d': s.Result}
	for n, name := range []byte{'a', 'b', 'c'} {
		if n < len(s.Source) {
			regs[name] = s.Source[n]
		}
	}
	for n, v := range s.Vector {
		regs["stu"[n]] = v
	}
	for n, v := range s.Word {
		regs["xy"[n]] = v
	}
	if t := r.shape.Tied; t >= 0 && s.Source[t] != s.Result {
		e.move(s.Result, s.Source[t])
		regs["abc"[t]] = s.Result
	}
	for _, p := range r.code {
		list := make([]asm.Operand, len(p.operands))
		for n, o := range p.operands {
			list[n] = e.operand(i, o, regs)
		}
		e.a.Emit(p.name, list...)
	}
}

func (e *emitter) operand(i *vector.Instr, o slot, regs map[byte]int) asm.Operand {
	if o.reg == '#' {
		if o.index == 0 {
			return o.literal
		}
		return asm.Imm(i.Imm)
	}
	n := regs[o.reg]
	index := o.index
	if index == -2 {
		index = int(i.Imm)
	}
	switch o.arr {
	case "":
		return asm.X(n)
	case "w":
		return asm.X(n).W()
	case "T":
		return asm.V(n).As(arrangement(i.Kind.Size(), e.p.Bytes(i.Kind)))
	case "F":
		return asm.V(n).As(arrangement(i.From.Size(), e.p.Bytes(i.From)))
	case "B", "H", "S":
		return asm.V(n).As(arrangement(map[string]int{"B": 1, "H": 2, "S": 4}[o.arr], e.p.Bytes(i.Kind)))
	case "E":
		return asm.V(n).As(arrangement(int(i.Imm), 16))
	}
	arr, ok := fixed[o.arr]
	if !ok {
		panic(fmt.Sprintf("BUG: emit: no arrangement %q", o.arr))
	}
	if index >= 0 {
		return asm.V(n).Element(arr, index)
	}
	return asm.V(n).As(arr)
}
