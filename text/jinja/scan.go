package jinja

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	endOfText  kind = iota
	textToken       // text between tags
	blockBegin      // {%
	blockEnd        // %}
	printBegin      // {{
	printEnd        // }}
	name
	stringToken
	integerToken
	floatToken
	operator
)

// token is a word of a template. Value is its text: of strings without quotes and escapes, of operators as they stand.
type token struct {
	kind  kind
	value string
	at    position
}

// scanner cuts a template into tokens as Jinja2 does with trim_blocks and lstrip_blocks.
type scanner struct {
	source    string
	at        int
	tokens    []token
	lineBegin bool     // what was read last ends with a newline
	open      []string // closing brackets that are awaited in a tag
}

// newlines makes all ends of lines \n.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// scan returns the tokens of a source without \r, the last of which is endOfText.
func scan(source string) []token {
	s := &scanner{source: source, lineBegin: true}
	for s.at < len(source) {
		s.text()
	}
	s.add(endOfText, "")
	return s.tokens
}

func (s *scanner) add(k kind, value string) {
	s.tokens = append(s.tokens, token{k, value, position(s.at)})
}

// move goes n bytes on.
func (s *scanner) move(n int) {
	if n > 0 {
		s.lineBegin = s.source[s.at+n-1] == '\n'
		s.at += n
	}
}

// text reads text up to a tag, and the tag.
func (s *scanner) text() {
	rest := s.source[s.at:]
	begin := 0
	for {
		i := strings.IndexByte(rest[begin:], '{')
		if i < 0 || begin+i+1 == len(rest) {
			s.add(textToken, rest)
			s.move(len(rest))
			return
		}
		if begin += i; strings.IndexByte("{%#", rest[begin+1]) >= 0 {
			break
		}
		begin++
	}
	text, tag := rest[:begin], rest[begin:]
	inside := tag[2:]
	sign := byte(0)
	if inside != "" && (inside[0] == '-' || inside[0] == '+') {
		sign, inside = inside[0], inside[1:]
	}
	if text = s.stripped(text, sign, tag[1] == '{'); text != "" {
		s.add(textToken, text)
	}
	s.move(begin)
	switch tag[1] {
	case '{':
		s.add(printBegin, "")
		s.move(len(tag) - len(inside))
		s.tag(printEnd, "}}")
	case '#':
		s.comment(len(tag) - len(inside))
	default:
		if after, ok := word(inside, "raw"); ok && (strings.HasPrefix(after, "%}") || strings.HasPrefix(after, "-%}")) {
			s.raw(after)
			return
		}
		s.add(blockBegin, "")
		s.move(len(tag) - len(inside))
		s.tag(blockEnd, "%}")
	}
}

// stripped is the text in front of a tag without the whitespace that the tag takes away.
func (s *scanner) stripped(text string, sign byte, prints bool) string {
	if sign == '-' {
		return strings.TrimRightFunc(text, isSpace)
	}
	line := strings.LastIndexByte(text, '\n') + 1
	if sign == 0 && !prints && (line > 0 || s.lineBegin) && strings.TrimLeftFunc(text[line:], isSpace) == "" {
		return text[:line]
	}
	return text
}

// word is what stands behind a word, and behind whitespace on both sides of it.
func word(text, w string) (after string, ok bool) {
	after, ok = strings.CutPrefix(strings.TrimLeftFunc(text, isSpace), w)
	return strings.TrimLeftFunc(after, isSpace), ok
}

// blockEndLength is the number of bytes of the end of a block or comment with the whitespace that it takes away, 0 if
// there is none.
func blockEndLength(text, end string) int {
	switch {
	case strings.HasPrefix(text, "-"+end):
		return len(text) - len(strings.TrimLeftFunc(text[1+len(end):], isSpace))
	case strings.HasPrefix(text, "+"+end):
		return 1 + len(end)
	case strings.HasPrefix(text, end+"\n"):
		return len(end) + 1
	case strings.HasPrefix(text, end):
		return len(end)
	}
	return 0
}

func (s *scanner) comment(begin int) {
	rest := s.source[s.at:]
	end := strings.Index(rest[begin:], "#}") + begin
	if end < begin {
		failAt(position(s.at), "the comment has no end")
	}
	if end > begin && (rest[end-1] == '-' || rest[end-1] == '+') {
		end--
	}
	s.move(end + blockEndLength(rest[end:], "#}"))
}

// raw reads a raw block; after stands behind its first word.
func (s *scanner) raw(after string) {
	if strings.HasPrefix(after, "-") {
		after = strings.TrimLeftFunc(after[3:], isSpace)
	} else {
		after = after[2:]
	}
	begin := s.at
	s.move(len(s.source) - s.at - len(after))
	for i := range after {
		tag, ok := strings.CutPrefix(after[i:], "{%")
		if !ok {
			continue
		}
		sign := byte(0)
		if tag != "" && (tag[0] == '-' || tag[0] == '+') {
			sign, tag = tag[0], tag[1:]
		}
		end, ok := word(tag, "endraw")
		if n := blockEndLength(end, "%}"); ok && n > 0 {
			if text := s.stripped(after[:i], sign, false); text != "" {
				s.add(textToken, text)
			}
			s.move(len(after) - len(end) + n)
			return
		}
	}
	failAt(position(begin), "the raw block has no end")
}

// operators are the operators of expressions, longer operators first.
var operators = strings.Fields("// ** == != >= <= + - / * % ~ [ ] ( ) { } > < = . : | , ;")

var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// tag reads the words of a tag up to its end.
func (s *scanner) tag(end kind, mark string) {
	begin := s.at
	s.open = s.open[:0]
	for s.at < len(s.source) {
		rest := s.source[s.at:]
		if len(s.open) == 0 {
			n := blockEndLength(rest, mark)
			if end == printEnd { // takes no newline, and knows no plus
				if n = 0; strings.HasPrefix(rest, mark) {
					n = len(mark)
				} else if strings.HasPrefix(rest, "-"+mark) {
					n = blockEndLength(rest, mark)
				}
			}
			if n > 0 {
				s.add(end, "")
				s.move(n)
				return
			}
		}
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case isSpace(r):
			s.move(size)
		case r >= '0' && r <= '9':
			s.number(rest)
		case r == '_' || unicode.IsLetter(r):
			n := strings.IndexFunc(rest, func(r rune) bool {
				return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
			})
			if n < 0 {
				n = len(rest)
			}
			s.add(name, rest[:n])
			s.move(n)
		case r == '"' || r == '\'':
			s.string(rest)
		default:
			s.operator(rest)
		}
	}
	failAt(position(begin), "the tag has no end %s", mark)
}

func (s *scanner) operator(rest string) {
	for _, o := range operators {
		if !strings.HasPrefix(rest, o) {
			continue
		}
		switch o {
		case "(", "[", "{":
			s.open = append(s.open, closing[o])
		case ")", "]", "}":
			if len(s.open) == 0 || s.open[len(s.open)-1] != o {
				failAt(position(s.at), "unexpected %q", o)
			}
			s.open = s.open[:len(s.open)-1]
		}
		s.add(operator, o)
		s.move(len(o))
		return
	}
	r, _ := utf8.DecodeRuneInString(rest)
	failAt(position(s.at), "unexpected character %q", r)
}

// digits is the number of bytes of digits with single underscores between them.
func digits(text string, is func(c byte) bool) int {
	n := 0
	for n < len(text) && (is(text[n]) || n > 0 && text[n] == '_' && n+1 < len(text) && is(text[n+1])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) number(rest string) {
	k, n := integerToken, 0
	among := ""
	if len(rest) > 1 && rest[0] == '0' {
		among = map[byte]string{'x': "0123456789abcdefABCDEF", 'o': "01234567", 'b': "01"}[rest[1]|' ']
	}
	if among != "" {
		n = 2 + digits(rest[2:], func(c byte) bool { return strings.IndexByte(among, c) >= 0 })
	} else {
		n = digits(rest, isDigit)
		before := len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].kind == operator && s.tokens[len(s.tokens)-1].value == "." &&
			s.source[s.at-1] == '.'
		fraction := n
		if m := digits(rest[min(n+1, len(rest)):], isDigit); strings.HasPrefix(rest[n:], ".") && m > 0 {
			fraction = n + 1 + m
		}
		exponent := fraction
		if e := rest[fraction:]; e != "" && e[0]|' ' == 'e' {
			sign := 1
			if len(e) > 1 && (e[1] == '+' || e[1] == '-') {
				sign = 2
			}
			if m := digits(e[sign:], isDigit); m > 0 {
				exponent += sign + m
			}
		}
		if exponent > n && !before {
			k, n = floatToken, exponent
		} else if rest[0] == '0' && strings.Trim(rest[:n], "0_") != "" {
			failAt(position(s.at), "%s is no number: it begins with 0", rest[:n])
		}
	}
	s.add(k, strings.ReplaceAll(rest[:n], "_", ""))
	s.move(n)
}

// plain are the escapes of one letter.
var plain = map[byte]string{'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// string reads a literal with Python's escapes. An escape that Python does not know stands for itself.
func (s *scanner) string(rest string) {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		c := rest[i]
		if c == rest[0] {
			s.add(stringToken, b.String())
			s.move(i + 1)
			return
		}
		if c != '\\' || i+1 == len(rest) {
			b.WriteByte(c)
			continue
		}
		i++
		at, c := position(s.at+i-1), rest[i]
		if text, ok := plain[c]; ok {
			b.WriteString(text)
			continue
		}
		length, base, begin := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16, i+1
		switch {
		case c >= '0' && c <= '7':
			base, begin = 8, i
			for length < 3 && i+length < len(rest) && rest[i+length] >= '0' && rest[i+length] <= '7' {
				length++
			}
		case c == 'N' && strings.HasPrefix(rest[i:], "N{"):
			failAt(at, "names of characters are not supported in strings")
		case length == 0:
			b.WriteString(rest[i-1 : i+1])
			continue
		}
		code, err := strconv.ParseUint(rest[begin:min(begin+length, len(rest))], base, 32)
		if err != nil || code > unicode.MaxRune || code >= 0xd800 && code < 0xe000 {
			failAt(at, "%q is no character", rest[i-1:min(begin+length, len(rest))])
		}
		b.WriteRune(rune(code))
		i = begin + length - 1
	}
	failAt(position(s.at), "the string has no end")
}
