package mlir

import (
	"strconv"
	"strings"
)

// nameScope holds the names that are taken in a region and around it.
type nameScope struct {
	outer *nameScope
	taken map[string]bool
}

func (s *nameScope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.taken[name] {
			return true
		}
	}
	return false
}

// naming is the state of numbering at the beginning of a region. As in mlir-opt,
// a region numbers all its values before the values of nested regions, and regions side by side reuse numbers.
type naming struct {
	region                   *Region
	value, argument, clashes int
	scope                    *nameScope
}

// numberFrom names every value and block in op.
func (p *Printer) numberFrom(op *Operation) {
	p.values, p.blocks = map[*Value]string{}, map[*Block]string{}
	top := naming{scope: &nameScope{taken: map[string]bool{}}}
	p.nameResults(op, &top)
	var stack []naming
	push := func(op *Operation, n naming) {
		for _, r := range op.Regions {
			n.region = r
			stack = append(stack, n)
		}
	}
	push(op, top)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n.scope = &nameScope{outer: n.scope, taken: map[string]bool{}}
		p.nameRegion(&n)
		for _, b := range n.region.Blocks {
			for _, op := range b.Ops {
				push(op, n)
			}
		}
	}
}

func (p *Printer) nameRegion(n *naming) {
	labels := map[string]bool{}
	for i, b := range n.region.Blocks {
		label := b.Label
		if label == "" || isNumbered(label, "bb") || labels[label] {
			label = "bb" + strconv.Itoa(i)
		}
		labels[label] = true
		p.blocks[b] = label
		for _, v := range b.Args {
			p.nameArg(v, n, i == 0)
		}
		for _, op := range b.Ops {
			p.nameResults(op, n)
		}
	}
}

// isNumbered reports whether a name is a prefix and a number, which the printer gives
// anew.
func isNumbered(name, prefix string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok || digits == "" {
		return false
	}
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return false
		}
	}
	return true
}

func (p *Printer) nameArg(v *Value, n *naming, entry bool) {
	name := v.Name
	if name == "" && n.region.Parent != nil && !p.opts.Generic {
		if def := n.region.Parent.Def(); def != nil && def.ArgName != nil {
			name = def.ArgName(n.region.Parent, v)
		}
	}
	if entry {
		if name == "" {
			name = "arg" + strconv.Itoa(n.argument)
		}
		n.argument++
	}
	p.values[v] = n.name(name)
}

// nameResults names the results of an operation. A result with a hint begins a
// group; the results of a group share its name: %sum#0, %sum#1.
func (p *Printer) nameResults(op *Operation, n *naming) {
	def := op.Def()
	hintOf := func(i int) string {
		if name := op.Results[i].Name; name != "" || def == nil || def.ResultName == nil ||
			p.opts.Generic {
			return name
		}
		return def.ResultName(op, i)
	}
	for start := 0; start < len(op.Results); {
		name := n.name(hintOf(start))
		end := start + 1
		for end < len(op.Results) && sanitize(hintOf(end)) == "" {
			end++
		}
		for i := start; i < end; i++ {
			p.values[op.Results[i]] = name
			if end-start > 1 {
				p.values[op.Results[i]] = name + "#" + strconv.Itoa(i-start)
			}
		}
		start = end
	}
}

// resultNames prints "%a, %b:2 = ".
func (p *Printer) resultNames(op *Operation) {
	for i := 0; i < len(op.Results); {
		if i > 0 {
			p.Text(", ")
		}
		name, _, group := strings.Cut(p.values[op.Results[i]], "#")
		p.Text("%" + name)
		n := 1
		for group && i+n < len(op.Results) &&
			!strings.HasSuffix(p.values[op.Results[i+n]], "#0") &&
			strings.HasPrefix(p.values[op.Results[i+n]], name+"#") {
			n++
		}
		if n > 1 {
			p.Text(":" + strconv.Itoa(n))
		}
		i += n
	}
	if len(op.Results) > 0 {
		p.Text(" = ")
	}
}

// name makes a hint unique, or gives the next number.
func (n *naming) name(hint string) string {
	hint = sanitize(hint)
	if hint == "" {
		n.value++
		return strconv.Itoa(n.value - 1)
	}
	unique := hint
	for n.scope.has(unique) {
		unique = hint + "_" + strconv.Itoa(n.clashes)
		n.clashes++
	}
	n.scope.taken[unique] = true
	return unique
}

// sanitize makes a hint an identifier.
func sanitize(hint string) string {
	clean := true
	for i := range len(hint) {
		clean = clean && isSuffixByte(hint[i])
	}
	if !clean {
		hint = strings.Map(func(r rune) rune {
			if r < 0x80 && isSuffixByte(byte(r)) {
				return r
			}
			return '_'
		}, hint)
	}
	if hint != "" && isDigit(hint[0]) {
		return "_" + hint
	}
	return hint
}
