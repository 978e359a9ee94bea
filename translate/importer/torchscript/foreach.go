package torchscript

import (
	"strings"

	"github.com/go-acap/acap/base/script"
)

// foreach are the operators on lists of tensors, which steps of optimisers are written in: _foreach_add(list, other)
// adds to each tensor of a list, other being a list of as many tensors or numbers, one number, or one tensor. The forms
// with an underscore write into the tensors of the first list.
func foreach() map[string]substitute {
	forms := map[string]substitute{}
	for _, name := range strings.Fields("abs acos add addcdiv addcmul asin atan ceil clamp_max clamp_min clone copy cos cosh div erf " +
		"erfc exp expm1 floor frac lerp lgamma log log10 log1p log2 max maximum minimum mm mul neg norm pow reciprocal round " +
		"rsqrt sigmoid sign sin sinh sqrt sub tan tanh trunc zero") {
		forms["_foreach_"+name] = func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			results, ok := ev.forEach(at, name, args)
			return &list{items: results}, ok
		}
		forms["_foreach_"+name+"_"] = func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			results, ok := ev.forEach(at, name, args)
			for i, r := range results {
				self, isSelf := itemsOf(args.at(0))[i].(*tensor)
				y, isTensor := r.(*tensor)
				if !isSelf || !isTensor {
					return nil, false
				}
				ev.store(at, self, y)
			}
			return nil, ok
		}
	}
	return forms
}

// forEach calls an operator for the items of lists. An argument that is no list is the same for all.
func (ev *evaluator) forEach(at script.Position, name string, args arguments) ([]value, bool) {
	count := -1
	for _, v := range args.positional {
		if l, ok := v.(*list); ok && count >= 0 && len(l.items) != count {
			failAt(at, "_foreach_%s: lists of %d and %d", name, count, len(l.items))
		} else if ok {
			count = len(l.items)
		}
	}
	if count < 0 {
		return nil, false
	}
	ev.charge(at, count)
	results := make([]value, count)
	for i := range results {
		one := arguments{}
		item := func(v value) value {
			if l, ok := v.(*list); ok {
				return l.items[i]
			}
			return v
		}
		for _, v := range args.positional {
			one.positional = append(one.positional, item(v))
		}
		for _, n := range args.named {
			one.named = append(one.named, namedValue{n.name, item(n.value)})
		}
		results[i] = ev.oneOfEach(at, name, i, one)
	}
	return results, true
}

// oneOfEach calls the operator for item i. The operators on lists have names of their own for some, and no keywords.
func (ev *evaluator) oneOfEach(at script.Position, name string, i int, args arguments) value {
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	p := args.positional
	switch name {
	case "norm":
		order, _ := args.get(1, "ord")
		if order == nil {
			order = 2
		}
		d, _ := args.get(2, "dtype")
		return ev.callOperator(at, "linalg_vector_norm", arguments{positional: []value{p[0], order},
			named: []namedValue{{"dtype", d}}})
	case "zero":
		return call("zeros_like", p[0])
	case "maximum", "minimum":
		if len(p) == 2 && !isTensor(p[1]) {
			return call(map[string]string{"maximum": "clamp_min", "minimum": "clamp_max"}[name], p[0], p[1])
		}
	case "addcdiv", "addcmul":
		factor, given := args.get(3, "value")
		if !given {
			if factor, given = args.get(3, "scalars"); !given {
				factor = 1
			}
		}
		if t, ok := factor.(*tensor); ok { // a number for each item
			part := map[string]string{"addcdiv": "div", "addcmul": "mul"}[name]
			return call("add", p[0], call("mul", call(part, p[1], p[2]), call("select", t, 0, i)))
		}
		return ev.callOperator(at, name, arguments{positional: p[:3], named: []namedValue{{"value", factor}}})
	}
	return ev.callOperator(at, name, args)
}
