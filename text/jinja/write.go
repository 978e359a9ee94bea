package jinja

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// text is what {{ v }} writes: Python's str.
func (r *run) text(v any) string {
	if s, ok := stringOf(v); ok {
		r.spendText(s)
		return s
	}
	if _, ok := v.(undefined); ok {
		return ""
	}
	return r.literal(v)
}

// literal is Python's repr.
func (r *run) literal(v any) string {
	var b strings.Builder
	r.writeLiteral(&b, v, 0)
	return b.String()
}

func (r *run) writeLiteral(b *strings.Builder, v any, depth int) {
	r.spend(1)
	if depth > maxDepth {
		r.fail("the value nests more than %d deep", maxDepth)
	}
	sequence := func(begin, end string, items []any) {
		b.WriteString(begin)
		for i, e := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			r.writeLiteral(b, e, depth+1)
		}
		b.WriteString(end)
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case float64:
		b.WriteString(floatText(v))
	case string:
		r.spendText(v)
		writeQuoted(b, v)
	case markup:
		b.WriteString("Markup(")
		writeQuoted(b, string(v))
		b.WriteString(")")
	case list:
		sequence("[", "]", v)
	case tuple:
		if len(v) == 1 {
			sequence("(", ",)", v)
		} else {
			sequence("(", ")", v)
		}
	case *dict:
		b.WriteString("{")
		for i, k := range v.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			r.writeLiteral(b, k, depth+1)
			b.WriteString(": ")
			r.writeLiteral(b, v.values[i], depth+1)
		}
		b.WriteString("}")
	case *view:
		all, _ := items(v)
		sequence("dict_"+v.kind+"([", "])", all)
	case numbers:
		fmt.Fprintf(b, "range(%d, %d", v.start, v.stop)
		if v.step != 1 {
			fmt.Fprintf(b, ", %d", v.step)
		}
		b.WriteString(")")
	case undefined:
		b.WriteString("Undefined")
	case *namespace:
		b.WriteString("<Namespace ")
		r.writeLiteral(b, v.fields, depth+1)
		b.WriteString(">")
	default:
		r.fail("a value of the type %s has no text", typeName(v))
	}
}

// writeQuoted writes a string as Python's repr does.
func writeQuoted(b *strings.Builder, s string) {
	quote := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			fmt.Fprintf(b, `\U%08x`, c)
		}
	}
	b.WriteRune(quote)
}

// jsonStyle is how the filter tojson writes.
type jsonStyle struct {
	ascii, sorted bool
	lines         bool // each member stands in a line of its own
	indent        string
	item, key     string // separators
}

// writeJSON writes as Python's json.dumps does; newline begins the line of the value's end.
func (r *run) writeJSON(b *strings.Builder, v any, style *jsonStyle, newline string, depth int) {
	r.spend(1)
	if depth > maxDepth {
		r.fail("tojson: the value nests more than %d deep", maxDepth)
	}
	inner := newline + style.indent
	sequence := func(begin, end string, n int, write func(i int)) {
		b.WriteString(begin)
		for i := range n {
			if i > 0 {
				b.WriteString(style.item)
			}
			if style.lines {
				b.WriteString(inner)
			}
			write(i)
		}
		if style.lines && n > 0 {
			b.WriteString(newline)
		}
		b.WriteString(end)
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case float64:
		b.WriteString(jsonFloat(v))
	case string, markup:
		s, _ := stringOf(v)
		r.spendText(s)
		writeJSONString(b, s, style.ascii)
	case list:
		sequence("[", "]", len(v), func(i int) { r.writeJSON(b, v[i], style, inner, depth+1) })
	case tuple:
		sequence("[", "]", len(v), func(i int) { r.writeJSON(b, v[i], style, inner, depth+1) })
	case *dict:
		order := make([]int, len(v.keys))
		for i := range order {
			order[i] = i
		}
		if style.sorted {
			slices.SortStableFunc(order, func(i, j int) int { return r.order(v.keys[i], v.keys[j]) })
		}
		sequence("{", "}", len(v.keys), func(i int) {
			i = order[i]
			writeJSONString(b, r.jsonKey(v.keys[i]), style.ascii)
			b.WriteString(style.key)
			r.writeJSON(b, v.values[i], style, inner, depth+1)
		})
	default:
		r.fail("tojson: a value of the type %s is not JSON", typeName(v))
	}
}

func (r *run) jsonKey(k any) string {
	switch k := k.(type) {
	case string:
		return k
	case markup:
		return string(k)
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(k)
	case int64:
		return strconv.FormatInt(k, 10)
	case float64:
		return jsonFloat(k)
	}
	r.fail("tojson: a key of the type %s is not JSON", typeName(k))
	return ""
}

func jsonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return floatText(f)
}

func writeJSONString(b *strings.Builder, s string, ascii bool) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case short[c] != "":
			b.WriteString(short[c])
		case c < 0x20 || ascii && c > 0x7e && c < 0x10000:
			fmt.Fprintf(b, `\u%04x`, c)
		case ascii && c >= 0x10000:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
}
