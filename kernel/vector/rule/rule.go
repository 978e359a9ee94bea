package rule

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-acap/acap/kernel/vector"
)

// Rule is a line of a table.
type Rule struct {
	Needs Needs
	Shape vector.Shape
	Code  []Pattern
	kinds uint64      // a bit for each
	imm   int64       // which the immediate number has to be, if there is a need of it
	from  vector.Kind // which the kind of a conversion's operand has to be, if there is a need of it
}

// Needs are some of the needs that a table lists: bit n is for need n.
type Needs uint32

// Pattern is an instruction of a rule.
type Pattern struct {
	Name     string
	Operands []Operand
	Number   [vector.Kinds]int // of the instruction for each kind, if the target has numbers
}

// Operand is an operand of a pattern.
type Operand struct {
	Reg     byte   // d, a, b, c, s, t, u, x, y; # an immediate, $ a constant in all lanes
	Form    string // what stands behind the dot
	Index   int    // of an element, -1 if this is none, or of an immediate if it is a number; -2 for the operation's immediate
	Literal int64
}

// Immediate is the index of what has the immediate number of the operation.
const Immediate = -2

// Table has the rules of each operation. Most programs need few operations, so the rules of an operation are read when
// the first instruction needs them.
type Table struct {
	needs  []string
	finish func(r *Rule)
	rules  []rules
}

// rules are the rules of an operation.
type rules struct {
	lines string
	read  sync.Once
	list  []*Rule
}

// New makes a table of a text, whose rules may have the needs that a list names. A function finishes each rule. A mistake
// in the text is a mistake of the program: New and [Table.Rules] panic.
func New(text string, finish func(r *Rule), needs ...string) *Table {
	ops := vector.Ops()
	named := make(map[string]vector.Op, len(ops))
	for _, o := range ops {
		named[o.String()] = o
	}
	t := &Table{needs, finish, make([]rules, len(ops)+1)}
	var of *rules
	last, begin := "", 0
	for at, end := 0, 0; at < len(text); at = end {
		end = at + strings.IndexByte(text[at:], '\n') + 1
		name, _, ok := strings.Cut(text[at:end], " ")
		switch {
		case !ok || name == "#":
			continue
		case name != last:
			op, ok := named[name]
			if !ok || t.rules[op].lines != "" {
				panic("BUG: rule: no operation, or one whose rules stand apart: " + name)
			}
			of, last, begin = &t.rules[op], name, at
		}
		of.lines = text[begin:end]
	}
	return t
}

// Rules returns the rules of an operation.
func (t *Table) Rules(op vector.Op) []*Rule {
	o := &t.rules[op]
	o.read.Do(func() {
		for line := range strings.Lines(o.lines) {
			if w := strings.Fields(line); len(w) > 0 {
				o.list = append(o.list, t.rule(w[1:]))
			}
		}
	})
	return o.list
}

// rule returns the rule of a line behind the operation.
func (t *Table) rule(w []string) *Rule {
	r := &Rule{kinds: kindsOf(w[0]), Shape: vector.Shape{Tied: -1}, imm: anyNumber}
	for w = w[1:]; r.attribute(w[0], t.needs); w = w[1:] {
	}
	for len(w) > 0 {
		end := slices.Index(w, ";")
		if end < 0 {
			end = len(w)
		}
		r.Code = append(r.Code, patternOf(w[:end]))
		w = w[min(end+1, len(w)):]
	}
	t.finish(r)
	return r
}

// attribute reads what a rule needs, and reports whether the word says such a thing.
func (r *Rule) attribute(word string, needs []string) bool {
	name, value, _ := strings.Cut(word, "=")
	n, _ := strconv.Atoi(value)
	switch name {
	case "tied":
		r.Shape.Tied = int8(value[0] - 'a')
	case "early":
		r.Shape.Early = true
	case "temps":
		r.Shape.Vectors = int8(n)
	case "words":
		r.Shape.Words = int8(n)
	case "imm":
		r.imm = int64(n)
	case "from":
		r.from = kindNamed(value)
	default:
		need := slices.Index(needs, name)
		if need < 0 {
			return false
		}
		r.Needs |= 1 << need
	}
	return true
}

func patternOf(w []string) Pattern {
	p := Pattern{Name: w[0], Operands: make([]Operand, 0, len(w)-1)}
	for _, o := range w[1:] {
		s := Operand{Reg: o[0], Index: -1}
		if o[0] == '#' || o[0] == '$' {
			s.Index = Immediate
			if o != "#i" {
				n, err := strconv.ParseUint(o[1:], 0, 64)
				if err != nil {
					panic("BUG: rule: " + o)
				}
				s.Index, s.Literal = 0, int64(n)
			}
			p.Operands = append(p.Operands, s)
			continue
		}
		_, rest, _ := strings.Cut(o, ".")
		form, index, element := strings.Cut(rest, "[")
		s.Form = form
		if element {
			if s.Index = Immediate; index != "i]" {
				s.Index, _ = strconv.Atoi(strings.TrimSuffix(index, "]"))
			}
		}
		p.Operands = append(p.Operands, s)
	}
	return p
}

// anyNumber says that the immediate number does not matter.
const anyNumber = math.MinInt64

// Find returns the first rule for an instruction whose needs are all there, nil if there is none.
func (t *Table) Find(i *vector.Instr, there Needs) *Rule {
	for _, r := range t.Rules(i.Op) {
		if r.kinds>>i.Kind&1 != 0 && (r.imm == anyNumber || r.imm == i.Imm) && (r.from == vector.None || r.from == i.From) &&
			r.Needs&^there == 0 {
			return r
		}
	}
	return nil
}

// Takes reports whether a rule is for a kind.
func (r *Rule) Takes(k vector.Kind) bool { return r.kinds>>k&1 != 0 }

// kindsOf returns the kinds that a word of a table stands for, a bit for each.
func kindsOf(word string) (set uint64) {
	for k := range vector.Kind(vector.Kinds) {
		switch {
		case word == "*", word == k.String(), word == "f" && k.IsFloat(), word == "i" && (k == vector.I32 || k == vector.I64):
			set |= 1 << k
		}
	}
	return set
}

// kindNamed returns the kind of a name.
func kindNamed(name string) vector.Kind {
	for k := range vector.Kind(vector.Kinds) {
		if k.String() == name {
			return k
		}
	}
	panic("BUG: rule: no kind " + name)
}

// Registers are the registers of a step, by their letters.
type Registers ['z' - 'a' + 1]int8

// RegistersOf returns the registers of a step.
func RegistersOf(s *vector.Step) (r Registers) {
	r.Set('d', s.Result)
	for n := range 3 {
		r.Set("abc"[n], s.Source(n))
		r.Set("stu"[n], s.Vector(n))
	}
	for n := range 2 {
		r.Set("xy"[n], s.Word(n))
	}
	return r
}

// Set gives a letter a register.
func (r *Registers) Set(letter byte, register int) { r[letter-'a'] = int8(register) }

// Of returns the register of a letter.
func (r *Registers) Of(letter byte) int { return int(r[letter-'a']) }
