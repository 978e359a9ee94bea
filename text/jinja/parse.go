package jinja

import (
	"slices"
	"strings"
)

// maxDepth bounds how deep expressions, blocks, calls and values nest.
const maxDepth = 200

// parser reads statements and expressions by Jinja2's grammar.
type parser struct {
	tokens []token
	depth  int
	loops  int             // that the statement is in
	reads  map[string]bool // names that the innermost macro reads
}

func (p *parser) current() token { return p.tokens[0] }

func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != endOfText {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (t token) is(k kind, value string) bool { return t.kind == k && t.value == value }

// skip reads the token if it is there.
func (p *parser) skip(k kind, value string) bool {
	if p.current().is(k, value) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(k kind, value string) token {
	if !p.current().is(k, value) {
		failAt(p.current().at, "%s is wanted in place of %s", token{k, value, 0}, p.current())
	}
	return p.next()
}

// word reads a name.
func (p *parser) word() token {
	if p.current().kind != name {
		failAt(p.current().at, "a name is wanted in place of %s", p.current())
	}
	return p.next()
}

func (t token) String() string {
	switch t.kind {
	case endOfText:
		return "the end of the template"
	case textToken:
		return "text"
	case blockBegin:
		return "{%"
	case blockEnd:
		return "%}"
	case printBegin:
		return "{{"
	case printEnd:
		return "}}"
	case stringToken:
		return "a string"
	}
	return t.value
}

// nest counts how deep the source nests; the caller defers what it returns.
func (p *parser) nest() func() {
	if p.depth++; p.depth > maxDepth {
		failAt(p.current().at, "the template nests more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// statements reads up to a tag that begins with one of ends, whose name it reads too and returns. Without ends it reads
// the whole template.
func (p *parser) statements(ends ...string) (body []statement, end string) {
	defer p.nest()()
	for {
		switch t := p.next(); t.kind {
		case endOfText:
			if len(ends) > 0 {
				failAt(t.at, "the template ends, and %s is missing", strings.Join(ends, " or "))
			}
			return body, ""
		case textToken:
			body = append(body, text(t.value))
		case printBegin:
			body = append(body, &print{p.tuple(true)})
			p.expect(printEnd, "")
		case blockBegin:
			tag := p.word()
			if slices.Contains(ends, tag.value) {
				return body, tag.value
			}
			body = append(body, p.statement(tag))
			p.expect(blockEnd, "")
		}
	}
}

// block reads the rest of a tag, and the body up to one of ends.
func (p *parser) block(ends ...string) ([]statement, string) {
	p.skip(operator, ":")
	p.expect(blockEnd, "")
	return p.statements(ends...)
}

func (p *parser) body(end string) []statement {
	body, _ := p.block(end)
	return body
}

// captured reads the body of a block whose text is a value. No break leaves it.
func (p *parser) captured(end string) []statement {
	loops := p.loops
	p.loops = 0
	body := p.body(end)
	p.loops = loops
	return body
}

func (p *parser) statement(tag token) statement {
	switch tag.value {
	case "if":
		return p.choice()
	case "for":
		return p.loop(tag)
	case "set":
		return p.set(tag)
	case "macro":
		return p.macro(tag.at, p.word().value, true, "endmacro")
	case "call":
		caller := p.macro(tag.at, "caller", false, "")
		c, ok := p.expression().(*call)
		if !ok {
			failAt(tag.at, "a call is wanted behind the tag call")
		}
		p.inMacro(caller, "endcall")
		return &callBlock{tag.at, c, caller}
	case "filter":
		f := p.filters(nil, p.word())
		return &filterBlock{tag.at, f, p.captured("endfilter")}
	case "with":
		w := &with{position: tag.at}
		for p.current().kind != blockEnd {
			if len(w.targets) > 0 {
				p.expect(operator, ",")
			}
			w.targets = append(w.targets, p.target(false))
			p.expect(operator, "=")
			w.values = append(w.values, p.expression())
		}
		w.body = p.body("endwith")
		return w
	case "print":
		all := &concatenation{position: tag.at}
		for p.current().kind != blockEnd {
			if len(all.parts) > 0 {
				p.expect(operator, ",")
			}
			all.parts = append(all.parts, p.expression())
		}
		return &print{all}
	case "generation":
		return &generation{p.captured("endgeneration")}
	case "break", "continue":
		if p.loops == 0 {
			failAt(tag.at, "%s is outside of a loop", tag.value)
		}
		return &leave{tag.value == "continue"}
	}
	failAt(tag.at, "the tag %s is not supported", tag.value)
	return nil
}

func (p *parser) choice() statement {
	c := &choice{}
	for end := "elif"; end == "elif"; {
		c.conditions = append(c.conditions, p.tuple(false))
		var body []statement
		body, end = p.block("elif", "else", "endif")
		c.bodies = append(c.bodies, body)
		if end == "else" {
			c.bodies = append(c.bodies, p.body("endif"))
		}
	}
	return c
}

func (p *parser) loop(tag token) statement {
	l := &loop{position: tag.at, target: p.target(false)}
	p.expect(name, "in")
	l.over = p.tuple(false, "recursive")
	if p.skip(name, "if") {
		l.condition = p.expression()
	}
	l.recursive = p.skip(name, "recursive")
	p.loops++
	body, end := p.block("endfor", "else")
	p.loops--
	if l.body = body; end == "else" {
		l.orElse = p.body("endfor")
	}
	return l
}

func (p *parser) set(tag token) statement {
	target := p.target(true)
	if p.skip(operator, "=") {
		return &set{tag.at, target, p.tuple(true)}
	}
	if _, ok := target.(*tupleLiteral); ok {
		failAt(tag.at, "a block has one value, and the tag set has several names")
	}
	s := &setBlock{position: tag.at, target: target}
	if p.skip(operator, "|") {
		s.filter = p.filters(nil, p.word())
	}
	s.body = p.captured("endset")
	return s
}

// macro reads the parameters, which have to be there or not, and the body up to end, if there is an end.
func (p *parser) macro(at position, called string, must bool, end string) *macro {
	m := &macro{position: at, name: called}
	if must || p.current().is(operator, "(") {
		p.expect(operator, "(")
		for !p.skip(operator, ")") {
			if len(m.params) > 0 {
				p.expect(operator, ",")
			}
			param := p.word()
			if slices.Contains(m.params, param.value) {
				failAt(param.at, "the parameter %s is there twice", param.value)
			}
			m.params = append(m.params, param.value)
			if p.skip(operator, "=") {
				m.defaults = append(m.defaults, p.expression())
			} else if len(m.defaults) > 0 {
				failAt(param.at, "the parameter %s has no default, and is behind one that has", param.value)
			}
		}
	}
	if end != "" {
		p.inMacro(m, end)
	}
	return m
}

// inMacro reads the body of a macro, and notes which of the names that every macro has it reads.
func (p *parser) inMacro(m *macro, end string) {
	outer := p.reads
	p.reads = map[string]bool{}
	m.body = p.captured(end)
	for _, n := range m.params {
		delete(p.reads, n)
	}
	m.varargs, m.kwargs, m.caller = p.reads["varargs"], p.reads["kwargs"], p.reads["caller"]
	for n := range p.reads {
		if outer != nil {
			outer[n] = true
		}
	}
	p.reads = outer
}

// target reads what is set: a name, names with commas, or a member of a namespace where members may stand.
func (p *parser) target(members bool) expression {
	one := func() expression {
		if at := p.current().at; p.skip(operator, "(") {
			t := p.target(members)
			p.expect(operator, ")")
			if _, ok := t.(*tupleLiteral); !ok {
				return &tupleLiteral{at, []expression{t}}
			}
			return t
		}
		t := p.word()
		if _, fixed := literals[t.value]; fixed {
			failAt(t.at, "%s cannot be set", t.value)
		}
		if members && p.skip(operator, ".") {
			return &member{t.at, t.value, p.word().value}
		}
		return &variable{t.at, t.value}
	}
	at := p.current().at
	targets := []expression{one()}
	tuple := false
	for p.skip(operator, ",") {
		tuple = true
		if p.current().kind != name && !p.current().is(operator, "(") || p.current().is(name, "in") {
			break
		}
		targets = append(targets, one())
	}
	if !tuple {
		return targets[0]
	}
	return &tupleLiteral{at, targets}
}
