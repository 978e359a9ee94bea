package jinja

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Values are nil, bool, int64, float64, string and the types below. None of them changes after it was made, except
// namespaces and iterators.
type (
	list  []any
	tuple []any

	// markup is a string that the filter safe or escape made. A text that is added to it is escaped.
	markup string

	// undefined is the value of a name or item that is absent; why is the message for its use.
	undefined struct{ why string }

	namespace struct{ fields *dict }

	// numbers is what range returns.
	numbers struct{ start, stop, step int64 }

	// view is what the methods keys, values and items of a dict return.
	view struct {
		of   *dict
		kind string
	}

	// iterator gives its items once.
	iterator struct {
		name string // of its type, for errors
		fill func() []any
		rest []any
	}

	// object is a value with attributes only, such as the variable loop.
	object struct {
		name       string
		attributes func(name string) (any, bool)
	}

	// function is what can be called.
	function struct {
		name string
		call func(r *run, a *given) any
		of   *object // where a value has attributes, and can be called too
	}
)

// dict keeps the order of its members.
type dict struct {
	keys   []any
	values []any
	index  map[any]int
}

func newDict() *dict { return &dict{index: map[any]int{}} }

func (d *dict) get(key any) (any, bool) {
	h, ok := hash(key)
	if !ok {
		return nil, false
	}
	i, ok := d.index[h]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

// put sets a member; it reports whether the key can be one.
func (d *dict) put(key, value any) bool {
	h, ok := hash(key)
	if !ok {
		return false
	}
	if i, has := d.index[h]; has {
		d.values[i] = value
		return true
	}
	d.index[h] = len(d.keys)
	d.keys, d.values = append(d.keys, key), append(d.values, value)
	return true
}

func (d *dict) pairs() []any {
	all := make([]any, len(d.keys))
	for i, k := range d.keys {
		all[i] = tuple{k, d.values[i]}
	}
	return all
}

// hash is a key that equal values share, 1 and True and 1.0 among them; it reports whether there is one.
func hash(v any) (any, bool) {
	switch v := v.(type) {
	case bool, float64:
		f, _ := number(v)
		if i := int64(f); float64(i) == f {
			return i, true
		}
		return f, true
	case markup:
		return string(v), true
	case nil, int64, string, undefined, *namespace, *function, *object, *iterator:
		if _, ok := v.(undefined); ok {
			return undefined{}, true
		}
		return v, true
	case tuple:
		var b strings.Builder
		for _, e := range v {
			h, ok := hash(e)
			if !ok || b.Len() > 1<<16 { // a key is not that long
				return nil, false
			}
			text, ok := plainText(h)
			if !ok {
				return nil, false
			}
			part := typeName(h) + " " + text
			b.WriteString(strconv.Itoa(len(part)) + " " + part)
		}
		return tupleKey(b.String()), true
	}
	return nil, false
}

type tupleKey string

// plainText is the text of a hash.
func plainText(h any) (string, bool) {
	switch h := h.(type) {
	case nil:
		return "", true
	case string:
		return h, true
	case tupleKey:
		return string(h), true
	case int64:
		return strconv.FormatInt(h, 10), true
	case float64:
		return floatText(h), true
	}
	return "", false
}

// typeName is Python's name of a value's type.
func typeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case markup:
		return "Markup"
	case list:
		return "list"
	case tuple, tupleKey:
		return "tuple"
	case *dict:
		return "dict"
	case undefined:
		return "Undefined"
	case *namespace:
		return "Namespace"
	case numbers:
		return "range"
	case *view:
		return "dict_" + v.kind
	case *iterator:
		return v.name
	case *object:
		return v.name
	}
	return "function"
}

// truth is whether a condition holds.
func truth(v any) bool {
	switch v := v.(type) {
	case nil, undefined:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int64:
		return v != 0
	case float64:
		return v != 0
	}
	n, ok := length(v)
	return !ok || n > 0
}

// length is the number of items, if the value has one.
func length(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case markup:
		return utf8.RuneCountInString(string(v)), true
	case list:
		return len(v), true
	case tuple:
		return len(v), true
	case *dict:
		return len(v.keys), true
	case *view:
		return len(v.of.keys), true
	case numbers:
		return v.length(), true
	case undefined:
		return 0, true
	}
	return 0, false
}

func (n numbers) length() int {
	if n.step > 0 && n.start < n.stop {
		return int((n.stop-n.start-1)/n.step) + 1
	}
	if n.step < 0 && n.start > n.stop {
		return int((n.start-n.stop-1)/-n.step) + 1
	}
	return 0
}

// items returns the items of a value that can be iterated. An iterator has no items behind the call.
func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case string:
		return characters(v), true
	case markup:
		return characters(string(v)), true
	case list:
		return v, true
	case tuple:
		return v, true
	case *dict:
		return v.keys, true
	case *view:
		switch v.kind {
		case "keys":
			return v.of.keys, true
		case "values":
			return v.of.values, true
		}
		return v.of.pairs(), true
	case numbers:
		all := make([]any, v.length())
		for i := range all {
			all[i] = v.start + int64(i)*v.step
		}
		return all, true
	case *iterator:
		v.load()
		all := v.rest
		v.rest = nil
		return all, true
	case undefined:
		return nil, true
	}
	return nil, false
}

// load makes the items of an iterator, when the first of them is wanted.
func (i *iterator) load() {
	if fill := i.fill; fill != nil {
		i.fill = nil
		i.rest = fill()
	}
}

func characters(s string) []any {
	all := make([]any, 0, len(s))
	for _, r := range s {
		all = append(all, string(r))
	}
	return all
}

// stringOf is the text of a string.
func stringOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case markup:
		return string(v), true
	}
	return "", false
}

// integer is the value as an integer, if it is one; True is 1.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// number is the value as a float, if it is a number.
func number(v any) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	i, ok := integer(v)
	return float64(i), ok
}

// equal compares as Python's == does.
func (r *run) equal(a, b any) bool {
	r.spend(1)
	if x, ok := number(a); ok {
		y, ok := number(b)
		i, isInt := integer(a)
		j, areInts := integer(b)
		if isInt && areInts {
			return i == j
		}
		return ok && x == y
	}
	if s, ok := stringOf(a); ok {
		t, ok := stringOf(b)
		return ok && s == t
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case list:
		b, ok := b.(list)
		return ok && slices.EqualFunc(a, b, r.equal)
	case tuple:
		b, ok := b.(tuple)
		return ok && slices.EqualFunc(a, b, r.equal)
	case *dict:
		b, ok := b.(*dict)
		if !ok || len(a.keys) != len(b.keys) {
			return false
		}
		for i, k := range a.keys {
			if v, has := b.get(k); !has || !r.equal(a.values[i], v) {
				return false
			}
		}
		return true
	case undefined:
		_, ok := b.(undefined)
		return ok
	case numbers:
		b, ok := b.(numbers)
		x, _ := items(a)
		y, _ := items(b)
		return ok && slices.EqualFunc(x, y, r.equal)
	case *view:
		b, ok := b.(*view)
		if !ok || a.kind == "values" || a.kind != b.kind {
			return a == b
		}
		x, _ := items(a)
		y, _ := items(b)
		return len(x) == len(y) && !slices.ContainsFunc(x, func(e any) bool { return !slices.ContainsFunc(y, func(f any) bool { return r.equal(e, f) }) })
	}
	return a == b
}

// floatText writes a float as Python's repr does.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// isSpace is Python's whitespace.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
