package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
)

// listBuiltins work on lists, tuples, dicts and strings as containers.
var listBuiltins map[string]builtin

func init() { // they refer to the table through the evaluator
	listBuiltins = map[string]builtin{
		"len": lengthOf, "append": appendItem, "extend": extendList, "insert": insertItem,
		"pop": popItem, "remove": removeItem, "clear": clearList, "reverse": reverseList,
		"copy": copyOf, "list": copyOf, "index": indexOfItem, "count": countItem,
		"sort": sortList, "sorted": sortedList, "slice": sliceOf, "__getitem__": getItemCall,
		"_set_item": setItemCall, "__contains__": containsCall, "Delete": deleteItem,
		"add": addLists, "add_": extendInPlace, "mul": repeatList, "eq": equalLists, "ne": unequalLists,
		"keys": dictKeys, "values": dictValues, "items": dictItems, "get": dictGet,
		"setdefault": dictSetDefault, "popitem": dictPopItem, "update": dictUpdate, "dict": newDictCall,
		"sum": sumOfNumbers, "min": extremeOf("min"), "max": extremeOf("max"),
		"any": anyOf, "all": allOf, "__range_length": rangeLength, "__derive_index": deriveIndex,
		"rangelist": rangeList, "TupleUnpack": copyOf, "ListUnpack": copyOf,
	}
}

func lengthOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	switch v := args.at(0).(type) {
	case string:
		return len([]rune(v)), true
	case *dict:
		return len(v.keys), true
	case *list, *tuple:
		return len(itemsOf(v)), true
	case rangeValue:
		return v.len(), true
	case *tensor:
		if dims := v.typeOf().Shape; len(dims) > 0 {
			return dims[0], true
		}
	case *object: // containers of modules
		if m := v.class.def.Method("__len__"); m != nil {
			return ev.callFunction(at, &closure{function: m, self: v}, arguments{}), true
		}
	}
	return nil, false
}

// onList runs f if the first argument is a list.
func onList(args arguments, count int, f func(l *list) value) (value, bool) {
	l, ok := args.at(0).(*list)
	if !ok || len(args.positional) < count {
		return nil, false
	}
	return f(l), true
}

func appendItem(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	return onList(args, 2, func(l *list) value {
		l.items = append(l.items, args.at(1))
		return l
	})
}

func extendList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 2, func(l *list) value {
		items, ok := ev.iterate(at, args.at(1))
		if !ok {
			failAt(at, "a list is extended by a %s", kindOf(args.at(1)))
		}
		ev.checkLength(at, len(l.items)+len(items))
		l.items = append(l.items, items...)
		return nil
	})
}

// checkLength guards the making of n items or bytes.
func (ev *evaluator) checkLength(at script.Position, n int) {
	ev.charge(at, n/itemsPerStep)
	if n < 0 || n > maxItems {
		failAt(at, "a list or string of more than %d items", maxItems)
	}
}

// position returns the index i counts to, from the end if it is negative.
func (ev *evaluator) position(at script.Position, i value, length int) int {
	n := ev.intOf(at, i)
	if n < 0 {
		n += length
	}
	if n < 0 || n >= length {
		failAt(at, "index %d is out of range for %d items", ev.intOf(at, i), length)
	}
	return n
}

func insertItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 3, func(l *list) value {
		i := ev.intOf(at, args.at(1))
		if i < 0 {
			i += len(l.items)
		}
		l.items = slices.Insert(l.items, min(max(i, 0), len(l.items)), args.at(2))
		return nil
	})
}

func popItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if v, ok := onDict(args, 2, func(d *dict) value {
		key := ev.key(at, args.at(1))
		v, found := d.get(key)
		if !found && len(args.positional) > 2 {
			return args.at(2)
		}
		ev.remove(at, d, key)
		return v
	}); ok {
		return v, true
	}
	return onList(args, 1, func(l *list) value {
		var index value = -1
		if len(args.positional) > 1 {
			index = args.at(1)
		}
		i := ev.position(at, index, len(l.items))
		v := l.items[i]
		l.items = slices.Delete(l.items, i, i+1)
		return v
	})
}

func (ev *evaluator) find(at script.Position, items []value, x value) int {
	ev.charge(at, len(items)/itemsPerStep)
	for i, item := range items {
		if ev.same(at, item, x) {
			return i
		}
	}
	return -1
}

func removeItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 2, func(l *list) value {
		i := ev.find(at, l.items, args.at(1))
		if i < 0 {
			failAt(at, "the list does not contain %s", text(args.at(1)))
		}
		l.items = slices.Delete(l.items, i, i+1)
		return nil
	})
}

func clearList(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	if d, ok := args.at(0).(*dict); ok {
		*d = *newDict()
		return nil, true
	}
	return onList(args, 1, func(l *list) value {
		l.items = nil
		return nil
	})
}

func reverseList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		slices.Reverse(l.items)
		return nil
	})
}

func copyOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if d, ok := args.at(0).(*dict); ok {
		c := newDict()
		for i, k := range d.keys {
			c.set(k, d.values[i])
		}
		return c, true
	}
	if args.at(0) == nil {
		return &list{}, len(args.positional) == 0
	}
	items, ok := ev.iterate(at, args.at(0))
	if !ok {
		return nil, false
	}
	return &list{items: slices.Clone(items)}, true
}

func indexOfItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 2, func(l *list) value {
		i := ev.find(at, l.items, args.at(1))
		if i < 0 {
			failAt(at, "the list does not contain %s", text(args.at(1)))
		}
		return i
	})
}

func countItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 2, func(l *list) value {
		n := 0
		for _, item := range l.items {
			if ev.same(at, item, args.at(1)) {
				n++
			}
		}
		return n
	})
}

// sliceOf is torch.slice(list, start, end, step); a tensor's slice is an operator.
func sliceOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if isTensor(args.at(0)) {
		return nil, false
	}
	return ev.slice(at, args.at(0), args.at(1), args.at(2), args.at(3)), true
}

func (ev *evaluator) slice(at script.Position, v, low, high, by value) value {
	items, ok := ev.iterate(at, v)
	if !ok {
		failAt(at, "a %s has no slices", kindOf(v))
	}
	step := 1
	if by != nil {
		step = ev.intOf(at, by)
	}
	if step == 0 {
		failAt(at, "a slice has a step of 0")
	}
	// A step below 0 goes from the last item to what is before the first.
	least, most, from, to := 0, len(items), 0, len(items)
	if step < 0 {
		least, most, from, to = -1, len(items)-1, len(items)-1, -1
	}
	bound := func(b value, or int) int {
		if b == nil {
			return or
		}
		n := ev.intOf(at, b)
		if n < 0 {
			n += len(items)
		}
		return min(max(n, least), most)
	}
	from, to = bound(low, from), bound(high, to)
	step = min(max(step, -len(items)-1), len(items)+1) // which is beyond the end
	var out []value
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		out = append(out, items[i])
	}
	switch v.(type) {
	case *tuple:
		return &tuple{items: out}
	case string:
		var s strings.Builder
		for _, c := range out {
			s.WriteString(c.(string))
		}
		return s.String()
	}
	return &list{items: out}
}

func getItemCall(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 2 {
		return nil, false
	}
	return ev.item(at, args.at(0), args.at(1)), true
}

func setItemCall(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 3 {
		return nil, false
	}
	ev.storeItem(at, args.at(0), args.at(1), args.at(2))
	return args.at(0), true
}

func containsCall(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 2 || isTensor(args.at(0)) {
		return nil, false
	}
	return ev.contains(at, args.at(0), args.at(1)), true
}

func deleteItem(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if d, ok := args.at(0).(*dict); ok {
		ev.remove(at, d, ev.key(at, args.at(1)))
		return nil, true
	}
	return onList(args, 2, func(l *list) value {
		i := ev.position(at, args.at(1), len(l.items))
		l.items = slices.Delete(l.items, i, i+1)
		return nil
	})
}

func extendInPlace(ev *evaluator, at script.Position, args arguments) (value, bool) {
	_, ok := extendList(ev, at, args)
	return args.at(0), ok
}

// addLists is + on two lists or tuples.
func addLists(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if x, ok := args.at(0).(*tuple); ok {
		if y, ok := args.at(1).(*tuple); ok {
			return &tuple{items: slices.Concat(x.items, y.items)}, true
		}
	}
	x, ok1 := args.at(0).(*list)
	y, ok2 := args.at(1).(*list)
	if !ok1 || !ok2 {
		return nil, false
	}
	ev.checkLength(at, len(x.items)+len(y.items))
	return &list{items: slices.Concat(x.items, y.items)}, true
}

func repeatList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if _, isNumber := args.at(0).(int); isNumber && len(args.positional) == 2 {
		args.positional = []value{args.at(1), args.at(0)} // 2 * [0]
	}
	return onList(args, 2, func(l *list) value {
		n := max(ev.intOf(at, args.at(1)), 0)
		if len(l.items) > 0 && n > maxItems/len(l.items) {
			ev.checkLength(at, maxItems+1)
		}
		ev.checkLength(at, n*len(l.items))
		return &list{items: slices.Repeat(l.items, n)}
	})
}

func equalLists(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 2 || isTensor(args.at(0)) || isTensor(args.at(1)) {
		return nil, false
	}
	return ev.same(at, args.at(0), args.at(1)), true
}

func unequalLists(ev *evaluator, at script.Position, args arguments) (value, bool) {
	same, ok := equalLists(ev, at, args)
	return same == value(false), ok
}
