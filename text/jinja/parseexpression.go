package jinja

import (
	"slices"
	"strconv"
)

// literals are the names that are values.
var literals = map[string]any{"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil}

// tuple reads an expression, or a tuple of expressions without parentheses. It ends also in front of the names ends.
func (p *parser) tuple(conditionals bool, ends ...string) expression {
	one := p.expression
	if !conditionals {
		one = p.or
	}
	at := p.current().at
	first := one()
	if !p.current().is(operator, ",") {
		return first
	}
	items := []expression{first}
	for p.skip(operator, ",") {
		t := p.current()
		if t.kind == printEnd || t.kind == blockEnd || t.is(operator, ")") || t.kind == name && slices.Contains(ends, t.value) {
			break
		}
		items = append(items, one())
	}
	return &tupleLiteral{at, items}
}

func (p *parser) expression() expression {
	defer p.nest()()
	e := p.or()
	for p.current().is(name, "if") {
		at := p.next().at
		c := &conditional{at, p.or(), e, nil}
		if p.skip(name, "else") {
			c.otherwise = p.expression()
		}
		e = c
	}
	return e
}

// chain reads operands with operators of one rank between them, from the left to the right.
func (p *parser) chain(k kind, operators []string, operand func() expression) expression {
	e := operand()
	for p.current().kind == k && slices.Contains(operators, p.current().value) {
		o := p.next()
		e = &binary{o.at, o.value, e, operand()}
	}
	return e
}

func (p *parser) or() expression  { return p.chain(name, []string{"or"}, p.and) }
func (p *parser) and() expression { return p.chain(name, []string{"and"}, p.not) }

func (p *parser) not() expression {
	if p.current().is(name, "not") {
		defer p.nest()()
		return &unary{p.next().at, "not", p.not()}
	}
	return p.comparison()
}

func (p *parser) comparison() expression {
	first := p.sum()
	c := &comparison{position: p.current().at, first: first}
	for {
		o := p.current()
		switch {
		case o.kind == operator && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, o.value), o.is(name, "in"):
			p.next()
		case o.is(name, "not") && p.tokens[1].is(name, "in"):
			p.next()
			p.next()
			o.value = "not in"
		default:
			if len(c.rest) == 0 {
				return first
			}
			return c
		}
		c.operators = append(c.operators, o.value)
		c.rest = append(c.rest, p.sum())
	}
}

func (p *parser) sum() expression {
	return p.chain(operator, []string{"+", "-"}, p.concatenation)
}

func (p *parser) concatenation() expression {
	first := p.product()
	if !p.current().is(operator, "~") {
		return first
	}
	c := &concatenation{p.current().at, []expression{first}}
	for p.skip(operator, "~") {
		c.parts = append(c.parts, p.product())
	}
	return c
}

func (p *parser) product() expression {
	return p.chain(operator, []string{"*", "/", "//", "%"}, p.power)
}

func (p *parser) power() expression {
	return p.chain(operator, []string{"**"}, func() expression { return p.unary(true) })
}

func (p *parser) unary(filters bool) (e expression) {
	if t := p.current(); t.is(operator, "-") || t.is(operator, "+") {
		defer p.nest()()
		p.next()
		e = &unary{t.at, t.value, p.unary(false)}
	} else {
		e = p.primary()
	}
	e = p.postfix(e)
	for filters {
		switch {
		case p.skip(operator, "|"):
			e = p.filter(e, p.word())
		case p.current().is(name, "is"):
			e = p.test(e)
		case p.current().is(operator, "("):
			e = &call{p.current().at, e, p.arguments()}
		default:
			return e
		}
	}
	return e
}

func (p *parser) primary() expression {
	defer p.nest()()
	t := p.next()
	switch {
	case t.kind == name:
		if v, ok := literals[t.value]; ok {
			return &constant{t.at, v}
		}
		if t.value == "self" || t.value == "lipsum" {
			failAt(t.at, "the name %s is not supported", t.value)
		}
		if p.reads != nil {
			p.reads[t.value] = true
		}
		return &variable{t.at, t.value}
	case t.kind == stringToken:
		for p.current().kind == stringToken {
			t.value += p.next().value
		}
		return &constant{t.at, t.value}
	case t.kind == integerToken:
		return p.integer(t)
	case t.kind == floatToken:
		f, _ := strconv.ParseFloat(t.value, 64) // infinity where it is too large, as in Python
		return &constant{t.at, f}
	case t.is(operator, "("):
		if p.skip(operator, ")") {
			return &tupleLiteral{t.at, nil}
		}
		e := p.tuple(true)
		p.expect(operator, ")")
		return e
	case t.is(operator, "["):
		return &listLiteral{t.at, p.items("]")}
	case t.is(operator, "{"):
		d := &dictLiteral{position: t.at}
		for !p.skip(operator, "}") {
			if len(d.keys) > 0 {
				p.expect(operator, ",")
				if p.skip(operator, "}") {
					break
				}
			}
			d.keys = append(d.keys, p.expression())
			p.expect(operator, ":")
			d.values = append(d.values, p.expression())
		}
		return d
	}
	failAt(t.at, "an expression is wanted in place of %s", t)
	return nil
}

func (p *parser) integer(t token) expression {
	v, err := strconv.ParseInt(t.value, 0, 64)
	if err != nil {
		failAt(t.at, "%s is no integer of 64 bits", t.value)
	}
	return &constant{t.at, v}
}

// items reads expressions with commas between them, up to the closing bracket.
func (p *parser) items(end string) (items []expression) {
	for !p.skip(operator, end) {
		if len(items) > 0 {
			p.expect(operator, ",")
			if p.skip(operator, end) {
				break
			}
		}
		items = append(items, p.expression())
	}
	return items
}

// postfix reads attributes, items and calls.
func (p *parser) postfix(e expression) expression {
	for {
		t := p.current()
		switch {
		case p.skip(operator, "."):
			if p.current().kind == integerToken {
				e = &item{t.at, e, p.integer(p.next())}
			} else {
				e = &attribute{t.at, e, p.word().value}
			}
		case p.skip(operator, "["):
			e = p.subscript(t.at, e)
		case t.is(operator, "("):
			e = &call{t.at, e, p.arguments()}
		default:
			return e
		}
	}
}

func (p *parser) subscript(at position, e expression) expression {
	s := &slice{position: at, of: e}
	colons := 0
	for !p.current().is(operator, "]") {
		if p.skip(operator, ":") {
			if colons++; colons > 2 {
				failAt(at, "a slice has at most three parts")
			}
			continue
		}
		if s.parts[colons] != nil {
			failAt(p.current().at, "] or : is wanted in place of %s", p.current())
		}
		s.parts[colons] = p.expression()
	}
	p.next()
	if colons > 0 {
		return s
	}
	if s.parts[0] == nil {
		failAt(at, "the index is missing")
	}
	return &item{at, e, s.parts[0]}
}

func (p *parser) arguments() (a arguments) {
	at := p.expect(operator, "(").at
	for !p.skip(operator, ")") {
		if len(a.positional) > 0 || len(a.named) > 0 || a.rest != nil || a.restNamed != nil {
			p.expect(operator, ",")
			if p.skip(operator, ")") {
				break
			}
		}
		switch t := p.current(); {
		case a.restNamed != nil:
			failAt(t.at, "an argument is behind **")
		case p.skip(operator, "*"):
			if a.rest != nil {
				failAt(at, "the call has * twice")
			}
			a.rest = p.expression()
		case p.skip(operator, "**"):
			a.restNamed = p.expression()
		case t.kind == name && p.tokens[1].is(operator, "="):
			p.next()
			p.next()
			a.names = append(a.names, t.value)
			a.named = append(a.named, p.expression())
		default:
			if len(a.named) > 0 || a.rest != nil {
				failAt(t.at, "an argument without a name is behind one with a name")
			}
			a.positional = append(a.positional, p.expression())
		}
	}
	return a
}

// filters reads a filter whose name was read, and those that follow it.
func (p *parser) filters(of expression, n token) expression {
	of = p.filter(of, n)
	for p.skip(operator, "|") {
		of = p.filter(of, p.word())
	}
	return of
}

func (p *parser) filter(of expression, n token) expression {
	f := &filter{position: n.at, of: of, name: n.value}
	if p.current().is(operator, "(") {
		f.arguments = p.arguments()
	}
	return f
}

func (p *parser) test(of expression) expression {
	at := p.next().at
	negated := p.skip(name, "not")
	n := p.word()
	t := &test{position: n.at, of: of, name: n.value}
	switch c := p.current(); {
	case c.is(operator, "("):
		t.arguments = p.arguments()
	case c.kind == name && !slices.Contains([]string{"else", "or", "and"}, c.value), c.kind == stringToken,
		c.kind == integerToken, c.kind == floatToken, c.is(operator, "["), c.is(operator, "{"):
		if c.is(name, "is") {
			failAt(c.at, "tests cannot be chained with is")
		}
		t.positional = []expression{p.postfix(p.primary())}
	}
	if negated {
		return &unary{at, "not", t}
	}
	return t
}
