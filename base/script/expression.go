package script

import "strings"

// expressions reads one expression, or a tuple without parentheses.
func (p *parser) expressions() Expr {
	at := p.at()
	first := p.expression()
	if !p.is(",") {
		return first
	}
	t := &Tuple{Position: at, Items: []Expr{first}}
	for p.accept(",") {
		if p.tok.kind == newline || p.is("=") || p.is(":") {
			break
		}
		t.Items = append(t.Items, p.expression())
	}
	return t
}

// expression reads a conditional expression, the weakest binding of all.
func (p *parser) expression() Expr {
	p.enter()
	defer p.leave()
	then := p.binary(0)
	if !p.is("if") {
		return then
	}
	e := &Conditional{Position: p.at(), Then: then}
	p.advance()
	e.Condition = p.binary(0)
	p.expect("else")
	e.Else = p.expression()
	return e
}

// levels are the left-associative binary operators from weak to strong. The levels of `not` and of
// comparisons lie between them.
var levels = [][]string{
	{"or"}, {"and"}, notLevel: nil, compareLevel: nil, {"|"}, {"^"}, {"&"}, {"<<", ">>"},
	{"+", "-"}, {"*", "/", "//", "%", "@"},
}

const (
	notLevel     = 2
	compareLevel = 3
)

func (p *parser) binary(level int) Expr {
	switch level {
	case len(levels):
		return p.unary()
	case notLevel:
		return p.not()
	case compareLevel:
		return p.compare()
	}
	x := p.binary(level + 1)
	for n := 0; ; n++ {
		op := p.operatorOf(levels[level])
		if op == "" {
			return x
		}
		if n == maxChain {
			p.fail("more than %d operators in one expression", maxChain)
		}
		at := p.at()
		p.advance()
		x = &Binary{at, op, x, p.binary(level + 1)}
	}
}

// operatorOf returns the next token if it is one of the given operators.
func (p *parser) operatorOf(ops []string) string {
	for _, op := range ops {
		if p.is(op) {
			return op
		}
	}
	return ""
}

func (p *parser) not() Expr {
	at := p.at()
	if !p.accept("not") {
		return p.binary(compareLevel)
	}
	p.enter()
	defer p.leave()
	return &Unary{at, "not", p.not()}
}

var comparisons = []string{"<", "<=", ">", ">=", "==", "!=", "in", "not", "is"}

func (p *parser) compare() Expr {
	x := p.binary(compareLevel + 1)
	var c *Compare
	for {
		op := p.operatorOf(comparisons)
		if op == "" {
			break
		}
		if c == nil {
			c = &Compare{Position: p.at(), X: x}
		}
		p.advance()
		if op == "not" {
			p.expect("in")
			op = "not in"
		} else if op == "is" && p.accept("not") {
			op = "is not"
		}
		c.Ops = append(c.Ops, op)
		c.Ys = append(c.Ys, p.binary(compareLevel+1))
	}
	if c == nil {
		return x
	}
	return c
}

func (p *parser) unary() Expr {
	at := p.at()
	for _, op := range []string{"-", "+", "~"} {
		if p.accept(op) {
			p.enter()
			defer p.leave()
			return negated(&Unary{at, op, p.unary()})
		}
	}
	x := p.primary()
	at = p.at()
	if p.accept("**") { // binds to the right, and stronger than a sign on its left
		p.enter()
		defer p.leave()
		return &Binary{at, "**", x, p.unary()}
	}
	return x
}

// negated folds the sign into a number.
func negated(u *Unary) Expr {
	literal, ok := u.X.(*Literal)
	if !ok || u.Op != "-" {
		return u
	}
	switch v := literal.Value.(type) {
	case int64:
		return &Literal{u.Position, -v} // the smallest int64 stays itself
	case float64:
		return &Literal{u.Position, -v}
	}
	return u
}

// primary reads an atom and the calls, subscripts and attributes that follow it.
func (p *parser) primary() Expr {
	x := p.atom()
	for n := 0; ; n++ {
		if n == maxChain {
			p.fail("more than %d operators in one expression", maxChain)
		}
		at := p.at()
		switch {
		case p.accept("."):
			at = p.at()
			if p.tok.kind != name {
				p.fail("a name expected, not %v", p.tok)
			}
			x = &Attribute{at, x, p.advance().text}
		case p.accept("("):
			x = p.call(x)
		case p.accept("["):
			x = &Subscript{at, x, p.index()}
			p.expect("]")
		default:
			return x
		}
	}
}

func (p *parser) call(f Expr) Expr {
	p.enter()
	defer p.leave()
	c := &Call{Position: f.Pos(), Func: f}
	for !p.is(")") {
		if p.is("*") || p.is("**") {
			p.fail("star arguments are not part of the language")
		}
		arg := p.expression()
		keyword, isName := arg.(*Name)
		switch {
		case isName && p.accept("="):
			c.Keywords = append(c.Keywords, Keyword{keyword.Name, p.expression()})
		case c.Keywords != nil:
			failAt(arg.Pos(), "a positional argument follows a named one")
		default:
			c.Args = append(c.Args, arg)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return c
}

// index reads what is between the brackets of a subscript.
func (p *parser) index() Expr {
	at := p.at()
	first := p.indexItem()
	if !p.is(",") {
		return first
	}
	t := &Tuple{Position: at, Items: []Expr{first}}
	for p.accept(",") && !p.is("]") {
		t.Items = append(t.Items, p.indexItem())
	}
	return t
}

func (p *parser) indexItem() Expr {
	at := p.at()
	var parts [3]Expr
	n := 0
	for {
		if !p.is(":") && !p.is("]") && !p.is(",") {
			parts[n] = p.expression()
		}
		if n == 2 || !p.accept(":") {
			break
		}
		n++
	}
	if n == 0 {
		if parts[0] == nil {
			p.fail("an index expected, not %v", p.tok)
		}
		return parts[0]
	}
	return &Slice{at, parts[0], parts[1], parts[2]}
}

func (p *parser) atom() Expr {
	at := p.at()
	switch p.tok.kind {
	case number:
		return &Literal{at, parseNumber(at, p.advance().text)}
	case text:
		var s strings.Builder
		for p.tok.kind == text { // adjacent strings are one
			at := p.at()
			s.WriteString(unquote(at, p.advance().text))
		}
		return &Literal{at, s.String()}
	case name:
		return p.nameOrConstant(at)
	}
	p.enter()
	defer p.leave()
	switch {
	case p.accept("("):
		return p.parenthesized(at)
	case p.accept("["):
		return &List{at, p.items("]")}
	case p.accept("{"):
		return p.dict(at)
	case p.accept("..."):
		return &Name{at, "..."}
	}
	p.fail("an expression expected, not %v", p.tok)
	return nil
}

func (p *parser) nameOrConstant(at Position) Expr {
	switch {
	case p.accept("None"):
		return &Literal{at, nil}
	case p.accept("True"):
		return &Literal{at, true}
	case p.accept("False"):
		return &Literal{at, false}
	}
	return &Name{at, p.identifier()}
}

// parenthesized reads the rest of `(x)`, which is x, of `()` and of `(x, y)`.
func (p *parser) parenthesized(at Position) Expr {
	if p.accept(")") {
		return &Tuple{Position: at}
	}
	first := p.expression()
	if p.accept(")") {
		return first
	}
	p.expect(",")
	return &Tuple{at, append([]Expr{first}, p.items(")")...)}
}

// items reads expressions up to the closing bracket, which is consumed.
func (p *parser) items(closing string) []Expr {
	var items []Expr
	for !p.is(closing) {
		items = append(items, p.expression())
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return items
}

func (p *parser) dict(at Position) Expr {
	d := &Dict{Position: at}
	for !p.is("}") {
		d.Keys = append(d.Keys, p.expression())
		p.expect(":")
		d.Values = append(d.Values, p.expression())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return d
}
