package onnx

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(classical, "ZipMap", func(n *node) {
		x := n.tensor(0)
		if rank(x) == 1 {
			x = n.Call("unsqueeze", x, 0)
		}
		c := n.classes("classlabels_int64s")
		if rank(x) != 2 || extents(x)[1] != c.len() {
			failf("%d classes for %v", c.len(), extents(x))
		}
		keys := &value{texts: &Texts{Shape: []int{c.len()}, Elements: c.texts}}
		if c.texts == nil {
			keys = knownValue(vector(c.numbers))
		}
		out := &value{isList: true}
		n.ev.step(extents(x)[0])
		for i := range extents(x)[0] {
			out.list = append(out.list, &value{keys: keys, items: &value{tensor: n.Call("select.int", x, 0, i)}})
		}
		n.out[0] = out
	})
	registerIn(classical, "DictVectorizer", vectorizeMap)
	registerIn(classical, "CastMap", castMap)
}

// mapOf returns the keys and items of input i.
func (n *node) mapOf(i int) (keys, items *value) {
	v := n.value(i)
	if v.keys == nil {
		failf("input %q is no map", n.Inputs[i])
	}
	if k, of := v.keys.dims(), v.items.dims(); len(k) != 1 || !slices.Equal(k, of) {
		failf("input %q has keys of %v for items of %v", n.Inputs[i], k, of)
	}
	return v.keys, v.items
}

// vectorizeMap puts the items of a map where the vocabulary has their keys, and zeros elsewhere.
func vectorizeMap(n *node) {
	keys, items := n.mapOf(0)
	places := []int{}
	words := n.strings("string_vocabulary")
	numbers, _ := n.ints("int64_vocabulary")
	if (words == nil) == (numbers == nil) {
		failf("a vocabulary of %d texts and %d numbers", len(words), len(numbers))
	}
	width := len(words) + len(numbers)
	if (keys.texts != nil) != (words != nil) {
		failf("keys are texts: %v, words of the vocabulary are: %v", keys.texts != nil, words != nil)
	}
	if words != nil {
		for _, s := range keys.texts.Elements {
			places = append(places, slices.Index(words, s))
		}
	} else {
		for _, v := range integers(n.ev.elements(keys, n.Inputs[0])) {
			places = append(places, slices.Index(numbers, v))
		}
	}
	n.ev.work(width * len(places))
	from := slices.Repeat([]int{len(places)}, width) // a zero stands behind the items
	for i, at := range places {
		if at < 0 {
			failf("key %d of the map is not in the vocabulary", i)
		}
		from[at] = i
	}
	dims := []int{1, width}
	if items.texts != nil {
		list := make([]string, width)
		for k, i := range from {
			if i < len(places) {
				list[k] = items.texts.Elements[i]
			}
		}
		n.setTexts(0, dims, list)
		return
	}
	x := n.ev.tensor(items)
	padded := n.Call("cat", []ops.Value{x, n.Full([]int{1}, 0, elem(x))}, 0)
	n.set(n.view(n.Call("index_select", padded, 0, n.constant(vector(from))), dims...))
}

// castMap orders the items of a map by their keys, or puts each where its key says, and converts them.
func castMap(n *node) {
	keys, items := n.mapOf(0)
	order := integers(n.ev.elements(keys, n.Inputs[0]))
	sorted := make([]int, len(order))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(i, j int) int { return cmp.Compare(order[i], order[j]) })
	from := sorted
	switch form := n.text("map_form", "DENSE"); form {
	case "DENSE":
	case "SPARSE":
		width := n.int("max_map", 1)
		n.room([]int{max(width, 0)})
		from = slices.Repeat([]int{-1}, max(width, 0))
		for i, at := range order {
			if at < 0 || at >= width {
				failf("key %d for a max_map of %d", at, width)
			}
			from[at] = i
		}
	default:
		failf("map_form %q is not supported", form)
	}
	dims := []int{1, len(from)}
	texts := items.texts
	to := n.text("cast_to", "TO_FLOAT")
	if texts == nil && to == "TO_STRING" {
		b := n.ev.elements(items, n.Inputs[0])
		texts = &Texts{Shape: b.Shape, Elements: printed(b)}
	}
	if texts != nil {
		list := make([]string, len(from))
		for k, i := range from {
			if i >= 0 {
				list[k] = texts.Elements[i]
			} else if to != "TO_STRING" {
				list[k] = "0"
			}
		}
		if n.setTexts(0, dims, list); to == "TO_STRING" {
			return
		}
		n.set(n.To(n.parsed(n.out[0].texts), n.castTarget(to)))
		return
	}
	x := n.ev.tensor(items)
	padded := n.Call("cat", []ops.Value{x, n.Full([]int{1}, 0, elem(x))}, 0)
	at := n.numbers(dtype.I64, []int{len(from)}, func(k int) int {
		if from[k] < 0 {
			return len(order)
		}
		return from[k]
	})
	n.set(n.To(n.view(n.Call("index_select", padded, 0, n.constant(at)), dims...), n.castTarget(to)))
}

func (n *node) castTarget(name string) dtype.DType {
	switch name {
	case "TO_FLOAT":
		return dtype.F32
	case "TO_INT64":
		return dtype.I64
	}
	failf("cast_to %q is not supported", name)
	return dtype.Invalid
}
