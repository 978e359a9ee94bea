package script

import "fmt"

const (
	// maxSource bounds a file, in bytes; the largest models have some megabytes of code.
	maxSource = 16 << 20
	// maxNesting bounds the nesting of blocks and of expressions.
	maxNesting = 1000
	// maxChain bounds the operators of one expression level, such as the points in a.b.c.
	maxChain = 20000
)

type parser struct {
	lexer *lexer
	tok   token // the next token
	depth int
}

// Parse reads one source file; file is its name in positions. The first mistake is an error with its position.
func Parse(file, source string) (*File, error) {
	return parse(file, source, (*parser).file)
}

// ParseExpression reads one expression, such as `2*s0 + 1`. The first mistake is an error with its position, and so is
// text behind the expression.
func ParseExpression(file, source string) (Expr, error) {
	return parse(file, source, func(p *parser) Expr {
		e := p.expression()
		for p.tok.kind == newline {
			p.advance()
		}
		p.expectKind(endOfFile)
		return e
	})
}

func parse[T any](file, source string, read func(*parser) T) (parsed T, err error) {
	var none T
	if len(source) > maxSource {
		return none, &Error{Position{file, 1, 1},
			fmt.Sprintf("%d bytes exceed the limit of %d", len(source), maxSource)}
	}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			parsed, err = none, f.err
		default:
			panic(f)
		}
	}()
	p := &parser{lexer: newLexer(file, source)}
	p.advance()
	return read(p), nil
}

func (p *parser) advance() token {
	t := p.tok
	p.tok = p.lexer.next()
	return t
}

func (p *parser) at() Position { return Position{p.lexer.file, p.tok.line, p.tok.col} }

func (p *parser) fail(format string, args ...any) { failAt(p.at(), format, args...) }

// is reports whether the next token is the given operator or keyword.
func (p *parser) is(s string) bool {
	return (p.tok.kind == operator || p.tok.kind == name) && p.tok.text == s
}

func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("%q expected, not %v", s, p.tok)
	}
}

func (p *parser) expectKind(k kind) token {
	if p.tok.kind != k {
		p.fail("%v expected, not %v", token{kind: k}, p.tok)
	}
	return p.advance()
}

// keywords cannot be names.
var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true,
	"async": true, "await": true, "break": true, "class": true, "continue": true, "def": true,
	"del": true, "elif": true, "else": true, "except": true, "finally": true, "for": true,
	"from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true,
	"return": true, "try": true, "while": true, "with": true, "yield": true,
}

func (p *parser) identifier() string {
	if p.tok.kind != name || keywords[p.tok.text] {
		p.fail("a name expected, not %v", p.tok)
	}
	return p.advance().text
}

// enter guards a recursion; the caller defers leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail("expressions are nested more than %d deep", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) file() *File {
	f := &File{Name: p.lexer.file}
	for p.tok.kind != endOfFile {
		switch {
		case p.is("class"):
			f.Classes = append(f.Classes, p.class())
		case p.is("def"):
			f.Functions = append(f.Functions, p.function())
		case p.is("import"), p.is("from"):
			p.importStatement()
		default:
			p.global(f)
		}
	}
	return f
}

// importStatement skips an import: qualified names say by themselves where they come from.
func (p *parser) importStatement() {
	for p.tok.kind != newline && p.tok.kind != endOfFile {
		p.advance()
	}
	p.expectKind(newline)
}

// global reads what else occurs between classes: the version in files of the first releases.
func (p *parser) global(f *File) {
	at := p.at()
	assign, ok := p.statement().(*Assign)
	if ok && len(assign.Targets) == 1 {
		target, isName := assign.Targets[0].(*Name)
		literal, isLiteral := assign.Value.(*Literal)
		if isName && isLiteral && target.Name == "op_version_set" {
			version, _ := literal.Value.(int64)
			f.Version = int(version)
			return
		}
	}
	failAt(at, "a class or a function expected")
}

// class reads a class definition.
func (p *parser) class() *Class {
	p.expect("class")
	c := &Class{Position: p.at(), Name: p.identifier()}
	if p.accept("(") {
		if !p.is(")") {
			c.Base = p.identifier()
			for p.accept(".") { // torch.nn.Module
				c.Base = p.identifier()
			}
		}
		p.expect(")")
	}
	p.expect(":")
	p.expectKind(newline)
	if p.tok.kind != indent {
		return c // an empty class has no body at all
	}
	p.advance()
	for p.tok.kind != dedent {
		if p.is("def") {
			c.Methods = append(c.Methods, p.function())
		} else if f := p.field(); f != nil {
			c.Fields = append(c.Fields, f)
		}
	}
	p.advance()
	return c
}

// field reads a statement of a class's body; pass and documentation give nil.
func (p *parser) field() *Field {
	at := p.at()
	switch s := p.statement().(type) {
	case *Pass:
		return nil
	case *ExprStmt:
		if literal, ok := s.Value.(*Literal); ok {
			if _, ok := literal.Value.(string); ok {
				return nil
			}
		}
	case *Assign:
		if len(s.Targets) != 1 {
			break
		}
		switch target := s.Targets[0].(type) {
		case *Name:
			return &Field{at, target.Name, s.Type, s.Value}
		case *Subscript:
			of, isName := target.X.(*Name)
			key, isLiteral := target.Index.(*Literal)
			if isName && isLiteral && of.Name == "__annotations__" {
				if name, ok := key.Value.(string); ok {
					return &Field{Position: at, Name: name, Type: s.Value}
				}
			}
		}
	}
	failAt(at, "a field or a method expected")
	return nil
}
