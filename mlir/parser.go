package mlir

import (
	"math"
	"strconv"
	"strings"
)

// maxDepth bounds how deep regions, types, attributes and expressions nest.
const maxDepth = 500

// Parser reads MLIR's text. Dialects use it in their custom forms.
//
// Errors are sticky: the first one is kept, every token after it reads as the
// end of the text, and the methods return zero values. Code that parses
// therefore needs no error handling of its own, but its loops must end when
// [Parser.Accept] keeps saying no.
type Parser struct {
	lexer
	file  string
	tok   token
	prev  int // the end of the token before tok
	diags Diagnostics
	depth int

	lines       lineIndex
	names       map[string]string
	attrAliases map[string]Attribute
	typeAliases map[string]Type
	scope       *scope
	dialect     []string // default dialects, innermost last
	lateLocs    []lateLocation
	resources   map[string][]byte
	useResource bool
	labels      labels // of the innermost region
	aliasSize   map[string]int
	// laterAliases are the places of definitions that stand behind their use; nil until
	// one is looked for.
	laterAliases map[string]int
	expanded     int // bytes that aliases stood for so far
}

// Parse reads a module. Text that is not a single builtin.module is put into
// one. The error is a [Diagnostics]; filename serves its positions only.
//
// Dialects have to be registered: import the ones needed, or mlir/dialect for all.
func Parse(filename string, src []byte) (*Operation, error) {
	p := newParser(filename, string(src))
	module := p.module()
	if p.diags == nil {
		p.finish(module)
	}
	if err := p.diags.Err(); err != nil {
		return nil, err
	}
	return module, nil
}

// ParseType reads a type that stands alone. The errors have the positions in the text; text behind the type is one of
// them.
func ParseType(text string) (Type, error) {
	p := newParser("type", text)
	t := p.Type()
	p.expectEnd()
	return t, p.diags.Err()
}

// ParseAttribute reads an attribute that stands alone. The errors have the positions in the text; text behind the
// attribute is one of them.
func ParseAttribute(text string) (Attribute, error) {
	p := newParser("attribute", text)
	a := p.Attr()
	p.expectEnd()
	return a, p.diags.Err()
}

func newParser(filename, text string) *Parser {
	p := &Parser{
		lexer: lexer{text: text}, file: filename, names: map[string]string{},
		attrAliases: map[string]Attribute{}, typeAliases: map[string]Type{}, aliasSize: map[string]int{},
		dialect: []string{"builtin"},
	}
	p.advance()
	return p
}

// advance moves to the next token.
func (p *Parser) advance() {
	p.prev = p.tok.end
	if p.diags != nil {
		p.tok = token{tokenEOF, p.pos, p.pos}
		return
	}
	p.tok = p.next()
}

// reset continues at a byte position of the text.
func (p *Parser) reset(pos int) {
	p.pos = pos
	p.advance()
}

func (p *Parser) spell(t token) string { return p.text[t.start:t.end] }

// Failed reports whether an error was found.
func (p *Parser) Failed() bool { return p.diags != nil }

// Errorf reports an error at the current token.
func (p *Parser) Errorf(format string, args ...any) { p.errorAt(p.tok.start, format, args...) }

// ErrorAt reports an error at a location, such as the location of the operation being read.
func (p *Parser) ErrorAt(loc Location, format string, args ...any) {
	if p.diags == nil {
		p.diags.add(loc, format, args...)
		p.tok = token{tokenEOF, p.pos, p.pos}
	}
}

func (p *Parser) errorAt(pos int, format string, args ...any) {
	if p.diags == nil {
		p.ErrorAt(p.locationAt(pos), format, args...)
	}
}

// unexpected reports that something else was expected here.
func (p *Parser) unexpected(want string) {
	switch p.tok.kind {
	case tokenEOF:
		p.Errorf("expected %s at the end of the text", want)
	case tokenBad:
		p.Errorf("expected %s, found malformed text", want)
	default:
		p.Errorf("expected %s, found %s", want, abbreviate(p.spell(p.tok)))
	}
}

// abbreviate shortens a token for a message.
func abbreviate(text string) string {
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return strconv.QuoteToGraphic(text)
}

func (p *Parser) expectEnd() {
	if p.tok.kind != tokenEOF {
		p.unexpected("the end of the text")
	}
}

// enter counts nesting; it reports false where the text nests too deep.
func (p *Parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.Errorf("nested more than %d levels deep", maxDepth)
		return false
	}
	return true
}

func (p *Parser) leave() { p.depth-- }

// is reports whether the current token is the given punctuation or keyword.
func (p *Parser) is(text string) bool {
	if p.tok.kind != tokenPunct && p.tok.kind != tokenName {
		return false
	}
	return p.spell(p.tok) == text
}

// Accept moves behind the given punctuation or keyword if it comes next.
func (p *Parser) Accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

// Expect is Accept that reports an error if something else comes.
func (p *Parser) Expect(text string) {
	if !p.Accept(text) {
		p.unexpected("'" + text + "'")
	}
}

// Next reports whether the given punctuation or keyword comes next.
func (p *Parser) Next(text string) bool { return p.is(text) }

// NextOperand reports whether a value name comes next.
func (p *Parser) NextOperand() bool { return p.tok.kind == tokenPercent }

// NextAttrName reports whether #name comes next: an alias or an attribute of a dialect.
func (p *Parser) NextAttrName() bool { return p.tok.kind == tokenHash }

// NextSymbol reports whether a symbol name comes next.
func (p *Parser) NextSymbol() bool { return p.tok.kind == tokenAt }

// List reads elements separated by commas between two brackets.
func (p *Parser) List(open, closing string, element func()) {
	p.Expect(open)
	if p.Accept(closing) || p.Failed() {
		return
	}
	for {
		element()
		if !p.Accept(",") {
			break
		}
	}
	p.Expect(closing)
}

// Keyword reads a bare identifier.
func (p *Parser) Keyword() string {
	if p.tok.kind != tokenName {
		p.unexpected("a keyword")
		return ""
	}
	text := p.intern(p.spell(p.tok))
	p.advance()
	return text
}

// NextKeyword returns the bare identifier that comes next, or "".
func (p *Parser) NextKeyword() string {
	if p.tok.kind != tokenName {
		return ""
	}
	return p.spell(p.tok)
}

// intern returns a copy of s that does not keep the source text in memory.
func (p *Parser) intern(s string) string {
	if kept, ok := p.names[s]; ok {
		return kept
	}
	kept := strings.Clone(s)
	p.names[kept] = kept
	return kept
}

// Symbol reads @name.
func (p *Parser) Symbol() string {
	if p.tok.kind != tokenAt {
		p.unexpected("a symbol name")
		return ""
	}
	text := p.spell(p.tok)[1:]
	if text[0] == '"' {
		text = p.unquote(text, p.tok.start+1)
	}
	p.advance()
	return p.intern(text)
}

// Str reads a string literal.
func (p *Parser) Str() string {
	if p.tok.kind != tokenString {
		p.unexpected("a string")
		return ""
	}
	text := strings.Clone(p.unquote(p.spell(p.tok), p.tok.start))
	p.advance()
	return text
}

// unquote removes the quotes and the escapes \" \\ \n \t and \XX of a literal.
func (p *Parser) unquote(literal string, pos int) string {
	body := literal[1 : len(literal)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			out = append(out, body[i])
			continue
		}
		i++
		switch c := body[i]; {
		case c == '"' || c == '\\':
			out = append(out, c)
		case c == 'n':
			out = append(out, '\n')
		case c == 't':
			out = append(out, '\t')
		case isHexByte(c) && i+1 < len(body) && isHexByte(body[i+1]):
			n, _ := strconv.ParseUint(body[i:i+2], 16, 8)
			out = append(out, byte(n))
			i++
		default:
			p.errorAt(pos+1+i, "unknown escape in a string")
			return ""
		}
	}
	return string(out)
}

// Int reads an integer with an optional minus sign.
func (p *Parser) Int() int {
	negative := p.Accept("-")
	pos := p.tok.start
	if p.tok.kind != tokenInt {
		p.unexpected("an integer")
		return 0
	}
	n, err := parseUint(p.spell(p.tok))
	p.advance()
	switch {
	case err == nil && negative && n <= 1<<63:
		return int(-n)
	case err == nil && !negative && n <= math.MaxInt64:
		return int(n)
	}
	p.errorAt(pos, "integer out of range")
	return 0
}

// parseUint reads a decimal or 0x literal.
func parseUint(text string) (uint64, error) {
	if strings.HasPrefix(text, "0x") {
		return strconv.ParseUint(text[2:], 16, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}
