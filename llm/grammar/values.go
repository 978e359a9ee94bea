package grammar

import (
	"encoding/json"
	"strconv"
	"strings"
)

// newSchema is a grammar with the rules of JSON: space, char, string, integer, number, boolean, null, object, array,
// value.
func newSchema() *schema {
	s := &schema{g: newGrammar()}
	g := s.g
	g.define("space", []element{}, text(" "), join(text("\n"), g.repeat([]element{oneOf(" \t")}, 0, 20)))
	hex := oneOf("0123456789abcdefABCDEF")
	first := func(digits string) []element { return join(text(`\u`), []element{oneOf(digits), hex, hex, hex}) }
	surrogate := func(from string) []element { return join(text(`\u`), []element{oneOf("dD"), oneOf(from), hex, hex}) }
	g.define("char", []element{{spans: marks, negative: true, rule: aClass}}, join(text(`\`), []element{oneOf(letters)}),
		first("0123456789abcABCefEF"), surrogate("01234567"), join(surrogate("89abAB"), surrogate("cdefCDEF")))
	g.define("string", join(text(`"`), s.chars(), text(`"`)))
	g.define("whole", text("0"), join([]element{oneOf("123456789")}, g.repeat([]element{digit}, 0, mostDigits-1)))
	minus := g.repeat(text("-"), 0, 1)
	g.define("integer", join(minus, []element{s.named("whole")}))
	fraction := g.repeat([]element{g.add(join(text("."), g.repeat([]element{digit}, 1, mostDecimals)))}, 0, 1)
	exponent := g.repeat([]element{g.add(join([]element{oneOf("eE")}, g.repeat([]element{oneOf("+-")}, 0, 1), g.repeat([]element{digit}, 1, 3)))}, 0, 1)
	g.define("number", join(minus, []element{s.named("whole")}, fraction, exponent))
	g.define("boolean", text("true"), text("false"))
	g.define("null", text("null"))
	g.define("value", []element{s.named("object")}, []element{s.named("array")}, []element{s.named("string")}, []element{s.named("number")},
		[]element{s.named("boolean")}, []element{s.named("null")})
	member := join([]element{s.named("string")}, s.colon(), s.value())
	g.define("object", s.braces("{", "}", s.list(member, 0, -1)))
	g.define("array", s.braces("[", "]", s.list(s.value(), 0, -1)))
	return s
}

// mostDigits and mostDecimals bound numbers, which a model would write without an end; llama.cpp has the first bound.
const mostDigits, mostDecimals = 16, 20

var digit = oneOf("0123456789")

// marks are the characters that a string in JSON has as escapes alone.
var marks = []span{{'"', '"'}, {'\\', '\\'}, {0, 0x1f}}

// escaped are the characters that a letter behind a backslash stands for, and letters these letters.
const escaped, letters = "\"\\/\b\f\n\r\t", `"\/bfnrt`

// oneOf is the class of the characters of a text.
func oneOf(chars string) element {
	e := element{rule: aClass}
	for _, r := range chars {
		e.spans = append(e.spans, span{r, r})
	}
	return e
}

// quote is a string in JSON without escapes that need not be.
func quote(s string) string {
	out := []rune{'"'}
	for _, r := range s {
		switch i := strings.IndexRune(escaped, r); {
		case i >= 0 && r != '/':
			out = append(out, '\\', rune(letters[i]))
		case r < 0x20:
			out = append(out, []rune(`\u00`+strconv.FormatInt(int64(r)+0x100, 16)[1:])...)
		default:
			out = append(out, r)
		}
	}
	return string(append(out, '"'))
}

func (s *schema) named(name string) element { return element{rule: s.g.rule(name)} }
func (s *schema) value() []element          { return []element{s.named("value")} }
func (s *schema) colon() []element          { return join(text(":"), s.space()) }
func (s *schema) comma() []element          { return join(text(","), s.space()) }
func (s *schema) space() []element          { return []element{s.named("space")} }
func (s *schema) chars() []element          { return s.g.repeat([]element{s.named("char")}, 0, -1) }

func (s *schema) braces(open, close string, inside []element) []element {
	return join(text(open), s.space(), inside, s.space(), text(close))
}

// list is least to most of a part with commas between them; most is -1 for any number.
func (s *schema) list(part []element, least, most int) []element {
	if most == 0 {
		return nil
	}
	more := []element{s.g.add(join(s.comma(), part))}
	rest := most
	if rest > 0 {
		rest--
	}
	some := join(part, s.g.repeat(more, max(least-1, 0), rest))
	if least > 0 {
		return some
	}
	return []element{s.g.add(some, nil)}
}

// literal is one value in JSON without blanks: blanks may come where they may come in any value, and texts have no
// escapes that need not be.
func (s *schema) literal(value string) (out []element) {
	for i := 0; i < len(value); {
		end := i + 1
		part := value[i:end]
		switch value[i] {
		case '"':
			for value[end] != '"' {
				if value[end] == '\\' {
					end++
				}
				end++
			}
			end++
			_ = json.Unmarshal([]byte(value[i:end]), &part)
			out = append(out, text(quote(part))...)
		case '{', '[', ',', ':':
			out = join(out, text(part), s.space())
		case '}', ']':
			out = join(out, s.space(), text(part))
		default:
			out = append(out, text(part)...)
		}
		i = end
	}
	return out
}
