package jinja

import (
	"strings"
	"time"
)

// run is one rendering of a template.
type run struct {
	at    position // of what is evaluated
	most  int      // steps
	left  int      // of them
	depth int      // of calls
	now   func() time.Time
}

func (r *run) fail(format string, values ...any) { failAt(r.at, format, values...) }

// spend takes steps, and stops the rendering where none are left.
func (r *run) spend(steps int) {
	if r.left -= steps; r.left < 0 {
		r.fail("the template takes more than %d steps", r.most)
	}
}

func (r *run) spendText(s string) { r.spend(1 + len(s)/16) }

// enter counts calls that nest; the caller defers what it returns.
func (r *run) enter() func() {
	if r.depth++; r.depth > maxDepth {
		r.fail("calls nest more than %d deep", maxDepth)
	}
	return func() { r.depth-- }
}

// scope has the names that a block sets.
type scope struct {
	parent *scope
	names  map[string]any
}

func (s *scope) set(name string, v any) {
	if s.names == nil {
		s.names = map[string]any{}
	}
	s.names[name] = v
}

func (s *scope) get(name string) any {
	for ; s != nil; s = s.parent {
		if v, ok := s.names[name]; ok {
			return v
		}
	}
	return undefined{"'" + name + "' is undefined"}
}

// evaluate returns the value of an expression.
func (r *run) evaluate(e expression, s *scope) any {
	r.spend(1)
	switch e := e.(type) {
	case *constant:
		return e.value
	case *variable:
		return s.get(e.name)
	case *listLiteral:
		return list(r.all(e.items, s))
	case *tupleLiteral:
		return tuple(r.all(e.items, s))
	case *dictLiteral:
		return r.dict(e, s)
	case *attribute:
		of := r.evaluate(e.of, s)
		r.at = e.position
		return r.attribute(of, e.name)
	case *item:
		of, index := r.evaluate(e.of, s), r.evaluate(e.index, s)
		r.at = e.position
		return r.item(of, index)
	case *slice:
		of := r.evaluate(e.of, s)
		parts := r.bounds(e, s)
		r.at = e.position
		return r.slice(of, parts)
	case *call:
		f := r.evaluate(e.function, s)
		a := r.given(&e.arguments, s)
		r.at = e.position
		return r.call(f, a)
	case *filter:
		return r.filter(e, r.evaluate(e.of, s), s)
	case *test:
		of := r.evaluate(e.of, s)
		a := r.given(&e.arguments, s)
		r.at = e.position
		return r.test(e.name, of, a)
	case *unary:
		of := r.evaluate(e.of, s)
		r.at = e.position
		return r.unary(e.operator, of)
	case *binary:
		return r.binary(e, s)
	case *comparison:
		return r.comparison(e, s)
	case *concatenation:
		var b strings.Builder
		for _, p := range e.parts {
			v := r.evaluate(p, s)
			r.at = e.position
			b.WriteString(r.text(v))
		}
		return b.String()
	case *conditional:
		if truth(r.evaluate(e.condition, s)) {
			return r.evaluate(e.then, s)
		}
		if e.otherwise == nil {
			return undefined{"the inline if has no else, and its condition is false"}
		}
		return r.evaluate(e.otherwise, s)
	}
	failAt(e.pos(), "this cannot be evaluated")
	return nil
}

func (r *run) dict(e *dictLiteral, s *scope) any {
	d := newDict()
	for i, k := range e.keys {
		key, value := r.evaluate(k, s), r.evaluate(e.values[i], s)
		if r.at = k.pos(); !d.put(key, value) {
			r.fail("a %s cannot be the key of a dict", typeName(key))
		}
	}
	return d
}

// bounds are the first place, the end and the step of a slice: nil where they are left out.
func (r *run) bounds(e *slice, s *scope) (parts [3]any) {
	for i, p := range e.parts {
		if p != nil {
			parts[i] = r.evaluate(p, s)
		}
	}
	return parts
}

// binary does not evaluate a right operand that the result does not depend on.
func (r *run) binary(e *binary, s *scope) any {
	left := r.evaluate(e.left, s)
	if e.operator == "and" && !truth(left) || e.operator == "or" && truth(left) {
		return left
	}
	right := r.evaluate(e.right, s)
	if e.operator == "and" || e.operator == "or" {
		return right
	}
	r.at = e.position
	return r.arithmetic(e.operator, left, right)
}

// comparison compares neighbours, up to the first two that do not compare so.
func (r *run) comparison(e *comparison, s *scope) any {
	left := r.evaluate(e.first, s)
	for i, o := range e.operators {
		right := r.evaluate(e.rest[i], s)
		if r.at = e.position; !r.compare(o, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (r *run) all(expressions []expression, s *scope) []any {
	values := make([]any, len(expressions))
	for i, e := range expressions {
		values[i] = r.evaluate(e, s)
	}
	return values
}

// items returns the items of a value. A value without items is an error.
func (r *run) items(v any) []any {
	all, ok := items(v)
	if !ok {
		r.fail("a %s cannot be iterated", typeName(v))
	}
	r.spend(len(all))
	return all
}

// unsafe are the methods that Jinja2's sandbox does not allow, because they change a value.
var unsafe = map[string]string{
	"list": " append clear extend insert pop remove reverse sort ",
	"dict": " clear pop popitem setdefault update ",
}

// attribute is v.name: a method, an attribute, or a member of a dict.
func (r *run) attribute(v any, name string) any {
	if got, ok := r.own(v, name); ok {
		return got
	}
	if d, ok := v.(*dict); ok {
		if got, ok := d.get(name); ok {
			return got
		}
	}
	return r.missing(v, name)
}

// own is a method or an attribute of a value, not a member.
func (r *run) own(v any, name string) (any, bool) {
	if u, ok := v.(undefined); ok {
		r.fail("%s, so it has no attribute %s", u.why, name)
	}
	kind := typeName(v)
	if strings.Contains(unsafe[kind], " "+name+" ") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		r.fail("the attribute %s of a %s is not safe", name, kind)
	}
	switch v := v.(type) {
	case *namespace:
		if got, ok := v.fields.get(name); ok {
			return got, true
		}
	case *object:
		return v.attributes(name)
	case *function:
		if v.of != nil {
			return v.of.attributes(name)
		}
	}
	return r.method(v, kind, name)
}

func (r *run) missing(v any, name string) any {
	return undefined{"'" + typeName(v) + " object' has no attribute '" + name + "'"}
}

// item is v[index].
func (r *run) item(v, index any) any {
	switch of := v.(type) {
	case undefined:
		r.fail("%s, so it has no items", of.why)
	case *dict:
		if got, ok := of.get(index); ok {
			return got
		}
	case string, markup, list, tuple, numbers:
		if i, ok := integer(index); ok {
			all, _ := items(v)
			r.spend(len(all) / 8)
			if i < 0 {
				i += int64(len(all))
			}
			if i >= 0 && i < int64(len(all)) {
				return all[i]
			}
		}
	}
	if name, ok := stringOf(index); ok {
		if got, ok := r.own(v, name); ok {
			return got
		}
		return r.missing(v, name)
	}
	return undefined{"'" + typeName(v) + " object' has no element " + r.textOfIndex(index)}
}

func (r *run) textOfIndex(index any) string {
	if i, ok := integer(index); ok {
		return r.literal(i)
	}
	return "of type " + typeName(index)
}

// slice is v[from:to:step] as in Python. As in Jinja2, what has no slices, or none with such parts, gives an undefined
// value.
func (r *run) slice(v any, parts [3]any) any {
	switch of := v.(type) {
	case string, markup, list, tuple:
	case undefined:
		r.fail("%s, so it has no items", of.why)
	default:
		return undefined{"a " + typeName(v) + " has no slices"}
	}
	for i, p := range parts {
		switch at, ok := integer(p); p := p.(type) {
		case undefined:
			r.fail("%s, so it is no part of a slice", p.why)
		case nil:
		default:
			if !ok {
				return undefined{"the parts of a slice are integers, and this is a " + typeName(p)}
			}
			if i == 2 && at == 0 {
				r.fail("the step of a slice is an integer other than 0")
			}
		}
	}
	all, _ := items(v)
	n := int64(len(all))
	r.spend(len(all))
	part := func(i int, missing, low, high int64) int64 {
		if parts[i] == nil {
			return missing
		}
		at, _ := integer(parts[i])
		if at < 0 {
			at += n
		}
		return max(low, min(at, high))
	}
	step := int64(1)
	if parts[2] != nil {
		given, _ := integer(parts[2])
		step = max(-n-1, min(given, n+1)) // a larger step is one item too
	}
	picked := []any{}
	if step > 0 {
		end := part(1, n, 0, n)
		for i := part(0, 0, 0, n); i < end; i += step {
			picked = append(picked, all[i])
		}
	} else {
		end := part(1, -1, -1, n-1)
		for i := part(0, n-1, -1, n-1); i > end; i += step {
			picked = append(picked, all[i])
		}
	}
	switch v.(type) {
	case list:
		return list(picked)
	case tuple:
		return tuple(picked)
	}
	var b strings.Builder
	for _, c := range picked {
		b.WriteString(c.(string))
	}
	if _, ok := v.(markup); ok {
		return markup(b.String())
	}
	return b.String()
}
