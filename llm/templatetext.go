package llm

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// spelled writes a template with its texts as literals in expressions. Whitespace is what Jinja2 leaves of it with
// trim_blocks and lstrip_blocks, which transformers sets: a newline behind a block is taken away, and so are spaces in
// front of a block that begins a line; a minus takes all whitespace away, and a plus none. The engine has no text to
// trim then. Escapes in literals that the engine does not know are characters, and the filter tojson is [toJSON].
func spelled(source string) string {
	source = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
	rest := strings.TrimSuffix(source, "\n")
	var out strings.Builder
	begins := true // the text begins a line
	for {
		at := tagBegin(rest)
		if at < 0 {
			writeText(&out, rest)
			return out.String()
		}
		text := rest[:at]
		tag, behind, ok := scanTag(rest[at:])
		if !ok { // the engine says so
			writeText(&out, text)
			out.WriteString(rest[at:])
			return out.String()
		}
		writeText(&out, tag.inFront(text, begins))
		rest, begins = tag.behind(behind)
		if tag.kind != '%' || strings.TrimSpace(tag.body) != "raw" {
			out.WriteString(tag.text())
			continue
		}
		if tag.last != '-' { // a newline behind it stays
			rest, begins = behind, false
		}
		m := endOfRaw.FindStringSubmatchIndex(rest)
		if m == nil {
			out.WriteString("{% raw %}" + rest)
			return out.String()
		}
		sign := func(i int) byte {
			if m[i] < m[i+1] {
				return rest[m[i]]
			}
			return 0
		}
		end := tag
		end.first, end.last = sign(2), sign(4)
		writeText(&out, end.inFront(rest[:m[0]], begins))
		rest, begins = end.behind(rest[m[1]:])
	}
}

var endOfRaw = regexp.MustCompile(`\{%([-+]?)\s*endraw\s*([-+]?)%\}`)

// tagBegin is where the first tag of a text begins, -1 without one.
func tagBegin(text string) int {
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '{' && strings.IndexByte("{%#", text[i+1]) >= 0 {
			return i
		}
	}
	return -1
}

// writeText writes a text as a literal.
func writeText(out *strings.Builder, text string) {
	if text != "" {
		out.WriteString(`{{ "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `" }}`)
	}
}

// asJSON is the filter in whose place [toJSON] is.
var asJSON = regexp.MustCompile(`^\|\s*tojson\b`)

// templateTag is what stands between braces.
type templateTag struct {
	kind        byte // '{' of an expression, '%' of a block, '#' of a comment
	body        string
	first, last byte // minus or plus at the ends, or 0
}

// text is the tag without its signs.
func (t *templateTag) text() string {
	end := string(t.kind) + "}"
	if t.kind == '{' {
		end = "}}"
	}
	return "{" + string(t.kind) + " " + t.body + " " + end
}

// inFront is what stays of the text in front of the tag.
func (t *templateTag) inFront(text string, begins bool) string {
	switch {
	case t.first == '-':
		return strings.TrimRightFunc(text, unicode.IsSpace)
	case t.first == '+' || t.kind == '{':
		return text
	}
	line := strings.LastIndexByte(text, '\n') + 1
	if (line > 0 || begins) && strings.TrimSpace(text[line:]) == "" {
		return text[:line]
	}
	return text
}

// behind is what stays of the text behind the tag, and whether it begins a line.
func (t *templateTag) behind(text string) (rest string, begins bool) {
	switch {
	case t.last == '-':
		rest = strings.TrimLeftFunc(text, unicode.IsSpace)
	case t.last == '+' || t.kind == '{':
		return text, false
	default:
		rest = strings.TrimPrefix(text, "\n")
	}
	taken := text[:len(text)-len(rest)]
	return rest, strings.HasSuffix(taken, "\n")
}

// scanTag reads the tag that a text begins with. It ends where no bracket is open.
func scanTag(text string) (t *templateTag, behind string, ok bool) {
	t = &templateTag{kind: text[1]}
	end := t.kind
	if end == '{' {
		end = '}'
	}
	i := 2
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		t.first = text[i]
		i++
	}
	var body strings.Builder
	open := 0
	for ; i < len(text); i++ {
		c := text[i]
		closes := open == 0 && i+1 < len(text)
		switch {
		case closes && c == end && text[i+1] == '}':
			t.body = body.String()
			return t, text[i+2:], true
		case closes && (c == '-' || c == '+' && t.kind != '{') && strings.HasPrefix(text[i+1:], string(end)+"}"):
			t.body, t.last = body.String(), c
			return t, text[i+3:], true
		case t.kind == '#':
		case c == '\'' || c == '"':
			literal, n := unescaped(text[i:])
			body.WriteString(literal)
			i += n - 1
			continue
		case c == '|' && asJSON.MatchString(text[i:]):
			body.WriteString("| " + jsonFilter)
			i += len(asJSON.FindString(text[i:])) - 1
			continue
		case strings.IndexByte("([{", c) >= 0:
			open++
		case strings.IndexByte(")]}", c) >= 0:
			open--
			body.WriteByte(' ') // the engine takes two braces for the end
		}
		body.WriteByte(c)
	}
	return nil, "", false
}

// unescaped is the literal that a text begins with, with characters for the escapes that the engine does not know, and
// the length in the text.
func unescaped(text string) (literal string, length int) {
	var out strings.Builder
	quote := text[0]
	out.WriteByte(quote)
	i := 1
	for i < len(text) && text[i] != quote {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			i++
			continue
		}
		if strings.IndexByte("abfrvxuU", text[i+1]) >= 0 {
			if r, _, rest, err := strconv.UnquoteChar(text[i:], 0); err == nil {
				if r == '\\' || r == rune(quote) {
					out.WriteByte('\\')
				}
				out.WriteRune(r)
				i = len(text) - len(rest)
				continue
			}
		}
		out.WriteString(text[i : i+2])
		i += 2
	}
	if i < len(text) {
		out.WriteByte(quote)
		i++
	}
	return out.String(), i
}
