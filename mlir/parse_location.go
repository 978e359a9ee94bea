package mlir

import "math"

// lateLocation is a loc(…) that names an alias which comes later in the text.
type lateLocation struct {
	pos int // of "loc"
	op  *Operation
}

// location reads loc(…).
func (p *Parser) location() Location {
	p.Expect("loc")
	p.Expect("(")
	l := p.locationBody()
	p.Expect(")")
	return l
}

// opLocation reads the optional loc(…) behind an operation. Aliases of locations
// usually stand at the end of the file, so one that is not known yet is skipped
// and read again when all is known.
func (p *Parser) opLocation(op *Operation) {
	if !p.is("loc") {
		return
	}
	start := p.tok.start
	if p.lateIn() {
		p.lateLocs = append(p.lateLocs, lateLocation{start, op})
		return
	}
	op.Loc = p.location()
}

// lateIn skips loc(…) and reports true if it holds an alias not yet defined.
func (p *Parser) lateIn() bool {
	start := p.tok.start
	open := p.lexer
	if t := open.next(); p.spell(t) != "(" {
		return false
	}
	n := balanced(p.text[open.pos-1:])
	if n < 0 {
		return false
	}
	end := open.pos - 1 + n
	for open.pos < end {
		t := open.next()
		if t.kind != tokenHash {
			continue
		}
		if _, ok := p.attrAliases[p.spell(t)[1:]]; !ok {
			p.reset(end)
			return true
		}
	}
	p.reset(start)
	return false
}

// SkipLocation skips the optional loc(…) of a block argument; values keep none.
func (p *Parser) SkipLocation() {
	if p.is("loc") && !p.lateIn() {
		p.location()
	}
}

// finishLocations reads the locations that waited for their aliases.
func (p *Parser) finishLocations() {
	for _, late := range p.lateLocs {
		p.reset(late.pos)
		late.op.Loc = p.location()
		if p.Failed() {
			return
		}
	}
}

func (p *Parser) locationBody() Location {
	if !p.enter() {
		return Location{}
	}
	defer p.leave()
	switch {
	case p.tok.kind == tokenHash:
		l, ok := p.dialectAttr().(LocationAttr)
		if !ok && !p.Failed() {
			p.Errorf("the alias is not a location")
		}
		return l.Loc
	case p.tok.kind == tokenString:
		return p.fileOrName()
	case p.Accept("unknown"):
		return Location{}
	case p.Accept("callsite"):
		p.Expect("(")
		callee := p.locationBody()
		p.Expect("at")
		caller := p.locationBody()
		p.Expect(")")
		if len(callee.Callers)+len(caller.Callers) >= maxDepth {
			p.Errorf("a location of more than %d callers", maxDepth)
			return Location{}
		}
		return callee.calledFrom(caller)
	case p.Accept("fused"):
		if p.Accept("<") { // metadata
			p.Attr()
			p.Expect(">")
		}
		l := Location{}
		p.List("[", "]", func() { l.Fused = append(l.Fused, p.locationBody()) })
		return l
	}
	p.unexpected("a location")
	return Location{}
}

func (p *Parser) fileOrName() Location {
	text := p.intern(p.Str())
	if p.Accept(":") {
		return p.fileRange(text)
	}
	l := Location{Name: text}
	if !p.Accept("(") {
		return l
	}
	child := p.locationBody()
	p.Expect(")")
	switch {
	case child.IsUnknown():
	case child.File != "" && child.Name == "" && len(child.Callers) == 0:
		child.Name = text
		return child
	default:
		l.Fused = []Location{child}
	}
	return l
}

// fileRange reads the place behind "file": — a line, a column, and the end of a range: 1:2 to 3:4, 1:2 to :4.
func (p *Parser) fileRange(file string) Location {
	l := Location{File: file, Line: p.place()}
	if !p.Accept(":") {
		return l
	}
	l.Col = p.place()
	if !p.Accept("to") {
		return l
	}
	end := Location{Line: l.Line}
	if !p.is(":") {
		end.Line = p.place()
	}
	p.Expect(":")
	end.Col = p.place()
	if end.Line != l.Line || end.Col != l.Col {
		l.EndLine, l.EndCol = end.Line, end.Col
	}
	return l
}

// place reads a line or a column, which has 32 bits and no sign.
func (p *Parser) place() int {
	pos := p.tok.start
	n := p.Int()
	if n < 0 || n > math.MaxUint32 {
		p.errorAt(pos, "a line or column has 32 bits and no sign, and is not %d", n)
		return 0
	}
	return n
}

// calledFrom returns l with a chain of callers added: innermost first.
func (l Location) calledFrom(caller Location) Location {
	chain := append([]Location(nil), l.Callers...)
	callers := caller.Callers
	caller.Callers = nil
	l.Callers = append(append(chain, caller), callers...)
	return l
}
