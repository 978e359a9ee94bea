package torchscript

import (
	"slices"

	"github.com/go-acap/acap/mlir/importer/torchscript/script"
)

// setKey sets an entry of a dict.
func (ev *evaluator) setKey(at script.Position, d *dict, key, v value) {
	if t, ok := key.(*tensor); ok {
		key = ev.scalarOf(at, t, "the key of a dict")
	}
	if !isKey(key) {
		failAt(at, "a %s is the key of a dict", kindOf(key))
	}
	d.set(key, v)
}

func dictKeys(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok {
		return nil, false
	}
	return &list{items: slices.Clone(d.keys)}, true
}

func dictValues(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok {
		return nil, false
	}
	return &list{items: slices.Clone(d.values)}, true
}

func dictItems(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok {
		return nil, false
	}
	l := &list{}
	for i, k := range d.keys {
		l.items = append(l.items, &tuple{items: []value{k, d.values[i]}})
	}
	return l, true
}

func dictGet(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok || !isKey(args.at(1)) {
		return nil, false
	}
	if v, found := d.get(args.at(1)); found {
		return v, true
	}
	return args.at(2), true
}

func dictSetDefault(ev *evaluator, at script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok || !isKey(args.at(1)) {
		return nil, false
	}
	if v, found := d.get(args.at(1)); found {
		return v, true
	}
	ev.setKey(at, d, args.at(1), args.at(2))
	return args.at(2), true
}

func dictUpdate(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok1 := args.at(0).(*dict)
	from, ok2 := args.at(1).(*dict)
	if !ok1 || !ok2 {
		return nil, false
	}
	for i, k := range from.keys {
		d.set(k, from.values[i])
	}
	return nil, true
}

// newDictCall makes a dict of nothing, of another one or of pairs.
func newDictCall(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) == 0 {
		return newDict(), true
	}
	if _, ok := args.at(0).(*dict); ok {
		return copyOf(ev, at, args)
	}
	items, ok := ev.iterate(at, args.at(0))
	if !ok {
		return nil, false
	}
	d := newDict()
	for _, item := range items {
		pair := itemsOf(item)
		if len(pair) != 2 {
			failAt(at, "a dict is made of something else than pairs")
		}
		ev.setKey(at, d, pair[0], pair[1])
	}
	return d, true
}
