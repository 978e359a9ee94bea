package irdl

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/ops"
)

// slot is a place for operands or results of one type: one, at most one ("optional"), or any
// number ("variadic"). Any of the constraints may be met.
type slot struct {
	count       string
	constraints []string // such as `irdl.base "!builtin.tensor"`
}

// runs are the places of a list, each for neighbours of one type: IRDL wants all operands of a
// place to have the same type. A list has at most runs changes of type.
const runs = 32

func listSlots(constraint string) []slot {
	out := make([]slot, runs)
	for i := range out {
		out[i] = slot{"variadic", []string{constraint}}
	}
	return out
}

// segmented reports whether operands need an attribute that says how many each slot has.
func segmented(slots []slot) bool {
	n := 0
	for _, s := range slots {
		if s.count != "" {
			n++
		}
	}
	return n > 1
}

// operation writes the definition of one operation. Each slot has a constraint of its own, as
// a constraint with two uses wants one type for both.
type operation struct {
	lines []string
	names int
}

// constraint appends a constraint and returns its name.
func (o *operation) constraint(text string) string {
	name := fmt.Sprintf("%%%d", o.names)
	o.names++
	o.lines = append(o.lines, name+" = "+text)
	return name
}

// anyOf appends a constraint that is met by what meets one of several.
func (o *operation) anyOf(texts []string) string {
	if len(texts) == 1 {
		return o.constraint(texts[0])
	}
	names := make([]string, len(texts))
	for i, t := range texts {
		names[i] = o.constraint(t)
	}
	return o.constraint("irdl.any_of(" + strings.Join(names, ", ") + ")")
}

// list appends the operands or results.
func (o *operation) list(kind string, slots []slot) {
	var entries []string
	for _, s := range slots {
		entries = append(entries, strings.TrimPrefix(s.count+" "+o.anyOf(s.constraints), " "))
	}
	if len(entries) > 0 {
		o.lines = append(o.lines, "irdl."+kind+"("+strings.Join(entries, ", ")+")")
	}
}

// write appends the definition.
func (o *operation) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "  irdl.operation @%s {\n", name)
	for _, line := range o.lines {
		fmt.Fprintf(b, "    %s\n", line)
	}
	b.WriteString("  }\n")
}

// define appends an operation with operands and results.
func define(b *strings.Builder, name string, operands, results []slot) {
	o := &operation{}
	o.list("operands", operands)
	o.list("results", results)
	o.write(b, name)
}

// resultSlots are the results of a schema: tensors, or a list of them. A check, which returns
// nothing in PyTorch, passes its tensor on here.
func resultSlots(s *ops.Schema, constraint string) []slot {
	if len(s.Returns) == 0 {
		return []slot{{"", []string{constraint}}}
	}
	var slots []slot
	for _, r := range s.Returns {
		if r.List {
			slots = append(slots, listSlots(constraint)...)
		} else {
			slots = append(slots, slot{"", []string{constraint}})
		}
	}
	return slots
}
