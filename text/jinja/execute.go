package jinja

import "strings"

// outcome is how a body ends.
type outcome int

const (
	whole outcome = iota
	broken
	continued
)

// execute runs statements, which write to out and set names in the scope.
func (r *run) execute(body []statement, s *scope, out *strings.Builder) outcome {
	for _, st := range body {
		r.spend(1)
		switch st := st.(type) {
		case text:
			r.spendText(string(st))
			out.WriteString(string(st))
		case *print:
			v := r.evaluate(st.of, s)
			r.at = st.of.pos()
			out.WriteString(r.text(v))
		case *set:
			v := r.evaluate(st.value, s)
			r.at = st.position
			r.assign(st.target, v, s)
		case *setBlock:
			v := r.filtered(st.filter, r.captured(st.body, s), s)
			r.at = st.position
			r.assign(st.target, v, s)
		case *choice:
			if o := r.choose(st, s, out); o != whole {
				return o
			}
		case *loop:
			if o := r.loop(st, r.evaluate(st.over, s), s, out, 0); o != whole {
				return o
			}
		case *with:
			inner := &scope{parent: s}
			for i, v := range r.all(st.values, s) {
				r.assign(st.targets[i], v, inner)
			}
			if o := r.execute(st.body, inner, out); o != whole {
				return o
			}
		case *macro:
			s.set(st.name, r.macro(st, s))
		case *callBlock:
			f := r.evaluate(st.call.function, s)
			a := r.given(&st.call.arguments, s)
			a.put(r, "caller", r.macro(st.caller, s))
			r.at = st.position
			out.WriteString(r.text(r.call(f, a)))
		case *filterBlock:
			v := r.filtered(st.filter, r.captured(st.body, s), s)
			r.at = st.position
			out.WriteString(r.text(v))
		case *generation:
			r.execute(st.body, &scope{parent: s}, out)
		case *leave:
			if st.again {
				return continued
			}
			return broken
		}
	}
	return whole
}

func (r *run) choose(c *choice, s *scope, out *strings.Builder) outcome {
	for i, condition := range c.conditions {
		if truth(r.evaluate(condition, s)) {
			return r.execute(c.bodies[i], s, out)
		}
	}
	if len(c.bodies) > len(c.conditions) {
		return r.execute(c.bodies[len(c.conditions)], s, out)
	}
	return whole
}

// captured is what a body writes, with its own scope.
func (r *run) captured(body []statement, s *scope) string {
	var b strings.Builder
	r.execute(body, &scope{parent: s}, &b)
	return b.String()
}

// filtered is the value that filters make of a block's text.
func (r *run) filtered(f expression, text string, s *scope) any {
	e, ok := f.(*filter)
	if !ok {
		return text
	}
	if e.of == nil {
		return r.filter(e, text, s)
	}
	return r.filter(e, r.filtered(e.of, text, s), s)
}

// assign sets a name, a member of a namespace, or several of them.
func (r *run) assign(target expression, v any, s *scope) {
	switch t := target.(type) {
	case *variable:
		s.set(t.name, v)
	case *member:
		n, ok := s.get(t.name).(*namespace)
		if !ok {
			failAt(t.position, "%s is no namespace: only members of namespaces can be set", t.name)
		}
		n.fields.put(t.field, v)
	case *tupleLiteral:
		values := r.items(v)
		if len(values) != len(t.items) {
			failAt(t.position, "%d values for %d names", len(values), len(t.items))
		}
		for i, one := range t.items {
			r.assign(one, values[i], s)
		}
	}
}

// loop runs a loop over a value; depth counts the calls of a recursive loop. The
// branch else may leave the loop outside.
func (r *run) loop(l *loop, over any, s *scope, out *strings.Builder, depth int) outcome {
	defer r.enter()()
	r.at = l.over.pos()
	all := r.items(over)
	if l.condition != nil {
		var picked []any
		for _, v := range all {
			r.spend(10)
			inner := &scope{parent: s}
			if r.assign(l.target, v, inner); truth(r.evaluate(l.condition, inner)) {
				picked = append(picked, v)
			}
		}
		all = picked
	}
	state := &loopState{all: all, depth: depth}
	self := &function{name: "loop", of: &object{"LoopContext", state.attribute}}
	self.call = func(r *run, a *given) any {
		if !l.recursive {
			r.fail("the loop is not recursive, and cannot be called")
		}
		var b strings.Builder
		r.loop(l, a.one(r, "the loop"), s, &b, depth+1)
		return b.String()
	}
	for i, v := range all {
		r.spend(10)
		state.index = i
		inner := &scope{parent: s, names: map[string]any{"loop": self}}
		r.at = l.position
		r.assign(l.target, v, inner)
		if r.execute(l.body, inner, out) == broken {
			break
		}
	}
	if len(all) == 0 {
		return r.execute(l.orElse, &scope{parent: s}, out)
	}
	return whole
}

// loopState is what the variable loop tells.
type loopState struct {
	all          []any
	index, depth int
	last         []any // that changed was asked for
	asked        bool
}

func (l *loopState) attribute(name string) (any, bool) {
	n := len(l.all)
	neighbour := func(i int, which string) any {
		if i < 0 || i >= n {
			return undefined{"there is no " + which + " item"}
		}
		return l.all[i]
	}
	switch name {
	case "index":
		return int64(l.index + 1), true
	case "index0":
		return int64(l.index), true
	case "revindex":
		return int64(n - l.index), true
	case "revindex0":
		return int64(n - l.index - 1), true
	case "first":
		return l.index == 0, true
	case "last":
		return l.index == n-1, true
	case "length":
		return int64(n), true
	case "depth":
		return int64(l.depth + 1), true
	case "depth0":
		return int64(l.depth), true
	case "previtem":
		return neighbour(l.index-1, "previous"), true
	case "nextitem":
		return neighbour(l.index+1, "next"), true
	case "cycle":
		return &function{name: "cycle", call: func(r *run, a *given) any {
			if len(a.positional) == 0 {
				r.fail("there is nothing to cycle through")
			}
			return a.positional[l.index%len(a.positional)]
		}}, true
	case "changed":
		return &function{name: "changed", call: func(r *run, a *given) any {
			same := l.asked && r.equal(tuple(l.last), tuple(a.positional))
			l.asked, l.last = true, a.positional
			return !same
		}}, true
	}
	return nil, false
}

// macro is the function of a macro that was defined in a scope.
func (r *run) macro(m *macro, s *scope) *function {
	about := map[string]any{"name": m.name, "catch_kwargs": m.kwargs, "catch_varargs": m.varargs, "caller": m.caller, "arguments": tuple{}}
	for _, p := range m.params {
		about["arguments"] = append(about["arguments"].(tuple), p)
	}
	f := &function{name: m.name, of: &object{"Macro", func(name string) (any, bool) { v, ok := about[name]; return v, ok }}}
	f.call = func(r *run, a *given) any {
		defer r.enter()()
		var b strings.Builder
		r.execute(m.body, r.bind(m, a, s), &b)
		return b.String()
	}
	return f
}

// bind makes the scope of a macro's call.
func (r *run) bind(m *macro, a *given, s *scope) *scope {
	inner := &scope{parent: s, names: map[string]any{}}
	found := false
	for i, p := range m.params {
		if i < len(a.positional) {
			inner.names[p] = a.positional[i]
			continue
		}
		found = found || p == "caller"
		if v, ok := a.take(p); ok {
			inner.names[p] = v
		} else if d := i - len(m.params) + len(m.defaults); d >= 0 {
			inner.names[p] = r.evaluate(m.defaults[d], inner)
		} else {
			inner.names[p] = undefined{"the parameter '" + p + "' was not given"}
		}
	}
	if m.caller && !found {
		v, ok := a.take("caller")
		if !ok {
			v = undefined{"there is no caller"}
		}
		inner.names["caller"] = v
	}
	rest := a.positional[min(len(m.params), len(a.positional)):]
	if m.varargs {
		inner.names["varargs"] = tuple(rest)
	} else if len(rest) > 0 {
		r.fail("the macro %s takes %d arguments, and %d are given", m.name, len(m.params), len(a.positional))
	}
	if m.kwargs {
		inner.names["kwargs"] = a.named
	} else if len(a.named.keys) > 0 {
		r.fail("the macro %s takes no argument %s", m.name, r.literal(a.named.keys[0]))
	}
	return inner
}
