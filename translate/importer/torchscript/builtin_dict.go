package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/script"
)

// key returns a key of a dict, also out of a tensor that is known.
func (ev *evaluator) key(at script.Position, v value) value {
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, "the key of a dict")
	}
	if !isKey(v) {
		failAt(at, "a %s is the key of a dict", kindOf(v))
	}
	return v
}

// remove takes out an entry of a dict.
func (ev *evaluator) remove(at script.Position, d *dict, key value) {
	if _, found := d.get(key); !found {
		failAt(at, "the dict has no key %s", text(key))
	}
	d.remove(key)
}

// onDict runs f if the first argument is a dict.
func onDict(args arguments, count int, f func(d *dict) value) (value, bool) {
	d, ok := args.at(0).(*dict)
	if !ok || len(args.positional) < count {
		return nil, false
	}
	return f(d), true
}

func dictKeys(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	return onDict(args, 1, func(d *dict) value { return &list{items: slices.Clone(d.keys)} })
}

func dictValues(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	return onDict(args, 1, func(d *dict) value { return &list{items: slices.Clone(d.values)} })
}

func dictItems(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	return onDict(args, 1, func(d *dict) value {
		l := &list{}
		for i, k := range d.keys {
			l.items = append(l.items, &tuple{items: []value{k, d.values[i]}})
		}
		return l
	})
}

func dictGet(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onDict(args, 2, func(d *dict) value {
		if v, found := d.get(ev.key(at, args.at(1))); found {
			return v
		}
		return args.at(2)
	})
}

func dictSetDefault(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onDict(args, 3, func(d *dict) value {
		key := ev.key(at, args.at(1))
		if _, found := d.get(key); !found {
			d.set(key, args.at(2))
		}
		v, _ := d.get(key)
		return v
	})
}

// dictPopItem takes out the first entry, where Python takes the last: so does TorchScript.
func dictPopItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onDict(args, 1, func(d *dict) value {
		if len(d.keys) == 0 {
			failAt(at, "popitem of an empty dict")
		}
		ev.charge(at, len(d.keys)/itemsPerStep)
		entry := &tuple{items: []value{d.keys[0], d.values[0]}}
		d.remove(d.keys[0])
		return entry
	})
}

func dictUpdate(_ *evaluator, at script.Position, args arguments) (value, bool) {
	return onDict(args, 2, func(d *dict) value {
		from, ok := args.at(1).(*dict)
		if !ok {
			failAt(at, "a dict is updated by a %s", kindOf(args.at(1)))
		}
		for i, k := range from.keys {
			d.set(k, from.values[i])
		}
		return nil
	})
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
		d.set(ev.key(at, pair[0]), pair[1])
	}
	return d, true
}
