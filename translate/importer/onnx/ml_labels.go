package onnx

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(classical, "LabelEncoder", func(n *node) {
		if n.version < 2 {
			list := n.strings("classes_strings")
			numbers := make([]int, len(list))
			for i := range numbers {
				numbers[i] = i
			}
			n.categories(list, numbers)
			return
		}
		n.encode(n.labels("keys", "", math.NaN()), n.labels("values", "default", math.Copysign(0, -1)))
	})
	registerIn(classical, "CategoryMapper", func(n *node) {
		numbers, _ := n.ints("cats_int64s")
		n.categories(n.strings("cats_strings"), numbers)
	})
	registerIn(classical, "OneHotEncoder", encodeOneHot)
}

// labels are keys or values of a mapping: texts, or numbers with their type.
type labels struct {
	texts   []string
	numbers *buf.Buffer // nil if they are texts
	// The value for a key that is not there.
	defaultText   string
	defaultNumber float64
}

func (l labels) len() int {
	if l.numbers == nil {
		return len(l.texts)
	}
	return l.numbers.Len()
}

// labels reads the attribute prefix_strings, _int64s, _floats or _tensor, whichever the node has.
func (n *node) labels(prefix, or string, orFloat float64) labels {
	l := labels{defaultText: n.text(or+"_string", "_Unused")}
	count := 0
	if list := n.strings(prefix + "_strings"); list != nil {
		l.texts = list
		count++
	}
	if list, ok := n.ints(prefix + "_int64s"); ok {
		l.numbers, l.defaultNumber = vector(list), float64(n.int(or+"_int64", -1))
		count++
	}
	if list := n.exactFloats(prefix + "_floats"); list != nil {
		l.numbers, l.defaultNumber = buf.New(dtype.F32, []int{len(list)}), n.float(or+"_float", orFloat)
		for i, v := range list {
			l.numbers.SetFloat64(i, v)
		}
		count++
	}
	if v := n.attributeTensor(prefix + "_tensor"); v != nil {
		count++
		switch {
		case v.texts != nil:
			l.texts = v.texts.Elements
		case v.known.DType.IsFloat():
			l.numbers, l.defaultNumber = v.known, orFloat
		default:
			l.numbers, l.defaultNumber = v.known, -1
		}
		if d := n.attributeTensor(or + "_tensor"); d != nil {
			switch {
			case d.texts != nil && v.texts != nil && len(d.texts.Elements) == 1:
				l.defaultText = d.texts.Elements[0]
			case d.known != nil && v.known != nil && d.known.Len() == 1:
				l.defaultNumber = d.known.Float64(0)
			default:
				failf("attribute %s_tensor is not one value of the type of %s_tensor", or, prefix)
			}
		}
	}
	if count != 1 {
		failf("%d attributes %s_* are given, not one", count, prefix)
	}
	return l
}

// encode maps every element of the input to the value of its key; of equal keys the last one holds.
func (n *node) encode(keys, values labels) {
	if keys.len() != values.len() {
		failf("%d keys for %d values", keys.len(), values.len())
	}
	if (keys.numbers == nil) != (n.value(0).texts != nil) {
		failf("keys are texts: %v, elements of %q: %v", keys.numbers == nil, n.Inputs[0], n.value(0).texts != nil)
	}
	if keys.numbers != nil && values.numbers != nil {
		n.set(n.encodeNumbers(keys.numbers, values))
		return
	}
	var places []int // -1 for no key
	var dims []int
	if x := n.value(0).texts; x != nil {
		at := map[string]int{}
		for i, s := range keys.texts {
			at[s] = i
		}
		dims = x.Shape
		for _, s := range x.Elements {
			places = append(places, placeOr(at, s))
		}
	} else {
		at := map[number]int{}
		for i := range keys.numbers.Len() {
			at[numberAt(keys.numbers, i)] = i
		}
		b := n.known(0)
		dims = b.Shape
		for i := range b.Len() {
			places = append(places, placeOr(at, numberAt(b, i)))
		}
	}
	n.room(dims)
	if values.numbers == nil {
		list := make([]string, len(places))
		for i, at := range places {
			if list[i] = values.defaultText; at >= 0 {
				list[i] = values.texts[at]
			}
		}
		n.setTexts(0, dims, list)
		return
	}
	out := n.buffer(values.numbers.DType, dims)
	for i, at := range places {
		if at < 0 {
			out.SetFloat64(i, values.defaultNumber)
			continue
		}
		copyElement(out, i, values.numbers, at)
	}
	n.setKnown(0, out)
}

// number is an element as a key: all NaN are one.
type number struct {
	integer int64
	float   float64
	isNaN   bool
}

func numberAt(b *buf.Buffer, i int) number {
	if !b.DType.IsFloat() {
		return number{integer: b.Int64(i)}
	}
	v := b.Float64(i)
	if math.IsNaN(v) {
		return number{isNaN: true}
	}
	return number{float: v + 0} // zeros have no sign
}

// copyElement copies element j of a tensor to place i of another of its type.
func copyElement(out *buf.Buffer, i int, from *buf.Buffer, j int) {
	step := out.DType.Size()
	copy(out.Bytes()[i*step:(i+1)*step], from.Bytes()[j*step:])
}

func placeOr[K comparable](at map[K]int, key K) int {
	if i, ok := at[key]; ok {
		return i
	}
	return -1
}

// encodeNumbers finds numbers among sorted keys.
func (n *node) encodeNumbers(keys *buf.Buffer, values labels) ops.Value {
	x := n.tensor(0)
	if elem(x) != keys.DType {
		failf("keys are %v, elements of %q are %v", keys.DType, n.Inputs[0], elem(x))
	}
	last, nan := map[number]int{}, -1
	for i := range keys.Len() {
		if v := numberAt(keys, i); v.isNaN {
			nan = i
		} else {
			last[v] = i
		}
	}
	order := slices.SortedFunc(maps.Values(last), func(i, j int) int {
		a, b := numberAt(keys, i), numberAt(keys, j)
		return cmp.Or(cmp.Compare(a.integer, b.integer), cmp.Compare(a.float, b.float))
	})
	d := values.numbers.DType
	y := n.Full(extents(x), values.defaultNumber, dtype.F64)
	y = n.To(y, d)
	if len(order) > 0 {
		count := []int{len(order)}
		sorted, found := n.buffer(keys.DType, count), n.buffer(d, count)
		for k, i := range order {
			copyElement(sorted, k, keys, i)
			copyElement(found, k, values.numbers, i)
		}
		table := n.constant(sorted)
		at := n.Call("clamp", n.Call("searchsorted.Tensor", table, x), nil, len(order)-1)
		flat := n.view(at, size(extents(x)))
		pick := func(from ops.Value) ops.Value { return n.Reshape(n.Call("index_select", from, 0, flat), extents(x)) }
		y = n.Where(n.Call("eq.Tensor", pick(table), x), pick(n.constant(found)), y)
	}
	if nan >= 0 {
		one := n.buffer(d, nil)
		copyElement(one, 0, values.numbers, nan)
		y = n.Where(n.Call("isnan", x), n.constant(one), y)
	}
	return y
}

// categories maps texts to numbers, or numbers to texts, whichever the input has.
func (n *node) categories(list []string, numbers []int) {
	texts := labels{texts: list, defaultText: n.text("default_string", "_Unused")}
	integers := labels{numbers: vector(numbers), defaultNumber: float64(n.int("default_int64", -1))}
	if n.value(0).texts != nil {
		n.encode(texts, integers)
		return
	}
	n.encode(integers, texts)
}

// encodeOneHot adds a dimension with 1 where the category is, and 0 elsewhere. A value that is no category has zeros,
// or is refused.
func encodeOneHot(n *node) {
	v := n.value(0)
	if texts := n.strings("cats_strings"); texts != nil {
		at := map[string]int{}
		for i, s := range texts {
			at[s] = i
		}
		x := n.texts(0)
		dims := append(slices.Clone(x.Shape), len(texts))
		out := n.buffer(dtype.F32, dims)
		for i, s := range x.Elements {
			if k, ok := at[s]; ok {
				out.SetFloat64(i*len(texts)+k, 1)
			} else if !n.bool("zeros", true) {
				failf("%q is no category", s)
			}
		}
		n.setKnown(0, out)
		return
	}
	list, ok := n.ints("cats_int64s")
	if !ok || v.texts != nil {
		failf("categories of numbers: %v, elements that are texts: %v", ok, v.texts != nil)
	}
	x := n.To(n.tensor(0), dtype.I64)
	if !n.bool("zeros", true) {
		b := n.known(0).Cast(dtype.I64)
		for i := range b.Len() {
			if !slices.Contains(list, int(b.Int64(i))) {
				failf("%d is no category", b.Int64(i))
			}
		}
	}
	if err := shape.Check(append(slices.Clone(extents(x)), len(list))); err != nil {
		failf("%w", err)
	}
	hit := n.Call("eq.Tensor", n.Call("unsqueeze", x, rank(x)), n.constant(vector(list)))
	n.set(n.To(hit, dtype.F32))
}
