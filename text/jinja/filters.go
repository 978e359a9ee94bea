package jinja

import (
	"maps"
	"strings"
)

// filter is v|name(...).
func (r *run) filter(e *filter, v any, s *scope) any {
	a := r.given(&e.arguments, s)
	r.at = e.position
	return r.applyFilter(e.name, v, a)
}

func (r *run) applyFilter(name string, v any, a *given) any {
	b, ok := filters[name]
	if !ok {
		if strings.Contains(" filesizeformat pprint random striptags urlize urlencode wordwrap xmlattr ", " "+name+" ") {
			r.fail("the filter %s is not supported", name)
		}
		r.fail("there is no filter named %s", name)
	}
	return b.call(r, []any{v}, a)
}

var filters map[string]*builtin

func init() {
	// text makes a filter of a method of strings, which takes the text of any value.
	text := func(method string) func(*run, []any, *given) any {
		return func(r *run, a []any, _ *given) any {
			return stringMethods[method].call(r, []any{r.text(a[0])}, &given{positional: a[1:], named: newDict()})
		}
	}
	filters = builtins(map[string]func(r *run, a []any, more *given) any{
		"upper value":                              text("upper"),
		"lower value":                              text("lower"),
		"capitalize value":                         text("capitalize"),
		"trim value chars=none":                    text("strip"),
		"center value width=80":                    text("center"),
		"title value":                              titleFilter,
		"string value":                             stringFilter,
		"replace s old new count=none":             replaceFilter,
		"format value * **":                        formatFilter,
		"indent s width=4 first=false blank=false": indentFilter,
		"truncate s length=255 killwords=false end=none leeway=none": truncateFilter,
		"wordcount value": func(r *run, a []any, _ *given) any { return wordCount(r.text(a[0])) },
		"tojson x ensure_ascii=false indent=none separators=none sort_keys=false": tojsonFilter,
		"safe value":        func(r *run, a []any, _ *given) any { return markup(r.text(a[0])) },
		"escape value":      escapeFilter,
		"e value":           escapeFilter,
		"forceescape value": func(r *run, a []any, _ *given) any { return escaped(r.text(a[0])) },

		"abs value": func(r *run, a []any, _ *given) any {
			if r.wantNumber("abs", a[0]) < 0 {
				return r.unary("-", a[0])
			}
			return r.unary("+", a[0])
		},
		"int value default=0 base=10":         intFilter,
		"float value default=none":            floatFilter,
		"round value precision=0 method=none": roundFilter,

		"default value default_value='' boolean=false": defaultFilter,
		"d value default_value='' boolean=false":       defaultFilter,
		"attr obj name": func(r *run, a []any, _ *given) any {
			name := r.wantString("attr", a[1])
			if v, ok := r.own(a[0], name); ok {
				return v
			}
			return r.missing(a[0], name)
		},
	})
	maps.Copy(filters, sequenceFilters())
}

func defaultFilter(_ *run, a []any, _ *given) any {
	if _, missing := a[0].(undefined); missing || truth(a[2]) && !truth(a[0]) {
		return a[1]
	}
	return a[0]
}
