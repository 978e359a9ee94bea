package jinja

import (
	"strconv"
	"strings"
)

// given are the arguments of a call.
type given struct {
	positional []any
	named      *dict
}

// given evaluates the arguments of a call.
func (r *run) given(e *arguments, s *scope) *given {
	a := &given{positional: r.all(e.positional, s), named: newDict()}
	for i, n := range e.names {
		a.put(r, n, r.evaluate(e.named[i], s))
	}
	if e.rest != nil {
		v := r.evaluate(e.rest, s)
		r.at = e.rest.pos()
		a.positional = append(a.positional, r.items(v)...)
	}
	if e.restNamed != nil {
		d, ok := r.evaluate(e.restNamed, s).(*dict)
		if r.at = e.restNamed.pos(); !ok {
			r.fail("a dict is wanted behind **")
		}
		for i, k := range d.keys {
			n, ok := k.(string)
			if !ok {
				r.fail("the names of arguments are strings, and %s is none", r.literal(k))
			}
			a.put(r, n, d.values[i])
		}
	}
	return a
}

func (a *given) put(r *run, name string, v any) {
	if _, has := a.named.get(name); has {
		r.fail("the argument %s is given twice", name)
	}
	a.named.put(name, v)
}

// take is a named argument, which is removed.
func (a *given) take(name string) (any, bool) {
	v, ok := a.named.get(name)
	if !ok {
		return nil, false
	}
	rest := newDict()
	for i, k := range a.named.keys {
		if k != name {
			rest.put(k, a.named.values[i])
		}
	}
	a.named = rest
	return v, true
}

// one is the only argument.
func (a *given) one(r *run, of string) any {
	if len(a.positional) != 1 || len(a.named.keys) > 0 {
		r.fail("%s takes one argument", of)
	}
	return a.positional[0]
}

// call calls a value.
func (r *run) call(f any, a *given) any {
	switch f := f.(type) {
	case *function:
		defer r.enter()()
		return f.call(r, a)
	case undefined:
		r.fail("%s, so it cannot be called", f.why)
	}
	r.fail("a %s cannot be called", typeName(f))
	return nil
}

// builtin is a filter, test, method or function that is written in Go.
type builtin struct {
	name   string
	params []param
	rest   bool // takes more arguments without names
	named  bool // takes more arguments with names
	run    func(r *run, a []any, more *given) any
}

type param struct {
	name  string
	value any
	must  bool
}

// builtins makes a table of functions by their signatures, such as "replace old new count=none". Words behind the name
// are parameters; * takes the rest, and ** names that are no parameters.
func builtins(of map[string]func(r *run, a []any, more *given) any) map[string]*builtin {
	table := map[string]*builtin{}
	for signature, run := range of {
		words := strings.Fields(signature)
		b := &builtin{name: words[0], run: run}
		for _, w := range words[1:] {
			switch name, value, has := strings.Cut(w, "="); {
			case w == "*":
				b.rest = true
			case w == "**":
				b.named = true
			default:
				p := param{name, value, !has}
				if value == "''" {
					p.value = ""
				} else if v, ok := literals[value]; ok {
					p.value = v
				} else if i, err := strconv.ParseInt(value, 10, 64); err == nil {
					p.value = i
				}
				b.params = append(b.params, p)
			}
		}
		table[b.name] = b
	}
	return table
}

// call binds arguments to parameters and runs the function. The first parameters get values.
func (b *builtin) call(r *run, values []any, a *given) any {
	positional := append(values, a.positional...)
	bound := make([]any, len(b.params))
	for i, p := range b.params {
		v, named := a.take(p.name)
		switch {
		case i < len(positional) && named:
			r.fail("%s: the argument %s is given twice", b.name, p.name)
		case i < len(positional):
			bound[i] = positional[i]
		case named:
			bound[i] = v
		case p.must:
			r.fail("%s: the argument %s is missing", b.name, p.name)
		default:
			bound[i] = p.value
		}
	}
	more := &given{positional: positional[min(len(b.params), len(positional)):], named: a.named}
	if len(more.positional) > 0 && !b.rest {
		r.fail("%s takes %d arguments, and %d are given", b.name, len(b.params), len(positional))
	}
	if len(more.named.keys) > 0 && !b.named {
		r.fail("%s takes no argument %s", b.name, r.literal(more.named.keys[0]))
	}
	for _, v := range bound {
		if s, ok := stringOf(v); ok {
			r.spend(len(s) / 8) // the function reads the text
		}
	}
	return b.run(r, bound, more)
}

// The following are arguments of the type that a function wants.

func (r *run) wantString(of string, v any) string {
	s, ok := stringOf(v)
	if !ok {
		r.fail("%s: a string is wanted, and this is a %s", of, typeName(v))
	}
	return s
}

func (r *run) wantInteger(of string, v any) int {
	i, ok := integer(v)
	if !ok {
		r.fail("%s: an integer is wanted, and this is a %s", of, typeName(v))
	}
	return int(max(-1<<31, min(i, 1<<31-1)))
}

func (r *run) wantNumber(of string, v any) float64 {
	f, ok := number(v)
	if !ok {
		r.fail("%s: a number is wanted, and this is a %s", of, typeName(v))
	}
	return f
}
