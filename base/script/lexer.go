package script

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	endOfFile kind = iota
	newline
	indent
	dedent
	name
	number
	text // a string literal; the token holds it with its quotes
	operator
)

type token struct {
	kind      kind
	text      string
	line, col int
}

func (t token) String() string {
	switch t.kind {
	case endOfFile:
		return "the end of the file"
	case newline:
		return "the end of the line"
	case indent:
		return "an indentation"
	case dedent:
		return "the end of the block"
	}
	if len(t.text) > 40 {
		return fmt.Sprintf("%q...", t.text[:40])
	}
	return fmt.Sprintf("%q", t.text)
}

// operators, longest first.
var operators = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"->", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
	"^=", "@=",
	"(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=", "+", "-", "*", "/", "%", "<", ">", "&",
	"|", "^", "~", "@",
}

// lexer splits a file into tokens; like Python's it turns indentation into tokens.
type lexer struct {
	file      string
	source    string
	pos       int
	line      int
	lineStart int
	depth     int   // of open brackets; line ends inside brackets mean nothing
	indents   []int // widths of the open blocks
	pending   int   // dedents still to be returned
	fresh     bool  // at the start of a line
	ended     bool  // the last token ended a line
}

func newLexer(file, source string) *lexer {
	return &lexer{file: file, source: source, line: 1, indents: []int{0}, fresh: true, ended: true}
}

// fault is how the lexer and the parser report an error to [Parse].
type fault struct{ err *Error }

func failAt(p Position, format string, args ...any) {
	panic(fault{&Error{p, fmt.Sprintf(format, args...)}})
}

func (l *lexer) fail(format string, args ...any) {
	failAt(Position{l.file, l.line, l.pos - l.lineStart + 1}, format, args...)
}

func (l *lexer) token(k kind, start int) token {
	return token{k, l.source[start:l.pos], l.line, start - l.lineStart + 1}
}

func (l *lexer) next() token {
	if l.pending > 0 {
		l.pending--
		return l.token(dedent, l.pos)
	}
	if l.fresh {
		l.fresh = false
		if t, ok := l.indentation(); ok {
			return t
		}
	}
	l.skipSpace()
	start := l.pos
	if l.pos == len(l.source) {
		return l.end()
	}
	c := l.source[l.pos]
	switch {
	case c == '\n':
		t := l.token(newline, start)
		l.newLine()
		l.fresh, l.ended = true, true
		return t
	case c == '"' || c == '\'':
		l.string(c)
		return l.token(text, start)
	case isDigit(c) || c == '.' && start+1 < len(l.source) && isDigit(l.source[start+1]):
		l.number()
		return l.token(number, start)
	}
	if n := identifier(l.source[l.pos:]); n > 0 {
		l.pos += n
		return l.token(name, start)
	}
	return l.operator()
}

func (l *lexer) newLine() {
	l.pos++
	l.line++
	l.lineStart = l.pos
}

// end closes what is open at the end of the file.
func (l *lexer) end() token {
	if l.depth > 0 {
		l.fail("the file ends inside of brackets")
	}
	if !l.ended {
		l.ended = true
		return l.token(newline, l.pos)
	}
	if open := len(l.indents) - 1; open > 0 {
		l.indents = l.indents[:1]
		l.pending = open - 1
		return l.token(dedent, l.pos)
	}
	return l.token(endOfFile, l.pos)
}

// skipSpace skips blanks, comments, joined lines and, inside of brackets, line ends.
func (l *lexer) skipSpace() {
	for l.pos < len(l.source) {
		switch c := l.source[l.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.pos++
		case c == '\n' && l.depth > 0:
			l.newLine()
		case c == '\\' && strings.HasPrefix(l.source[l.pos:], "\\\n"):
			l.pos++
			l.newLine()
		case c == '#':
			for l.pos < len(l.source) && l.source[l.pos] != '\n' {
				l.pos++
			}
		default:
			return
		}
	}
}

// indentation skips empty lines and returns a token if the block structure changes.
func (l *lexer) indentation() (token, bool) {
	var width int
	for {
		l.skipSpace()
		if l.pos == len(l.source) {
			return token{}, false
		}
		width = l.pos - l.lineStart
		if l.source[l.pos] != '\n' {
			break
		}
		l.newLine()
	}
	l.ended = false
	last := len(l.indents) - 1
	if width > l.indents[last] {
		if last >= maxNesting {
			l.fail("blocks are nested more than %d deep", maxNesting)
		}
		l.indents = append(l.indents, width)
		return l.token(indent, l.pos), true
	}
	closed := 0
	for width < l.indents[last] {
		last--
		closed++
	}
	if width != l.indents[last] {
		l.fail("the indentation fits no block")
	}
	l.indents = l.indents[:last+1]
	if closed == 0 {
		return token{}, false
	}
	l.pending = closed - 1
	return l.token(dedent, l.pos), true
}

func (l *lexer) operator() token {
	start := l.pos
	for _, op := range operators {
		if strings.HasPrefix(l.source[l.pos:], op) {
			l.pos += len(op)
			switch op {
			case "(", "[", "{":
				l.depth++
			case ")", "]", "}":
				l.depth = max(l.depth-1, 0)
			}
			return l.token(operator, start)
		}
	}
	r, _ := utf8.DecodeRuneInString(l.source[l.pos:])
	l.fail("the character %q is not part of the language", r)
	return token{}
}

// string skips a string literal.
func (l *lexer) string(quote byte) {
	l.pos++
	for l.pos < len(l.source) {
		switch l.source[l.pos] {
		case quote:
			l.pos++
			return
		case '\\':
			l.pos++
		case '\n':
			l.fail("a string is not closed on its line")
		}
		l.pos++
	}
	l.pos = len(l.source)
	l.fail("the file ends inside of a string")
}

// number skips a number: digits, letters and points, and a sign after an exponent's e.
func (l *lexer) number() {
	start := l.pos
	hex := strings.HasPrefix(l.source[start:], "0x")
	for l.pos < len(l.source) {
		c := l.source[l.pos]
		exponentSign := !hex && (c == '+' || c == '-') && l.pos > start &&
			(l.source[l.pos-1] == 'e' || l.source[l.pos-1] == 'E')
		if !isDigit(c) && c != '.' && c != '_' && !isLetter(c) && !exponentSign {
			return
		}
		l.pos++
	}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// identifier returns the length of the identifier at the start of s, or 0.
func identifier(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}
