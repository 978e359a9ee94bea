package jinja

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
)

func (r *run) unary(operator string, v any) any {
	if operator == "not" {
		return !truth(v)
	}
	if u, ok := v.(undefined); ok {
		r.fail("%s", u.why)
	}
	if i, ok := integer(v); ok {
		if operator == "+" {
			return i
		}
		return r.arithmetic("-", int64(0), i)
	}
	f, ok := v.(float64)
	if !ok {
		r.fail("%s of a %s has no meaning", operator, typeName(v))
	}
	if operator == "-" {
		return -f
	}
	return f
}

// arithmetic is Python's: integers stay integers, / makes floats, and // and % round down.
func (r *run) arithmetic(operator string, a, b any) any {
	for _, v := range []any{a, b} {
		if u, ok := v.(undefined); ok && !(operator == "%" && typeName(a) == "str") {
			r.fail("%s", u.why)
		}
	}
	if i, ok := integer(a); ok {
		if j, ok := integer(b); ok {
			return r.integers(operator, i, j)
		}
	}
	if x, ok := number(a); ok {
		if y, ok := number(b); ok {
			return r.floats(operator, x, y)
		}
	}
	switch operator {
	case "+":
		if v, ok := r.joined(a, b); ok {
			return v
		}
	case "*":
		if n, ok := integer(b); ok {
			if v, ok := r.repeated(a, n); ok {
				return v
			}
		}
		if n, ok := integer(a); ok {
			if v, ok := r.repeated(b, n); ok {
				return v
			}
		}
	case "%":
		if s, ok := a.(string); ok {
			return r.printf(s, b)
		}
	}
	r.fail("%s of a %s and a %s has no meaning", operator, typeName(a), typeName(b))
	return nil
}

// escaped is the text as HTML has it, as Python's markupsafe writes it.
func escaped(s string) markup {
	return markup(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace(s))
}

func (r *run) joined(a, b any) (any, bool) {
	s, isText := stringOf(a)
	t, areTexts := stringOf(b)
	if isText && areTexts {
		r.spend((len(s) + len(t)) / 16)
		_, safe := a.(markup)
		_, other := b.(markup)
		switch {
		case safe && !other:
			t = string(escaped(t))
		case other && !safe:
			s = string(escaped(s))
		}
		if safe || other {
			return markup(s + t), true
		}
		return s + t, true
	}
	switch a := a.(type) {
	case list:
		if b, ok := b.(list); ok {
			r.spend(len(a) + len(b))
			return slices.Concat(a, b), true
		}
	case tuple:
		if b, ok := b.(tuple); ok {
			r.spend(len(a) + len(b))
			return slices.Concat(a, b), true
		}
	}
	return nil, false
}

func (r *run) repeated(v any, n int64) (any, bool) {
	n = max(n, 0)
	count := func(size int) int {
		high, low := bits.Mul64(uint64(size), uint64(n))
		if high > 0 || low > MaxSteps*16 {
			r.spend(MaxSteps + 1)
		}
		return int(low)
	}
	switch v := v.(type) {
	case string:
		r.spend(count(len(v)) / 16)
		return strings.Repeat(v, int(n)*min(len(v), 1)), true
	case list:
		r.spend(count(len(v)))
		return slices.Repeat(v, int(n)*min(len(v), 1)), true
	case tuple:
		r.spend(count(len(v)))
		return slices.Repeat(v, int(n)*min(len(v), 1)), true
	}
	return nil, false
}

func (r *run) integers(operator string, i, j int64) any {
	fits := true
	var v int64
	switch operator {
	case "+":
		v = i + j
		fits = (v > i) == (j > 0)
	case "-":
		v = i - j
		fits = (v < i) == (j > 0)
	case "*":
		v = i * j
		fits = i == 0 || v/i == j && !(i == -1 && j == math.MinInt64)
	case "//", "%":
		if j == 0 {
			r.fail("division by zero")
		}
		quotient, rest := i/j, i%j
		if rest != 0 && (rest < 0) != (j < 0) {
			quotient, rest = quotient-1, rest+j
		}
		if v = rest; operator == "//" {
			v, fits = quotient, i != math.MinInt64 || j != -1
		}
	case "**":
		if j < 0 {
			return r.floats(operator, float64(i), float64(j))
		}
		if i >= -1 && i <= 1 && j > 2 {
			j = 2 + j%2
		}
		v = 1
		for ; j > 0; j-- {
			v, _ = r.integers("*", v, i).(int64)
		}
	default:
		return r.floats(operator, float64(i), float64(j))
	}
	if !fits {
		r.fail("the integer is beyond 64 bits")
	}
	return v
}

func (r *run) floats(operator string, x, y float64) any {
	switch operator {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "**":
		v := math.Pow(x, y)
		if x == 0 && y < 0 || math.IsNaN(v) && !math.IsNaN(x) && !math.IsNaN(y) || math.IsInf(v, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
			r.fail("%s to the power of %s is no number", floatText(x), floatText(y))
		}
		return v
	}
	if y == 0 {
		r.fail("division by zero")
	}
	rest := math.Mod(x, y)
	if rest != 0 && (rest < 0) != (y < 0) {
		rest += y
	} else if rest == 0 {
		rest = math.Copysign(0, y)
	}
	switch operator {
	case "/":
		return x / y
	case "%":
		return rest
	}
	floor := math.Floor((x - rest) / y)
	if (x-rest)/y-floor > 0.5 {
		floor++
	}
	return floor
}

// order is negative, 0 or positive as a is less than, equal to or greater than b.
func (r *run) order(a, b any) int {
	r.spend(1)
	for _, v := range []any{a, b} {
		if u, ok := v.(undefined); ok {
			r.fail("%s", u.why)
		}
	}
	if i, ok := integer(a); ok {
		if j, ok := integer(b); ok {
			return cmp.Compare(i, j)
		}
	}
	if x, ok := number(a); ok {
		if y, ok := number(b); ok {
			return cmp.Compare(x, y)
		}
	}
	if s, ok := stringOf(a); ok {
		if t, ok := stringOf(b); ok {
			return strings.Compare(s, t) // UTF-8 keeps the order of characters
		}
	}
	if x, ok := a.(list); ok {
		if y, ok := b.(list); ok {
			return r.orderItems(x, y)
		}
	}
	if x, ok := a.(tuple); ok {
		if y, ok := b.(tuple); ok {
			return r.orderItems(x, y)
		}
	}
	r.fail("a %s and a %s have no order", typeName(a), typeName(b))
	return 0
}

func (r *run) orderItems(a, b []any) int {
	for i := range min(len(a), len(b)) {
		if !r.equal(a[i], b[i]) {
			return r.order(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

func (r *run) compare(operator string, a, b any) bool {
	switch operator {
	case "==":
		return r.equal(a, b)
	case "!=":
		return !r.equal(a, b)
	case "in":
		return r.contains(b, a)
	case "not in":
		return !r.contains(b, a)
	}
	if x, ok := number(a); ok && math.IsNaN(x) {
		return false
	}
	if y, ok := number(b); ok && math.IsNaN(y) {
		return false
	}
	o := r.order(a, b)
	switch operator {
	case "<":
		return o < 0
	case "<=":
		return o <= 0
	case ">":
		return o > 0
	}
	return o >= 0
}

// contains is v in the collection: a part of a string, a key of a dict, or an item.
func (r *run) contains(collection, v any) bool {
	if s, ok := stringOf(collection); ok {
		part, ok := stringOf(v)
		if !ok {
			if u, missing := v.(undefined); missing {
				r.fail("%s, so it is no part of a string", u.why)
			}
			r.fail("a %s is no part of a string", typeName(v))
		}
		r.spendText(s)
		return strings.Contains(s, part)
	}
	if d, ok := collection.(*dict); ok {
		if _, ok := hash(v); !ok {
			r.fail("a %s cannot be the key of a dict", typeName(v))
		}
		_, ok := d.get(v)
		return ok
	}
	if i, ok := collection.(*iterator); ok { // what stands in front of the item is used up
		i.load()
		for len(i.rest) > 0 {
			e := i.rest[0]
			i.rest = i.rest[1:]
			if r.equal(e, v) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(r.items(collection), func(e any) bool { return r.equal(e, v) })
}
