package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/kernel/vector"
)

// Rule is a line of a table.
type Rule struct {
	Needs []string
	Shape vector.Shape
	Code  []Pattern
	kinds string
}

// Pattern is an instruction of a rule.
type Pattern struct {
	Name     string
	Operands []Operand
}

// Operand is an operand of a pattern.
type Operand struct {
	Reg     byte   // d, a, b, c, s, t, u, x, y; # an immediate
	Form    string // what stands behind the dot
	Index   int    // of an element, -1 if this is none, or of an immediate if it is a number; -2 for that of the operation
	Literal int64
}

// Immediate is the index of what has the immediate number of the operation.
const Immediate = -2

// Table has the rules of operations, by their names.
type Table map[string][]*Rule

// Parse reads a table whose rules may need what needs lists. A mistake in it is one of the program, which panics.
func Parse(text string, needs ...string) Table {
	table := Table{}
	for _, line := range strings.Split(text, "\n") {
		w := strings.Fields(line)
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		r := &Rule{kinds: w[1], Shape: vector.Shape{Tied: -1}}
		name := w[0]
		w = w[2:]
		for ; r.attribute(w[0], needs); w = w[1:] {
		}
		for _, text := range strings.Split(strings.Join(w, " "), ";") {
			r.Code = append(r.Code, patternOf(strings.Fields(text)))
		}
		table[name] = append(table[name], r)
	}
	return table
}

// attribute reads what a rule needs, and reports whether the word says such a thing.
func (r *Rule) attribute(word string, needs []string) bool {
	name, value, _ := strings.Cut(word, "=")
	n, _ := strconv.Atoi(value)
	switch name {
	case "tied":
		r.Shape.Tied = int(value[0] - 'a')
	case "early":
		r.Shape.Early = true
	case "temps":
		r.Shape.Vectors = n
	case "words":
		r.Shape.Words = n
	default:
		if !slices.Contains(needs, name) {
			return false
		}
		r.Needs = append(r.Needs, word)
	}
	return true
}

func patternOf(w []string) Pattern {
	p := Pattern{Name: w[0]}
	for _, o := range w[1:] {
		s := Operand{Reg: o[0], Index: -1}
		if o[0] == '#' {
			s.Index = Immediate
			if o != "#i" {
				n, err := strconv.ParseInt(o[1:], 0, 64)
				if err != nil {
					panic("BUG: rule: " + o)
				}
				s.Index, s.Literal = 0, n
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

// Find returns the first rule for an instruction whose needs a function reports to be there, nil if there is none.
func (t Table) Find(i *vector.Instr, has func(need string) bool) *Rule {
	for _, r := range t[i.Op.String()] {
		if r.takes(i.Kind) && !slices.ContainsFunc(r.Needs, func(need string) bool { return !has(need) }) {
			return r
		}
	}
	return nil
}

// takes reports whether a rule is for a kind.
func (r *Rule) takes(k vector.Kind) bool {
	switch r.kinds {
	case "*":
		return true
	case "f":
		return k.IsFloat()
	case "i":
		return k == vector.I32 || k == vector.I64
	}
	return r.kinds == k.String()
}

// Registers returns the registers of a step by their letters.
func Registers(s *vector.Step) map[byte]int {
	regs := map[byte]int{'d': s.Result}
	for letters, list := range map[string][]int{"abc": s.Source, "stu": s.Vector, "xy": s.Word} {
		for n, r := range list {
			regs[letters[n]] = r
		}
	}
	return regs
}
