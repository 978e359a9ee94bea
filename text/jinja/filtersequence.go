package jinja

import (
	"slices"
	"strconv"
	"strings"
)

// lazy is an iterator of a filter.
func lazy(fill func() []any) *iterator { return &iterator{name: "generator", fill: fill} }

// sequenceFilters are filters of lists and the like.
func sequenceFilters() map[string]*builtin {
	return builtins(map[string]func(r *run, a []any, more *given) any{
		"first seq": func(r *run, a []any, _ *given) any {
			if i, ok := a[0].(*iterator); ok {
				if i.load(); len(i.rest) > 0 {
					v := i.rest[0]
					i.rest = i.rest[1:]
					return v
				}
			}
			return ofMany(r.items(a[0]), 0, "first")
		},
		"last seq": func(r *run, a []any, _ *given) any {
			if _, ok := a[0].(*iterator); ok {
				r.fail("last: a %s has no last item", typeName(a[0]))
			}
			all := r.items(a[0])
			return ofMany(all, len(all)-1, "last")
		},
		"length obj":  lengthFilter,
		"count obj":   lengthFilter,
		"list value":  func(r *run, a []any, _ *given) any { return list(slices.Clone(r.items(a[0]))) },
		"items value": itemsFilter,
		"join value d='' attribute=none": func(r *run, a []any, _ *given) any {
			parts := r.items(a[0])
			separator := r.text(a[1])
			var b strings.Builder
			for i, p := range parts {
				if i > 0 {
					r.spendText(separator)
					b.WriteString(separator)
				}
				b.WriteString(r.text(r.path(p, a[2], nil)))
			}
			return b.String()
		},
		"reverse value": reverseFilter,
		"sort value reverse=false case_sensitive=false attribute=none": sortFilter,
		"dictsort value case_sensitive=false by=none reverse=false":    dictsortFilter,
		"unique value case_sensitive=false attribute=none":             uniqueFilter,
		"min value case_sensitive=false attribute=none":                extreme(-1),
		"max value case_sensitive=false attribute=none":                extreme(1),
		"sum iterable attribute=none start=0":                          sumFilter,
		"groupby value attribute default=none case_sensitive=false":    groupbyFilter,
		"batch value linecount fill_with=none":                         batchFilter,
		"slice value slices fill_with=none":                            sliceFilter,
		"map value * **":                                               mapFilter,
		"select value * **":                                            selection(true, false),
		"reject value * **":                                            selection(false, false),
		"selectattr value * **":                                        selection(true, true),
		"rejectattr value * **":                                        selection(false, true),
	})
}

func ofMany(all []any, i int, which string) any {
	if len(all) == 0 {
		return undefined{"there is no " + which + " item of an empty sequence"}
	}
	return all[i]
}

func lengthFilter(r *run, a []any, _ *given) any {
	n, ok := length(a[0])
	if !ok {
		r.fail("a %s has no length", typeName(a[0]))
	}
	return int64(n)
}

func itemsFilter(r *run, a []any, _ *given) any {
	switch v := a[0].(type) {
	case undefined:
		return lazy(func() []any { return nil })
	case *dict:
		return lazy(v.pairs)
	}
	r.fail("items: a dict is wanted, and this is a %s", typeName(a[0]))
	return nil
}

func reverseFilter(r *run, a []any, _ *given) any {
	if s, ok := stringOf(a[0]); ok {
		chars := []rune(s)
		slices.Reverse(chars)
		return string(chars)
	}
	reversed := slices.Clone(r.items(a[0]))
	slices.Reverse(reversed)
	if _, ok := a[0].(*iterator); ok {
		return list(reversed)
	}
	return &iterator{name: "reverse_iterator", rest: reversed}
}

// path is the item that a path of names and numbers with dots leads to, with a default for what is not there.
func (r *run) path(v, path, otherwise any) any {
	if path == nil {
		return v
	}
	parts := []any{path}
	if s, ok := stringOf(path); ok {
		parts = nil
		for _, p := range strings.Split(s, ".") {
			if i, err := strconv.ParseInt(p, 10, 64); err == nil && p[0] >= '0' && p[0] <= '9' {
				parts = append(parts, i)
			} else {
				parts = append(parts, p)
			}
		}
	}
	for _, p := range parts {
		v = r.item(v, p)
		if _, missing := v.(undefined); missing && otherwise != nil {
			v = otherwise
		}
	}
	return v
}

// folded is a key for sorting: strings in lower case, unless case matters.
func folded(v any, caseMatters any) any {
	if s, ok := stringOf(v); ok && !truth(caseMatters) {
		return lower(s)
	}
	return v
}

// sorted sorts items by keys; equal ones keep their order.
func (r *run) sorted(all []any, reverse bool, key func(v any) any) []any {
	type entry struct{ key, v any }
	entries := make([]entry, len(all))
	for i, v := range all {
		entries[i] = entry{key(v), v}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if reverse {
			return r.order(b.key, a.key)
		}
		return r.order(a.key, b.key)
	})
	sorted := make([]any, len(all))
	for i, e := range entries {
		sorted[i] = e.v
	}
	return sorted
}

func sortFilter(r *run, a []any, _ *given) any {
	paths := []any{a[3]}
	if s, ok := stringOf(a[3]); ok {
		paths = nil
		for _, p := range strings.Split(s, ",") {
			paths = append(paths, p)
		}
	}
	return list(r.sorted(r.items(a[0]), truth(a[1]), func(v any) any {
		keys := make(list, len(paths))
		for i, p := range paths {
			keys[i] = folded(r.path(v, p, nil), a[2])
		}
		return keys
	}))
}

func dictsortFilter(r *run, a []any, _ *given) any {
	d, ok := a[0].(*dict)
	if !ok {
		r.fail("dictsort: a dict is wanted, and this is a %s", typeName(a[0]))
	}
	by := 0
	if a[2] != nil {
		if by = slices.Index([]string{"key", "value"}, r.text(a[2])); by < 0 {
			r.fail(`dictsort: by is "key" or "value"`)
		}
	}
	return list(r.sorted(d.pairs(), truth(a[3]), func(v any) any { return folded(v.(tuple)[by], a[1]) }))
}

func uniqueFilter(r *run, a []any, _ *given) any {
	return lazy(func() []any {
		seen := newDict()
		var kept []any
		for _, v := range r.items(a[0]) {
			key := folded(r.path(v, a[2], nil), a[1])
			if _, has := seen.get(key); has {
				continue
			}
			if !seen.put(key, nil) {
				r.fail("unique: a %s cannot be compared", typeName(key))
			}
			kept = append(kept, v)
		}
		return kept
	})
}

// extreme is the first of the least or greatest items.
func extreme(sign int) func(r *run, a []any, _ *given) any {
	return func(r *run, a []any, _ *given) any {
		all := r.items(a[0])
		if len(all) == 0 {
			return ofMany(nil, 0, "aggregated")
		}
		key := func(v any) any { return folded(r.path(v, a[2], nil), a[1]) }
		best := all[0]
		for _, v := range all[1:] {
			if r.order(key(v), key(best))*sign > 0 {
				best = v
			}
		}
		return best
	}
}

func sumFilter(r *run, a []any, _ *given) any {
	sum := a[2]
	if _, ok := stringOf(sum); ok {
		r.fail("sum: strings are not added; join joins them")
	}
	for _, v := range r.items(a[0]) {
		sum = r.arithmetic("+", sum, r.path(v, a[1], nil))
	}
	return sum
}

func groupbyFilter(r *run, a []any, _ *given) any {
	of := func(v any) any { return r.path(v, a[1], a[2]) }
	key := func(v any) any { return folded(of(v), a[3]) }
	groups := list{}
	var group list
	all := r.sorted(r.items(a[0]), false, key)
	for i, v := range all {
		group = append(group, v)
		if i+1 == len(all) || !r.equal(key(v), key(all[i+1])) {
			groups = append(groups, tuple{of(group[0]), group})
			group = nil
		}
	}
	return groups
}

func batchFilter(r *run, a []any, _ *given) any {
	n := r.wantInteger("batch", a[1])
	return lazy(func() (rows []any) {
		all := r.items(a[0])
		if n < 1 { // no row is ever full, but the empty one for 0, as in Jinja2
			if n == 0 && len(all) > 0 {
				rows = append(rows, list{})
			}
			if len(all) > 0 {
				rows = append(rows, list(slices.Clone(all)))
			}
			return rows
		}
		for row := range slices.Chunk(all, n) {
			row := list(slices.Clone(row))
			if a[2] != nil {
				r.spend(n)
				for len(row) < n {
					row = append(row, a[2])
				}
			}
			rows = append(rows, row)
		}
		return rows
	})
}

func sliceFilter(r *run, a []any, _ *given) any {
	n := r.wantInteger("slice", a[1])
	return lazy(func() (parts []any) {
		if n == 0 {
			r.fail("slice: items are divided into 0 parts")
		}
		all := r.items(a[0])
		if n < 0 {
			return nil // as in Jinja2
		}
		r.spend(n)
		at := 0
		for i := range n {
			end := at + len(all)/n
			if i < len(all)%n {
				end++
			}
			part := list(slices.Clone(all[at:end]))
			if a[2] != nil && i >= len(all)%n {
				part = append(part, a[2])
			}
			parts = append(parts, part)
			at = end
		}
		return parts
	})
}

// mapFilter gives an attribute of each item, or what a filter makes of it.
func mapFilter(r *run, a []any, more *given) any {
	return lazy(func() (mapped []any) {
		if !truth(a[0]) {
			return nil
		}
		var one func(v any) any
		if path, ok := more.take("attribute"); ok && len(more.positional) == 0 {
			otherwise, _ := more.take("default")
			if len(more.named.keys) > 0 {
				r.fail("map takes no argument %s", r.literal(more.named.keys[0]))
			}
			one = func(v any) any { return r.path(v, path, otherwise) }
		} else if len(more.positional) > 0 && !ok {
			name := r.wantString("map", more.positional[0])
			one = func(v any) any {
				return r.applyFilter(name, v, &given{more.positional[1:], more.named})
			}
		} else {
			r.fail("map: the name of a filter is wanted, or an attribute")
		}
		for _, v := range r.items(a[0]) {
			mapped = append(mapped, one(v))
		}
		return mapped
	})
}

// selection keeps the items that pass a test, or are true if there is no test; of items with a named attribute, the
// attribute is tested.
func selection(want, attribute bool) func(r *run, a []any, more *given) any {
	return func(r *run, a []any, more *given) any {
		return lazy(func() (kept []any) {
			if !truth(a[0]) {
				return nil
			}
			arguments, path := more.positional, any(nil)
			if attribute {
				if len(arguments) == 0 {
					r.fail("the attribute to look at is missing")
				}
				path, arguments = arguments[0], arguments[1:]
			}
			for _, v := range r.items(a[0]) {
				of := r.path(v, path, nil)
				var holds any = of
				if len(arguments) > 0 {
					holds = r.test(r.wantString("select", arguments[0]), of, &given{arguments[1:], more.named})
				}
				if truth(holds) == want {
					kept = append(kept, v)
				}
			}
			return kept
		})
	}
}
