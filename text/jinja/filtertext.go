package jinja

import (
	"strings"
	"unicode"
)

func stringFilter(r *run, a []any, _ *given) any {
	if m, ok := a[0].(markup); ok {
		return m
	}
	return r.text(a[0])
}

func escapeFilter(r *run, a []any, _ *given) any {
	if m, ok := a[0].(markup); ok {
		return m
	}
	return escaped(r.text(a[0]))
}

// titleFilter has words begin behind spaces, hyphens and opening brackets.
func titleFilter(r *run, a []any, _ *given) any {
	var b strings.Builder
	rest := r.text(a[0])
	isEdge := func(c rune) bool { return isSpace(c) || strings.ContainsRune("-({[<", c) }
	for rest != "" {
		edge := strings.IndexFunc(rest, isEdge)
		if edge < 0 {
			edge = len(rest)
		}
		b.WriteString(capitalized(rest[:edge], upper))
		rest = rest[edge:]
		word := strings.IndexFunc(rest, func(c rune) bool { return !isEdge(c) })
		if word < 0 {
			word = len(rest)
		}
		b.WriteString(rest[:word])
		rest = rest[word:]
	}
	return b.String()
}

func replaceFilter(r *run, a []any, _ *given) any {
	n := -1
	if a[3] != nil {
		n = r.wantInteger("replace", a[3])
	}
	return r.replaced(r.text(a[0]), r.text(a[1]), r.text(a[2]), n)
}

func formatFilter(r *run, a []any, more *given) any {
	if len(more.named.keys) == 0 {
		return r.printf(r.text(a[0]), tuple(more.positional))
	}
	if len(more.positional) > 0 {
		r.fail("format: arguments with names and without are given")
	}
	return r.printf(r.text(a[0]), more.named)
}

// indentFilter indents lines but the first one and those without text, unless the arguments say otherwise.
func indentFilter(r *run, a []any, _ *given) any {
	by, ok := stringOf(a[1])
	if !ok {
		v, _ := r.repeated(" ", int64(r.wantInteger("indent", a[1])))
		by = v.(string)
	}
	_, safe := a[0].(markup)
	lines := splitLines(r.wantString("indent", a[0])+"\n", false)
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 && truth(a[2]) || i > 0 && (truth(a[3]) || line != "") {
			r.spendText(by)
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	if safe {
		return markup(b.String())
	}
	return b.String()
}

func truncateFilter(r *run, a []any, _ *given) any {
	s := []rune(r.wantString("truncate", a[0]))
	length, end, leeway := r.wantInteger("truncate", a[1]), "...", 5
	if a[3] != nil {
		end = r.wantString("truncate", a[3])
	}
	if a[4] != nil {
		leeway = r.wantInteger("truncate", a[4])
	}
	keep := length - len([]rune(end))
	if keep < 0 || leeway < 0 {
		r.fail("truncate: the length is less than the length of the end, or the leeway is negative")
	}
	if len(s) <= length+leeway {
		return a[0]
	}
	kept := string(s[:keep])
	if i := strings.LastIndexByte(kept, ' '); !truth(a[2]) && i >= 0 {
		kept = kept[:i]
	}
	return kept + end
}

// wordCount counts runs of letters, digits and underscores.
func wordCount(s string) int64 {
	return int64(len(strings.FieldsFunc(s, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsNumber(c) })))
}

func tojsonFilter(r *run, a []any, _ *given) any {
	style := &jsonStyle{ascii: truth(a[1]), sorted: truth(a[4]), lines: a[2] != nil, item: ", ", key: ": "}
	if style.lines {
		style.item = ","
		if s, ok := stringOf(a[2]); ok {
			style.indent = s
		} else {
			style.indent = strings.Repeat(" ", max(0, min(r.wantInteger("tojson", a[2]), 1000)))
		}
	}
	if a[3] != nil {
		pair := r.items(a[3])
		if len(pair) != 2 {
			r.fail("tojson: two separators are wanted")
		}
		style.item, style.key = r.wantString("tojson", pair[0]), r.wantString("tojson", pair[1])
	}
	var b strings.Builder
	r.writeJSON(&b, a[0], style, "\n", 0)
	return b.String()
}
