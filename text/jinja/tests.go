package jinja

import "strings"

// test is v is name(...).
func (r *run) test(name string, v any, a *given) any {
	b, ok := tests[name]
	if !ok {
		r.fail("there is no test named %s", name)
	}
	return b.call(r, []any{v}, a)
}

var tests map[string]*builtin

func init() {
	is := func(holds func(v any) bool) func(*run, []any, *given) any {
		return func(_ *run, a []any, _ *given) any { return holds(a[0]) }
	}
	compares := func(operator string) func(*run, []any, *given) any {
		return func(r *run, a []any, _ *given) any { return r.compare(operator, a[0], a[1]) }
	}
	remainder := func(r *run, v, by any, want int64) bool { return r.equal(r.arithmetic("%", v, by), want) }
	// cased is Python's islower or isupper: there are letters with cases, and all of them have the one.
	cased := func(change func(string) string) func(*run, []any, *given) any {
		return func(r *run, a []any, _ *given) any {
			s := r.text(a[0])
			return change(s) == s && (lower(s) != s || upper(s) != s)
		}
	}
	all := map[string]func(*run, []any, *given) any{
		"defined value":   is(func(v any) bool { _, ok := v.(undefined); return !ok }),
		"undefined value": is(func(v any) bool { _, ok := v.(undefined); return ok }),
		"none value":      is(func(v any) bool { return v == nil }),
		"boolean value":   is(func(v any) bool { _, ok := v.(bool); return ok }),
		"true value":      is(func(v any) bool { return v == true }),
		"false value":     is(func(v any) bool { return v == false }),
		"integer value":   is(func(v any) bool { _, ok := v.(int64); return ok }),
		"float value":     is(func(v any) bool { _, ok := v.(float64); return ok }),
		"number value":    is(func(v any) bool { _, ok := number(v); return ok }),
		"string value":    is(func(v any) bool { _, ok := stringOf(v); return ok }),
		"mapping value":   is(func(v any) bool { _, ok := v.(*dict); return ok }),
		"escaped value":   is(func(v any) bool { _, ok := v.(markup); return ok }),
		"callable value":  is(func(v any) bool { _, ok := v.(*function); _, missing := v.(undefined); return ok || missing }),
		"sequence value":  is(func(v any) bool { _, ok := length(v); _, isView := v.(*view); return ok && !isView }),
		"iterable value": is(func(v any) bool {
			_, isIterator := v.(*iterator)
			_, ok := length(v)
			return ok || isIterator
		}),
		"filter value":          is(func(v any) bool { s, ok := stringOf(v); return ok && filters[s] != nil }),
		"test value":            is(func(v any) bool { s, ok := stringOf(v); return ok && tests[s] != nil }),
		"odd value":             func(r *run, a []any, _ *given) any { return remainder(r, a[0], int64(2), 1) },
		"even value":            func(r *run, a []any, _ *given) any { return remainder(r, a[0], int64(2), 0) },
		"divisibleby value num": func(r *run, a []any, _ *given) any { return remainder(r, a[0], a[1], 0) },
		"lower value":           cased(lower),
		"upper value":           cased(upper),
		"in value seq":          func(r *run, a []any, _ *given) any { return r.contains(a[1], a[0]) },
		"sameas value other":    func(r *run, a []any, _ *given) any { return r.same(a[0], a[1]) },
	}
	for operator, names := range map[string]string{"==": "== eq equalto", "!=": "!= ne", ">": "> gt greaterthan", ">=": ">= ge", "<": "< lt lessthan", "<=": "<= le"} {
		for _, n := range strings.Fields(names) {
			all[n+" value other"] = compares(operator)
		}
	}
	tests = builtins(all)
}

// same is Python's is, for values whose identity is certain.
func (r *run) same(a, b any) bool {
	if typeName(a) != typeName(b) {
		return false
	}
	switch a.(type) {
	case nil, bool, *namespace, *function, *object, *dict, *view, *iterator:
		return a == b
	}
	r.fail("sameas: the identity of a %s is not supported", typeName(a))
	return false
}
