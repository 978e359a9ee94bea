package script

// function reads a definition; `pass` bodies and one-line bodies included.
func (p *parser) function() *Function {
	p.expect("def")
	f := &Function{Position: p.at(), Name: p.identifier()}
	p.expect("(")
	keywordOnly := false
	for !p.is(")") {
		if p.accept("*") {
			keywordOnly = true
		} else {
			f.Parameters = append(f.Parameters, p.parameter(keywordOnly))
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	if p.accept("->") {
		f.Result = p.expression()
	}
	f.Body = p.block()
	return f
}

func (p *parser) parameter(keywordOnly bool) *Parameter {
	q := &Parameter{Position: p.at(), Name: p.identifier(), KeywordOnly: keywordOnly}
	if p.accept(":") {
		q.Type = p.expression()
	}
	if p.accept("=") {
		q.Default = p.expression()
	}
	return q
}

// block reads the colon and the statements behind it.
func (p *parser) block() []Stmt {
	p.expect(":")
	if p.tok.kind != newline {
		return []Stmt{p.statement()}
	}
	p.advance()
	if p.tok.kind != indent {
		p.fail("an indented block expected, not %v", p.tok)
	}
	p.advance()
	p.enter()
	defer p.leave()
	var body []Stmt
	for p.tok.kind != dedent {
		body = append(body, p.statement())
	}
	p.advance()
	return body
}

func (p *parser) statement() Stmt {
	at := p.at()
	switch {
	case p.accept("if"):
		return p.ifStatement(at)
	case p.accept("while"):
		condition := p.expression()
		return &While{at, condition, p.block()}
	case p.accept("for"):
		target := p.targets()
		p.expect("in")
		iterable := p.expressions()
		return &For{at, target, iterable, p.block()}
	case p.accept("with"):
		return p.withStatement(at)
	case p.is("def"):
		return &Define{p.function()}
	}
	s := p.simpleStatement(at)
	if !p.accept(";") || p.tok.kind == newline {
		p.expectKind(newline)
	}
	return s
}

func (p *parser) ifStatement(at Position) Stmt {
	root := &If{Position: at}
	for s := root; ; {
		s.Condition = p.expression()
		s.Then = p.block()
		next := p.at()
		if p.accept("elif") { // a chain of them may be long: no recursion
			inner := &If{Position: next}
			s.Else = []Stmt{inner}
			p.enter()
			defer p.leave()
			s = inner
			continue
		}
		if p.accept("else") {
			s.Else = p.block()
		}
		return root
	}
}

func (p *parser) withStatement(at Position) Stmt {
	s := &With{Position: at, Context: p.expression()}
	if p.accept("as") {
		s.Target = p.primary()
		p.checkTarget(s.Target)
	}
	s.Body = p.block()
	return s
}

// targets reads the loop variables of a for statement.
func (p *parser) targets() Expr {
	at := p.at()
	first := p.primary()
	if !p.is(",") {
		p.checkTarget(first)
		return first
	}
	t := &Tuple{Position: at, Items: []Expr{first}}
	for p.accept(",") && !p.is("in") {
		t.Items = append(t.Items, p.primary())
	}
	p.checkTarget(t)
	return t
}

func (p *parser) simpleStatement(at Position) Stmt {
	switch {
	case p.accept("pass"):
		return &Pass{at}
	case p.accept("break"):
		return &Break{at}
	case p.accept("continue"):
		return &Continue{at}
	case p.accept("return"):
		if p.tok.kind == newline {
			return &Return{Position: at}
		}
		return &Return{at, p.expressions()}
	case p.accept("raise"):
		if p.tok.kind == newline {
			return &Raise{Position: at}
		}
		return &Raise{at, p.expression()}
	case p.accept("assert"):
		s := &Assert{Position: at, Condition: p.expression()}
		if p.accept(",") {
			s.Message = p.expression()
		}
		return s
	}
	return p.assignment(at)
}

// augmented holds the operators of augmented assignments.
var augmented = map[string]string{
	"+=": "+", "-=": "-", "*=": "*", "/=": "/", "//=": "//", "%=": "%", "**=": "**", "&=": "&",
	"|=": "|", "^=": "^", "<<=": "<<", ">>=": ">>", "@=": "@",
}

func (p *parser) assignment(at Position) Stmt {
	value := p.expressions()
	if op := augmented[p.tok.text]; op != "" && p.tok.kind == operator {
		p.checkTarget(value)
		p.advance()
		return &AugmentedAssign{at, value, op, p.expressions()}
	}
	s := &Assign{Position: at}
	if p.accept(":") {
		p.checkTarget(value)
		s.Targets = []Expr{value}
		s.Type = p.expression()
		if p.accept("=") {
			s.Value = p.expressions()
		}
		return s
	}
	for p.accept("=") {
		p.checkTarget(value)
		s.Targets = append(s.Targets, value)
		value = p.expressions()
	}
	if s.Targets == nil {
		return &ExprStmt{value}
	}
	s.Value = value
	return s
}

// checkTarget fails unless e can be assigned to.
func (p *parser) checkTarget(e Expr) {
	switch e := e.(type) {
	case *Name, *Attribute, *Subscript:
		return
	case *Tuple:
		for _, item := range e.Items {
			p.checkTarget(item)
		}
		return
	case *List:
		for _, item := range e.Items {
			p.checkTarget(item)
		}
		return
	}
	failAt(e.Pos(), "this cannot be assigned to")
}
