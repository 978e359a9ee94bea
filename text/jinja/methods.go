package jinja

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// refused are the attributes that Python's types have and this package has not.
var refused = map[string]string{
	"str":       " encode expandtabs format_map istitle maketrans swapcase translate casefold isidentifier isdecimal isnumeric isprintable ",
	"int":       " as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes ",
	"float":     " as_integer_ratio conjugate fromhex hex imag is_integer real ",
	"dict":      " fromkeys ",
	"tuple":     " grouper list ", // of groupby
	"Markup":    " ",
	"generator": " close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw ",
	"range":     " count index start step stop ",
}

// method is a method of a value, ready to be called.
func (r *run) method(v any, kind, name string) (any, bool) {
	of := v
	var table map[string]*builtin
	switch v := v.(type) {
	case string:
		table = stringMethods
	case markup:
		if _, ok := stringMethods[name]; ok || strings.Contains(refused["str"], " "+name+" ") {
			r.fail("the method %s of Markup is not supported", name)
		}
	case list:
		table = listMethods
	case tuple:
		table, of = tupleMethods, list(v)
	case *dict:
		table = dictMethods
	case bool:
		kind = "int"
	}
	if b, ok := table[name]; ok {
		return &function{name: name, call: func(r *run, a *given) any { return b.call(r, []any{of}, a) }}, true
	}
	if strings.Contains(refused[kind], " "+name+" ") {
		r.fail("the attribute %s of a %s is not supported", name, kind)
	}
	return nil, false
}

var stringMethods, listMethods, tupleMethods, dictMethods map[string]*builtin

func init() {
	listMethods = builtins(map[string]func(r *run, a []any, more *given) any{
		"count l value": func(r *run, a []any, _ *given) any {
			n := int64(0)
			for _, v := range r.items(a[0]) {
				if r.equal(v, a[1]) {
					n++
				}
			}
			return n
		},
		"index l value start=0 stop=none": func(r *run, a []any, _ *given) any {
			all := r.items(a[0])
			begin, end := r.span(len(all), a[2], a[3])
			for i := begin; i < end; i++ {
				if r.equal(all[i], a[1]) {
					return int64(i)
				}
			}
			r.fail("index: the value is not in the list")
			return nil
		},
		"copy l": func(_ *run, a []any, _ *given) any { return slices.Clone(a[0].(list)) },
	})
	tupleMethods = map[string]*builtin{"count": listMethods["count"], "index": listMethods["index"]}
	views := func(kind string) func(*run, []any, *given) any {
		return func(_ *run, a []any, _ *given) any { return &view{a[0].(*dict), kind} }
	}
	dictMethods = builtins(map[string]func(r *run, a []any, more *given) any{
		"keys d":   views("keys"),
		"values d": views("values"),
		"items d":  views("items"),
		"copy d":   func(r *run, a []any, _ *given) any { return r.dictOf("copy", &given{positional: a, named: newDict()}) },
		"get d key default=none": func(r *run, a []any, _ *given) any {
			if v, ok := a[0].(*dict).get(a[1]); ok {
				return v
			}
			return a[2]
		},
	})
	stringMethods = builtins(methodsOfStrings())
}

// span is the part of a sequence that the arguments start and stop say.
func (r *run) span(n int, start, stop any) (begin, end int) {
	place := func(v any, missing int) int {
		if v == nil {
			return missing
		}
		i := r.wantInteger("start or stop", v)
		if i < 0 {
			i += n
		}
		return max(0, min(i, n))
	}
	return place(start, 0), place(stop, n)
}

// changer is a method that changes the text alone.
func changer(change func(string) string) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		s := r.text(a[0])
		return change(s)
	}
}

// every is a method that reports whether a text has characters and all of them are of a kind.
func every(is func(c rune) bool) func(*run, []any, *given) any {
	return func(_ *run, a []any, _ *given) any {
		return a[0] != "" && strings.IndexFunc(a[0].(string), func(c rune) bool { return !is(c) }) < 0
	}
}

// stripped is a method that removes spaces, or characters that it is given, from the ends of a text.
func stripped(name string, strip func(string, func(rune) bool) string) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		if a[1] == nil {
			return strip(a[0].(string), isSpace)
		}
		among := r.wantString(name, a[1])
		return strip(a[0].(string), func(c rune) bool { return strings.ContainsRune(among, c) })
	}
}

// affix is a method that reports how a part of a text begins or ends.
func affix(name string, has func(string, string) bool) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		chars := []rune(a[0].(string))
		begin, end := r.span(len(chars), a[2], a[3])
		part := string(chars[begin:max(begin, end)])
		if among, ok := a[1].(tuple); ok {
			return slices.ContainsFunc(among, func(v any) bool { return has(part, r.wantString(name, v)) })
		}
		return has(part, r.wantString(name, a[1]))
	}
}

// finder is a method that returns the first or last place of one text in a part of another. Where there is none, the
// method fails if must is set, and returns -1 otherwise.
func finder(name string, last, must bool) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		chars := []rune(a[0].(string))
		begin, end := r.span(len(chars), a[2], a[3])
		part, want := string(chars[begin:max(begin, end)]), r.wantString(name, a[1])
		at := strings.Index(part, want)
		if last {
			at = strings.LastIndex(part, want)
		}
		if at < 0 && must {
			r.fail("%s: the text is not found", name)
		}
		if at < 0 {
			return int64(-1)
		}
		return int64(begin + utf8.RuneCountInString(part[:at]))
	}
}

// padded is a method that fills a text up to a width, on the left, on the right or on both sides.
func padded(name string, left, right bool) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		s, fill := a[0].(string), " "
		if a[2] != nil {
			fill = r.wantString(name, a[2])
		}
		if utf8.RuneCountInString(fill) != 1 {
			r.fail("%s: one character is wanted to fill with", name)
		}
		width := r.wantInteger(name, a[1])
		missing := max(0, width-utf8.RuneCountInString(s))
		r.spend(missing / 16)
		before := missing
		if left && right {
			before = missing/2 + missing&width&1
		} else if !left {
			before = 0
		}
		return strings.Repeat(fill, before) + s + strings.Repeat(fill, missing-before)
	}
}

// parted is a method that divides a text at the first separator, or at the last.
func parted(name string, last bool) func(*run, []any, *given) any {
	return func(r *run, a []any, _ *given) any {
		s, by := a[0].(string), r.wantString(name, a[1])
		if by == "" {
			r.fail("%s: the separator is empty", name)
		}
		at := strings.Index(s, by)
		if last {
			at = strings.LastIndex(s, by)
		}
		switch {
		case at >= 0:
			return tuple{s[:at], by, s[at+len(by):]}
		case last:
			return tuple{"", "", s}
		}
		return tuple{s, "", ""}
	}
}

func methodsOfStrings() map[string]func(r *run, a []any, more *given) any {
	return map[string]func(r *run, a []any, more *given) any{
		"upper s":      changer(upper),
		"lower s":      changer(lower),
		"title s":      changer(titled),
		"capitalize s": changer(func(s string) string { return capitalized(s, title) }),
		"isalpha s":    every(unicode.IsLetter),
		"isdigit s":    every(unicode.IsDigit),
		"isalnum s":    every(func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }),
		"isspace s":    every(isSpace),
		"isascii s": func(_ *run, a []any, _ *given) any {
			return strings.IndexFunc(a[0].(string), func(c rune) bool { return c > 127 }) < 0
		},
		"islower s": func(r *run, a []any, _ *given) any { return r.test("lower", a[0], &given{named: newDict()}) },
		"isupper s": func(r *run, a []any, _ *given) any { return r.test("upper", a[0], &given{named: newDict()}) },

		"strip s chars=none":                      stripped("strip", strings.TrimFunc),
		"lstrip s chars=none":                     stripped("lstrip", strings.TrimLeftFunc),
		"rstrip s chars=none":                     stripped("rstrip", strings.TrimRightFunc),
		"startswith s prefix start=none end=none": affix("startswith", strings.HasPrefix),
		"endswith s suffix start=none end=none":   affix("endswith", strings.HasSuffix),
		"find s sub start=none end=none":          finder("find", false, false),
		"rfind s sub start=none end=none":         finder("rfind", true, false),
		"index s sub start=none end=none":         finder("index", false, true),
		"rindex s sub start=none end=none":        finder("rindex", true, true),
		"partition s sep":                         parted("partition", false),
		"rpartition s sep":                        parted("rpartition", true),
		"ljust s width fillchar=none":             padded("ljust", false, true),
		"rjust s width fillchar=none":             padded("rjust", true, false),
		"center s width fillchar=none":            padded("center", true, true),
		"count s sub start=none end=none": func(r *run, a []any, _ *given) any {
			chars := []rune(a[0].(string))
			begin, end := r.span(len(chars), a[2], a[3])
			if end < begin {
				return int64(0)
			}
			return int64(strings.Count(string(chars[begin:end]), r.wantString("count", a[1])))
		},
		"removeprefix s prefix":         without("removeprefix", strings.TrimPrefix),
		"removesuffix s suffix":         without("removesuffix", strings.TrimSuffix),
		"split s sep=none maxsplit=-1":  splitter("split", false),
		"rsplit s sep=none maxsplit=-1": splitter("rsplit", true),
		"replace s old new count=-1": func(r *run, a []any, _ *given) any {
			return r.replaced(a[0].(string), r.wantString("replace", a[1]), r.wantString("replace", a[2]), r.wantInteger("replace", a[3]))
		},
		"join s iterable": func(r *run, a []any, _ *given) any { return r.joinedBy(a[0].(string), r.items(a[1])) },
		"zfill s width":   func(r *run, a []any, _ *given) any { return r.zeros(a[0].(string), r.wantInteger("zfill", a[1])) },
		"splitlines s keepends=false": func(r *run, a []any, _ *given) any {
			lines := list{}
			for _, l := range splitLines(a[0].(string), truth(a[1])) {
				lines = append(lines, l)
			}
			r.spend(len(lines))
			return lines
		},
		"format s * **": func(r *run, a []any, more *given) any { return r.format(a[0].(string), more) },
	}
}

func without(name string, trim func(s, affix string) string) func(r *run, a []any, _ *given) any {
	return func(r *run, a []any, _ *given) any { return trim(a[0].(string), r.wantString(name, a[1])) }
}

func splitter(name string, fromRight bool) func(r *run, a []any, _ *given) any {
	return func(r *run, a []any, _ *given) any {
		return r.split(a[0].(string), a[1], r.wantInteger(name, a[2]), fromRight)
	}
}

func (r *run) joinedBy(between string, items []any) string {
	var b strings.Builder
	for i, v := range items {
		if i > 0 {
			r.spendText(between)
			b.WriteString(between)
		}
		b.WriteString(r.text(r.wantString("join", v)))
	}
	return b.String()
}

// zeros puts zeros between the sign and the digits of a number.
func (r *run) zeros(s string, width int) string {
	missing, sign := max(0, width-utf8.RuneCountInString(s)), 0
	r.spend(missing / 16)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign = 1
	}
	return s[:sign] + strings.Repeat("0", missing) + s[sign:]
}
