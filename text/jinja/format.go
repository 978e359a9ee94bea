package jinja

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// style is how one value is formatted.
type style struct {
	fill             string
	align            byte // < > ^ or =; 0 for the alignment of the type
	sign             byte // + or space, 0 for none of positive numbers
	alternate, comma bool
	width, precision int  // the precision is -1 without one
	verb             byte // 0 without one
}

// printf is Python's operator % of a string, for values in a tuple, one value, or the members of a dict.
func (r *run) printf(format string, values any) string {
	all, isTuple := values.(tuple)
	if !isTuple {
		all = tuple{values}
	}
	used := 0
	next := func() any {
		if used == len(all) {
			r.fail("the format takes more values than there are")
		}
		used++
		return all[used-1]
	}
	named, _ := values.(*dict)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "%")
		b.WriteString(before)
		if !ok {
			break
		}
		if strings.HasPrefix(rest, "%") {
			b.WriteByte('%')
			format = rest[1:]
			continue
		}
		take := next
		if strings.HasPrefix(rest, "(") {
			name, after, ok := strings.Cut(rest[1:], ")")
			if !ok || named == nil {
				r.fail("the format names a value, and there is no dict")
			}
			rest = after
			take = func() any {
				v, ok := named.get(name)
				if !ok {
					r.fail("there is no value named %s", name)
				}
				return v
			}
		}
		var st style
		st, format = r.specification(rest, take)
		b.WriteString(r.printfValue(st, take()))
	}
	if used < len(all) && named == nil && (isTuple || used == 0) {
		r.fail("the format takes %d values, and %d are given", used, len(all))
	}
	return b.String()
}

// specification reads flags, width, precision and verb at the beginning of a format, and returns what is behind them.
func (r *run) specification(rest string, take func() any) (style, string) {
	st := style{fill: " ", align: '>', precision: -1}
	for ; rest != "" && strings.IndexByte("-+ 0#", rest[0]) >= 0; rest = rest[1:] {
		switch rest[0] {
		case '-':
			st.align = '<'
		case '0':
			st.fill = "0"
		case '#':
			st.alternate = true
		default:
			st.sign = rest[0]
		}
	}
	number := func() int { // 0 if there is none
		if strings.HasPrefix(rest, "*") {
			rest = rest[1:]
			return r.wantInteger("%", take())
		}
		n := digits(rest, isDigit)
		i, _ := strconv.Atoi(rest[:min(n, 9)])
		rest = rest[n:]
		return i
	}
	st.width = number()
	if strings.HasPrefix(rest, ".") {
		rest = rest[1:]
		st.precision = number()
	}
	if rest == "" {
		r.fail("the format ends within %%")
	}
	st.verb = rest[0]
	return st, rest[1:]
}

func (r *run) printfValue(st style, v any) string {
	if st.fill == "0" && st.align == '>' && st.verb != 's' && st.verb != 'r' {
		st.align = '='
	} else {
		st.fill = " "
	}
	switch st.verb {
	case 's':
		return r.padded(st, cut(r.text(v), st.precision))
	case 'r':
		return r.padded(st, cut(r.literal(v), st.precision))
	case 'd', 'i', 'u':
		st.verb = 'd'
		if f, ok := v.(float64); ok {
			v = int64(f)
		}
	case 'x', 'X', 'o', 'e', 'E', 'f', 'F', 'g', 'G':
	default:
		r.fail("the format %%%c is not supported", st.verb)
	}
	return r.formatNumber(st, v)
}

// cut is the beginning of a text.
func cut(s string, characters int) string {
	if chars := []rune(s); characters >= 0 && characters < len(chars) {
		return string(chars[:characters])
	}
	return s
}

func (r *run) padded(st style, s string) string {
	missing := st.width - utf8.RuneCountInString(s)
	if missing <= 0 {
		return s
	}
	r.spend(missing / 16)
	before := missing
	switch st.align {
	case '<':
		before = 0
	case '^':
		before = missing / 2
	case '=':
		sign := len(s) - len(strings.TrimLeft(s, "+- "))
		return s[:sign] + strings.Repeat(st.fill, missing) + s[sign:]
	}
	return strings.Repeat(st.fill, before) + s + strings.Repeat(st.fill, missing-before)
}

func (r *run) formatNumber(st style, v any) string {
	i, isInt := integer(v)
	f, ok := number(v)
	if !ok {
		r.fail("the format %c is for numbers, and this is a %s", st.verb, typeName(v))
	}
	if st.alternate || st.precision > 500 {
		r.fail("the format # and precisions beyond 500 are not supported")
	}
	var s string
	verb := st.verb | ' '
	switch {
	case verb == 'd' || verb == 'x' || verb == 'o' || verb == 'b':
		if !isInt {
			r.fail("the format %c is for integers, and this is a %s", st.verb, typeName(v))
		}
		s = strconv.FormatInt(i, map[byte]int{'d': 10, 'x': 16, 'o': 8, 'b': 2}[verb])
	case verb == '%':
		s = strconv.FormatFloat(f*100, 'f', precisionOr(st.precision, 6), 64) + "%"
	case math.IsInf(f, 0) || math.IsNaN(f):
		s = floatText(f)
	case verb == 'g':
		s = generalFloat(f, precisionOr(st.precision, 6))
	default:
		s = strconv.FormatFloat(f, verb, precisionOr(st.precision, 6), 64)
	}
	if st.verb >= 'A' && st.verb <= 'Z' {
		s = strings.ToUpper(s)
	}
	if st.comma {
		s = withCommas(s)
	}
	if st.sign != 0 && !strings.HasPrefix(s, "-") {
		s = string(st.sign) + s
	}
	return r.padded(st, s)
}

func precisionOr(p, missing int) int {
	if p < 0 {
		return missing
	}
	return p
}

// generalFloat is C's %g.
func generalFloat(f float64, precision int) string {
	precision = max(precision, 1)
	s := strconv.FormatFloat(f, 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			return strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	e, _ := strconv.Atoi(exponent)
	if e < -4 || e >= precision {
		return trim(mantissa) + "e" + exponent
	}
	return trim(strconv.FormatFloat(f, 'f', precision-1-e, 64))
}

func withCommas(s string) string {
	begin := len(s) - len(strings.TrimLeft(s, "-"))
	end := begin + digits(s[begin:], isDigit)
	whole := s[begin:end]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return s[:begin] + whole + s[end:]
}

// format is Python's str.format.
func (r *run) format(s string, a *given) string {
	var b strings.Builder
	next := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '{' && c != '}' {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(s) && s[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		end := strings.IndexByte(s[i:], '}')
		if c == '}' || end < 0 {
			r.fail("format: a single %c", c)
		}
		field := s[i+1 : i+end]
		i += end
		name, spec, _ := strings.Cut(field, ":")
		name, conversion, converts := strings.Cut(name, "!")
		if strings.ContainsRune(spec, '{') {
			r.fail("format: fields within fields are not supported")
		}
		v := r.field(name, &next, a)
		switch {
		case conversion == "s":
			v = r.text(v)
		case conversion == "r":
			v = r.literal(v)
		case converts:
			r.fail("format: the conversion !%s is not supported", conversion)
		}
		b.WriteString(r.formatValue(v, spec))
	}
	return b.String()
}

// field is the value that a field of str.format names, such as 0.name or user[key].
func (r *run) field(name string, next *int, a *given) any {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	first, rest := name[:end], name[end:]
	var v any
	if i, err := strconv.Atoi(first); err == nil || first == "" {
		if first == "" {
			i = *next
			*next++
		} else if *next > 0 {
			r.fail("format: numbered fields are beside fields without a number")
		}
		if i < 0 || i >= len(a.positional) {
			r.fail("format: there is no argument %d", i)
		}
		v = a.positional[i]
	} else if named, ok := a.named.get(first); ok {
		v = named
	} else {
		r.fail("format: there is no argument %s", first)
	}
	for rest != "" {
		if after, ok := strings.CutPrefix(rest, "["); ok {
			key, after, ok := strings.Cut(after, "]")
			if !ok {
				r.fail("format: ] is missing")
			}
			var index any = key
			if i, err := strconv.ParseInt(key, 10, 64); err == nil {
				index = i
			}
			v, rest = r.item(v, index), after
			continue
		}
		rest = rest[1:]
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		v, rest = r.attribute(v, rest[:end]), rest[end:]
	}
	if u, missing := v.(undefined); missing {
		r.fail("format: %s", u.why)
	}
	return v
}

// formatValue writes a value by a specification, such as >10 or ,.2f.
func (r *run) formatValue(v any, spec string) string {
	if spec == "" {
		return r.text(v)
	}
	st := style{fill: " ", precision: -1}
	chars := []rune(spec)
	if len(chars) > 1 && strings.ContainsRune("<>^=", chars[1]) {
		st.fill, st.align, spec = string(chars[0]), byte(chars[1]), string(chars[2:])
	} else if strings.IndexByte("<>^=", spec[0]) >= 0 {
		st.align, spec = spec[0], spec[1:]
	}
	if spec != "" && strings.IndexByte("+- ", spec[0]) >= 0 {
		if spec[0] != '-' {
			st.sign = spec[0]
		}
		spec = spec[1:]
	}
	if strings.HasPrefix(spec, "0") && st.align == 0 {
		st.fill, st.align = "0", '='
	}
	n := digits(spec, isDigit)
	st.width, _ = strconv.Atoi(spec[:min(n, 9)])
	if spec = spec[n:]; strings.HasPrefix(spec, ",") {
		st.comma, spec = true, spec[1:]
	}
	if strings.HasPrefix(spec, ".") {
		n := digits(spec[1:], isDigit)
		st.precision, _ = strconv.Atoi(spec[1:][:min(n, 9)])
		spec = spec[1+n:]
	}
	if len(spec) > 1 || spec != "" && strings.IndexByte("sdxXobeEfFgG%", spec[0]) < 0 {
		r.fail("format: the specification %s is not supported", spec)
	}
	if spec != "" {
		st.verb = spec[0]
	}
	if s, ok := stringOf(v); ok {
		if st.verb != 0 && st.verb != 's' || st.align == '=' && st.fill != "0" {
			r.fail("format: %q is for numbers", spec)
		}
		if st.align == 0 || st.align == '=' {
			st.align = '<'
		}
		return r.padded(st, cut(s, st.precision))
	}
	if st.align == 0 {
		st.align = '>'
	}
	_, isFloat := v.(float64)
	if _, ok := v.(int64); !ok && !isFloat {
		r.fail("format: a specification for a %s is not supported", typeName(v))
	}
	if st.verb == 0 {
		if isFloat && st.precision >= 0 {
			r.fail("format: a precision without a letter is not supported")
		}
		if st.verb = 'd'; isFloat {
			text := floatText(v.(float64))
			if st.comma {
				text = withCommas(text)
			}
			if st.sign != 0 && !strings.HasPrefix(text, "-") {
				text = string(st.sign) + text
			}
			return r.padded(st, text)
		}
	}
	return r.formatNumber(st, v)
}
