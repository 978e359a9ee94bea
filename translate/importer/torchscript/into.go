package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
)

// destinations are the names by which operators take tensors for their results, in the order of these.
var destinations = [][]string{{"out"}, {"out0", "out1", "out2"}, {"values", "indices"}, {"max", "max_values"},
	{"min", "min_indices"}}

// sequences fill a tensor that has as many elements as they give numbers, whatever its shape.
var sequences = map[string]bool{"arange": true, "range": true, "linspace": true, "logspace": true}

// into calls an operator that writes its results to tensors of the caller, torch.add(x, 1, out=y). It reports false if
// no argument is one.
func (ev *evaluator) into(at script.Position, name string, args arguments) (value, bool) {
	var into []*tensor
	rest := arguments{positional: args.positional}
	for _, names := range destinations {
		if !slices.ContainsFunc(args.named, func(n namedValue) bool { return n.name == names[0] && isTensor(n.value) }) {
			continue
		}
		for _, n := range args.named {
			if t, ok := n.value.(*tensor); ok && slices.Contains(names, n.name) {
				into = append(into, t)
			} else {
				rest.named = append(rest.named, n)
			}
		}
		break
	}
	if len(into) == 0 {
		return nil, false
	}
	computed := ev.callOperator(at, name, rest)
	results := itemsOf(computed)
	if t, ok := computed.(*tensor); ok {
		results = []value{t}
	}
	if len(results) != len(into) {
		failAt(at, "%d tensors are given for %d results of %s", len(into), len(results), name)
	}
	for i, to := range into {
		from, ok := results[i].(*tensor)
		switch {
		case !ok:
			failAt(at, "%s gives a %s, which no tensor holds", name, kindOf(results[i]))
		case shape.Equal(to.typeOf().Shape, from.typeOf().Shape):
			ev.store(at, to, from)
		case sequences[name] && shape.Size(to.typeOf().Shape) == shape.Size(from.typeOf().Shape):
			shaped := arguments{positional: []value{from, ints(to.typeOf().Shape)}}
			ev.store(at, to, ev.callOperator(at, "reshape", shaped).(*tensor))
		default: // it is resized, and its element type stays
			*to = *ev.to(at, from, to.typeOf().DType)
		}
	}
	if len(into) == 1 {
		return into[0], true
	}
	out := &tuple{}
	for _, t := range into {
		out.items = append(out.items, t)
	}
	return out, true
}
