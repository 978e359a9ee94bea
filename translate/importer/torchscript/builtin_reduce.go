package torchscript

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/go-acap/acap/base/script"
)

func sortList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		descending, _ := args.get(1, "reverse")
		ev.sort(at, l.items, descending == true)
		return nil
	})
}

func sortedList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		c := &list{items: slices.Clone(l.items)}
		ev.sort(at, c.items, false)
		return c
	})
}

func (ev *evaluator) sort(at script.Position, items []value, descending bool) {
	ev.charge(at, len(items)*bits.Len(uint(len(items)))/itemsPerStep)
	sort.SliceStable(items, func(i, j int) bool {
		x, y := items[i], items[j]
		if descending {
			x, y = y, x
		}
		return ev.less(at, x, y)
	})
}

// less orders numbers, strings, tuples of them by their first difference, and objects by their __lt__.
func (ev *evaluator) less(at script.Position, x, y value) bool {
	ev.charge(at, 1)
	switch a := x.(type) {
	case *tuple:
		if b, ok := y.(*tuple); ok {
			for i := range min(len(a.items), len(b.items)) {
				if !ev.same(at, a.items[i], b.items[i]) {
					return ev.less(at, a.items[i], b.items[i])
				}
			}
			return len(a.items) < len(b.items)
		}
	case *object:
		if m := a.class.def.Method("__lt__"); m != nil {
			return ev.truth(at, ev.callFunction(at, &closure{function: m, self: a}, arguments{positional: []value{y}}))
		}
	}
	less, ok, _ := arithmetic("lt", []value{x, y})
	if !ok {
		failAt(at, "a %s and a %s have no order", kindOf(x), kindOf(y))
	}
	return less == true
}

func sumOfNumbers(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		var total value = 0
		for _, item := range l.items {
			total = ev.binary(at, "+", total, item)
		}
		return total
	})
}

// extremeOf is min or max of a list of numbers.
func extremeOf(name string) builtin {
	return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
		if len(args.positional) != 1 {
			return nil, false
		}
		return onList(args, 1, func(l *list) value {
			if len(l.items) == 0 {
				failAt(at, "%s of an empty list", name)
			}
			best := l.items[0]
			for _, item := range l.items[1:] {
				v, ok, _ := arithmetic(name, []value{best, item})
				if !ok {
					failAt(at, "%s of a %s", name, kindOf(l))
				}
				best = v
			}
			return best
		})
	}
}

func anyOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		for _, item := range l.items {
			if ev.truth(at, item) {
				return true
			}
		}
		return false
	})
}

func allOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	return onList(args, 1, func(l *list) value {
		for _, item := range l.items {
			if !ev.truth(at, item) {
				return false
			}
		}
		return true
	})
}

// rangeLength is what a loop over range(low, high, step) compiles to.
func rangeLength(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 3 {
		return nil, false
	}
	return ev.rangeCall(at, args.positional).(rangeValue).len(), true
}

func deriveIndex(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 3 {
		return nil, false
	}
	return ev.intOf(at, args.at(1)) + ev.intOf(at, args.at(0))*ev.intOf(at, args.at(2)), true
}

func rangeList(ev *evaluator, at script.Position, args arguments) (value, bool) {
	items, ok := ev.iterate(at, ev.rangeCall(at, args.positional))
	return &list{items: items}, ok
}
