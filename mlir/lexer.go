package mlir

import "strings"

// tokenKind classifies a token of MLIR's text.
type tokenKind uint8

const (
	tokenEOF     tokenKind = iota
	tokenBad               // a character or literal that is no token
	tokenName              // bare identifier or keyword
	tokenPercent           // %name
	tokenCaret             // ^name
	tokenAt                // @name or @"name"
	tokenHash              // #name
	tokenBang              // !name
	tokenInt               // 12 or 0x1F
	tokenFloat             // 1.0e-3
	tokenString            // "text"
	tokenPunct             // ( ) { } [ ] < > , : = -> :: - + * ? ... {-# #-}
)

// token is a piece of the source text; end is exclusive.
type token struct {
	kind       tokenKind
	start, end int
}

// lexer cuts text into tokens. It never fails: what it does not know becomes a
// bad token, and the parser reports it.
type lexer struct {
	text string
	pos  int
}

// next returns the token at or after the current position and moves behind it.
func (l *lexer) next() token {
	l.skipSpace()
	start := l.pos
	if start >= len(l.text) {
		return token{tokenEOF, start, start}
	}
	kind := l.scan(l.text[start])
	return token{kind, start, l.pos}
}

func (l *lexer) skipSpace() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0:
			l.pos++
		case c == '/' && strings.HasPrefix(l.text[l.pos:], "//"):
			end := strings.IndexByte(l.text[l.pos:], '\n')
			if end < 0 {
				l.pos = len(l.text)
				return
			}
			l.pos += end + 1
		default:
			return
		}
	}
}

func (l *lexer) scan(c byte) tokenKind {
	switch {
	case isLetter(c) || c == '_':
		l.skipWhile(isNameByte)
		return tokenName
	case isDigit(c):
		return l.number()
	case c == '"':
		return l.stringLiteral()
	}
	switch c {
	case '%':
		return l.prefixed(tokenPercent)
	case '^':
		return l.prefixed(tokenCaret)
	case '!':
		return l.prefixed(tokenBang)
	case '#':
		if strings.HasPrefix(l.text[l.pos:], "#-}") {
			l.pos += 3
			return tokenPunct
		}
		return l.prefixed(tokenHash)
	case '@':
		l.pos++
		if l.at(0) == '"' {
			if l.stringLiteral() == tokenBad {
				return tokenBad
			}
			return tokenAt
		}
		if !isLetter(l.at(0)) && l.at(0) != '_' {
			return tokenBad
		}
		l.skipWhile(isNameByte)
		return tokenAt
	}
	return l.punctuation()
}

// at returns the byte i places on, or 0 beyond the end.
func (l *lexer) at(i int) byte {
	if l.pos+i < len(l.text) {
		return l.text[l.pos+i]
	}
	return 0
}

func (l *lexer) skipWhile(f func(byte) bool) {
	for l.pos < len(l.text) && f(l.text[l.pos]) {
		l.pos++
	}
}

func isNameByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_' || c == '$' || c == '.'
}

func isSuffixByte(c byte) bool { return isNameByte(c) || c == '-' }

func isHexByte(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// prefixed scans what follows a sigil: digits, or an identifier.
func (l *lexer) prefixed(kind tokenKind) tokenKind {
	l.pos++
	switch c := l.at(0); {
	case isDigit(c):
		l.skipWhile(isDigit)
	case isLetter(c) || c == '_' || c == '$' || c == '.' || c == '-':
		l.skipWhile(isSuffixByte)
	default:
		return tokenBad
	}
	return kind
}

// number scans an integer, a hex integer or a float. "2x3" ends after the 2.
func (l *lexer) number() tokenKind {
	if l.at(0) == '0' && l.at(1) == 'x' && isHexByte(l.at(2)) {
		l.pos += 2
		l.skipWhile(isHexByte)
		return tokenInt
	}
	l.skipWhile(isDigit)
	if l.at(0) != '.' {
		return tokenInt
	}
	l.pos++
	l.skipWhile(isDigit)
	if l.at(0)|0x20 == 'e' {
		sign := 0
		if l.at(1) == '+' || l.at(1) == '-' {
			sign = 1
		}
		if isDigit(l.at(1 + sign)) {
			l.pos += 1 + sign
			l.skipWhile(isDigit)
		}
	}
	return tokenFloat
}

// stringLiteral scans "…"; a backslash protects the next byte, and a line end or
// the end of the text makes it bad.
func (l *lexer) stringLiteral() tokenKind {
	l.pos++
	// Hex blobs make long literals: look for the quote first.
	rest := l.text[l.pos:]
	if i := strings.IndexByte(rest, '"'); i >= 0 && strings.IndexByte(rest[:i], '\\') < 0 &&
		strings.IndexByte(rest[:i], '\n') < 0 {
		l.pos += i + 1
		return tokenString
	}
	for {
		i := strings.IndexAny(l.text[l.pos:], "\"\\\n")
		switch {
		case i < 0:
			l.pos = len(l.text)
			return tokenBad
		case l.text[l.pos+i] == '"':
			l.pos += i + 1
			return tokenString
		case l.text[l.pos+i] == '\n':
			l.pos += i
			return tokenBad
		}
		l.pos = min(l.pos+i+2, len(l.text))
	}
}

func (l *lexer) punctuation() tokenKind {
	for _, long := range [...]string{"->", "::", "{-#", "..."} {
		if strings.HasPrefix(l.text[l.pos:], long) {
			l.pos += len(long)
			return tokenPunct
		}
	}
	c := l.text[l.pos]
	l.pos++
	if strings.IndexByte("(){}[]<>,:=-+*?/|", c) >= 0 {
		return tokenPunct
	}
	return tokenBad
}
