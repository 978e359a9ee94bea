package jinja

import (
	"strings"
	"time"
)

// maxRange is how many numbers range returns at most, as in Jinja2's sandbox.
const maxRange = 100_000

// globals are the functions that every template has.
var globals = map[string]any{}

func init() {
	for name, b := range builtins(map[string]func(r *run, a []any, more *given) any{
		"range a b=none step=1":   makeRange,
		"namespace * **":          makeNamespace,
		"dict * **":               func(r *run, _ []any, more *given) any { return r.dictOf("dict", more) },
		"raise_exception message": func(r *run, a []any, _ *given) any { r.fail("%s", r.text(a[0])); return nil },
		"strftime_now format": func(r *run, a []any, _ *given) any {
			return r.formatTime(r.now(), r.wantString("strftime_now", a[0]))
		},
		"cycler *":        makeCycler,
		"joiner sep=none": makeJoiner,
	}) {
		globals[name] = &function{name: name, call: func(r *run, a *given) any { return b.call(r, nil, a) }}
	}
}

func makeRange(r *run, a []any, _ *given) any {
	n := numbers{0, int64(r.wantInteger("range", a[0])), int64(r.wantInteger("range", a[2]))}
	if a[1] != nil {
		n.start, n.stop = n.stop, int64(r.wantInteger("range", a[1]))
	}
	if n.step == 0 {
		r.fail("range: the step is 0")
	}
	if n.length() > maxRange {
		r.fail("range: %d numbers are more than %d", n.length(), maxRange)
	}
	return n
}

// dictOf is a dict of another dict or of pairs, and of named arguments.
func (r *run) dictOf(of string, a *given) *dict {
	d := newDict()
	if len(a.positional) > 1 {
		r.fail("%s takes one argument without a name", of)
	}
	for _, from := range a.positional {
		var all []any
		if other, ok := from.(*dict); ok {
			all = other.pairs()
		} else {
			all = r.items(from)
		}
		for _, p := range all {
			pair := r.items(p)
			if len(pair) != 2 || !d.put(pair[0], pair[1]) {
				r.fail("%s: pairs of a key and a value are wanted", of)
			}
		}
	}
	for i, k := range a.named.keys {
		d.put(k, a.named.values[i])
	}
	return d
}

func makeNamespace(r *run, _ []any, more *given) any {
	return &namespace{r.dictOf("namespace", more)}
}

func makeCycler(r *run, _ []any, more *given) any {
	all, at := more.positional, 0
	if len(all) == 0 {
		r.fail("cycler: there is nothing to cycle through")
	}
	methods := map[string]func() any{
		"next":  func() any { v := all[at]; at = (at + 1) % len(all); return v },
		"reset": func() any { at = 0; return nil },
	}
	return &object{"Cycler", func(name string) (any, bool) {
		if name == "current" {
			return all[at], true
		}
		m, ok := methods[name]
		return &function{name: name, call: func(*run, *given) any { return m() }}, ok
	}}
}

func makeJoiner(r *run, a []any, _ *given) any {
	used, separator := false, a[0]
	if separator == nil {
		separator = ", "
	}
	return &function{name: "joiner", call: func(*run, *given) any {
		if !used {
			used = true
			return ""
		}
		return separator
	}}
}

// formatTime writes a time by the directives of C's strftime, in English.
func (r *run) formatTime(t time.Time, format string) string {
	layouts := map[byte]string{'d': "02", 'm': "01", 'Y': "2006", 'y': "06", 'B': "January", 'b': "Jan", 'h': "Jan", 'A': "Monday", 'a': "Mon", 'H': "15",
		'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'j': "002", 'e': "_2", 'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06",
		'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'X': "15:04:05"}
	plain := map[string]string{"%%": "%", "%n": "\n", "%t": "\t", "%z": "", "%Z": ""} // the time has no zone
	unpadded := map[byte]string{'d': "2", 'm': "1", 'I': "3", 'M': "4", 'S': "5"}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		if i++; i == len(format) {
			b.WriteByte('%')
			break
		}
		layout, ok := layouts[format[i]]
		if format[i] == '-' && i+1 < len(format) {
			i++
			layout, ok = unpadded[format[i]]
			if format[i] == 'H' {
				layout, ok = strings.TrimPrefix(t.Format("15"), "0"), true
				if layout == "" {
					layout = "0"
				}
			}
		}
		if text, is := plain[format[i-1:i+1]]; is {
			b.WriteString(text)
		} else if ok {
			b.WriteString(t.Format(layout))
		} else {
			r.fail("strftime_now: the directive %%%c is not supported", format[i])
		}
	}
	return b.String()
}
