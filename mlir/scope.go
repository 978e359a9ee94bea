package mlir

import "slices"

// Ref is the use of a value by name, before its type is known.
type Ref struct {
	name   string
	number int // of a result in a group: %x#1
	pos    int
}

// scope holds the value names that are visible together: the names of one isolated region and everything in it.
type scope struct {
	outer   *scope
	values  map[string]*valueEntry
	defined [][]string // per open region: the names to forget at its end
}

// valueEntry is a name with its values; before the definition it holds the
// placeholders of its uses.
type valueEntry struct {
	values  []*Value // by number; nil where unused so far
	defined bool
	pos     int
}

func (p *Parser) pushScope() {
	p.scope = &scope{outer: p.scope, values: map[string]*valueEntry{}}
}

// popScope ends an isolated region and reports the names that nothing defined.
func (p *Parser) popScope() {
	first, missing := -1, ""
	for name, e := range p.scope.values {
		if !e.defined && (first < 0 || e.pos < first) {
			first, missing = e.pos, name
		}
	}
	if first >= 0 {
		p.errorAt(first, "use of undefined value %%%s", missing)
	}
	p.scope = p.scope.outer
}

func (p *Parser) pushRegion() { p.scope.defined = append(p.scope.defined, nil) }

func (p *Parser) popRegion() {
	last := len(p.scope.defined) - 1
	for _, name := range p.scope.defined[last] {
		delete(p.scope.values, name)
	}
	p.scope.defined = p.scope.defined[:last]
}

// define binds a name to values. Where a use came first, its placeholder takes the
// value's place in the slice, so that the use needs no repair.
func (p *Parser) define(name string, pos int, values []*Value) {
	s := p.scope
	e := s.values[name]
	switch {
	case e == nil:
		e = &valueEntry{}
		s.values[name] = e
	case e.defined:
		p.errorAt(pos, "value %%%s is defined twice", name)
		return
	case len(e.values) > len(values):
		p.errorAt(e.pos, "%%%s has %d results", name, len(values))
		return
	}
	for i, v := range values {
		v.Name = hint(name, i, len(values))
		if i >= len(e.values) || e.values[i] == nil {
			continue
		}
		use := e.values[i]
		if !SameType(use.Type, v.Type) {
			p.errorAt(e.pos, "%%%s is used as %s, but defined as %s", name, use.Type, v.Type)
			return
		}
		*use = *v
		values[i] = use
	}
	e.values, e.defined, e.pos = slices.Clone(values), true, pos
	last := len(s.defined) - 1
	s.defined[last] = append(s.defined[last], name)
}

// hint returns the printer's hint for a value that was read under a name: none for
// numbers and for the names that the printer gives to arguments.
func hint(name string, i, n int) string {
	if isDigit(name[0]) || n > 1 && i > 0 || isNumbered(name, "arg") {
		return ""
	}
	return name
}

// Operand reads %name or %name#1.
func (p *Parser) Operand() Ref {
	r := Ref{pos: p.tok.start}
	if p.tok.kind != tokenPercent {
		p.unexpected("a value")
		return r
	}
	r.name = p.intern(p.spell(p.tok)[1:])
	end := p.tok.end
	p.advance()
	if p.tok.kind == tokenHash && p.tok.start == end && isDigit(p.text[end+1]) {
		n, err := parseUint(p.spell(p.tok)[1:])
		if err != nil || n >= maxResults {
			p.Errorf("result number out of range")
			return r
		}
		r.number = int(n)
		p.advance()
	}
	return r
}

// maxResults bounds the results of an operation that is only known from its uses.
const maxResults = 1 << 16

// Operands reads values separated by commas; there may be none.
func (p *Parser) Operands() []Ref {
	if !p.NextOperand() {
		return nil
	}
	refs := []Ref{p.Operand()}
	for p.Accept(",") {
		refs = append(refs, p.Operand())
	}
	return refs
}

// OperandList reads values separated by commas in brackets.
func (p *Parser) OperandList(open, closing string) []Ref {
	var refs []Ref
	p.List(open, closing, func() { refs = append(refs, p.Operand()) })
	return refs
}

// Resolve returns the value that a use of the given type refers to.
func (p *Parser) Resolve(r Ref, t Type) *Value {
	if p.Failed() {
		return &Value{Type: t}
	}
	e := p.scope.values[r.name]
	if e == nil {
		e = &valueEntry{pos: r.pos}
		p.scope.values[r.name] = e
	}
	if e.defined && r.number >= len(e.values) {
		p.errorAt(r.pos, "%%%s has %d results", r.name, len(e.values))
		return &Value{Type: t}
	}
	for len(e.values) <= r.number {
		e.values = append(e.values, nil)
	}
	v := e.values[r.number]
	if v == nil {
		v = &Value{Type: t}
		e.values[r.number] = v
	}
	if !SameType(v.Type, t) {
		p.errorAt(r.pos, "%%%s is of type %s, not %s", r.name, v.Type, t)
	}
	return v
}

// ResolveIndices resolves uses of type index, and appends the values to the operands of op.
func (p *Parser) ResolveIndices(op *Operation, refs []Ref) {
	for _, r := range refs {
		op.Operands = append(op.Operands, p.Resolve(r, Index))
	}
}

// Signature reads ": (T, U) -> V": the types of the uses, which become the operands of op, and the types of its
// results.
func (p *Parser) Signature(op *Operation, refs []Ref) {
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = p.ResolveAll(refs, t.Inputs)
	op.SetResults(t.Results...)
}

// ResolveAll resolves uses of as many types.
func (p *Parser) ResolveAll(refs []Ref, types []Type) []*Value {
	if len(refs) != len(types) && !p.Failed() {
		p.Errorf("%d values, but %d types", len(refs), len(types))
	}
	if p.Failed() {
		return nil
	}
	values := make([]*Value, len(refs))
	for i, r := range refs {
		values[i] = p.Resolve(r, types[i])
	}
	return values
}
