package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("Constant", constant)
	register("ConstantOfShape", constantOfShape)
	register("Range", numberRange)
	register("EyeLike", eyeLike)
	register("OneHot", oneHot)
	register("Trilu", func(n *node) {
		name, diagonal := "tril", 0
		if n.bool("upper", true) {
			name = "triu"
		}
		if n.has(1) {
			diagonal = n.integer(1)
		}
		n.set(n.Call(name, n.tensor(0), diagonal))
	})
	window := func(name string, terms ...float64) {
		register(name, func(n *node) { n.window(terms) })
	}
	window("HannWindow", 0.5, -0.5)
	window("HammingWindow", 25.0/46, -21.0/46)
	window("BlackmanWindow", 0.42, -0.5, 0.08)
}

func constant(n *node) {
	if len(n.attributes) != 1 {
		failf("has %d values, not one", len(n.attributes))
	}
	for name, a := range n.attributes {
		switch name {
		case "value":
			v := n.ev.model.weights[a.Tensor]
			if v == nil {
				failf("attribute value is no tensor")
			}
			n.out[0] = &value{elem: v.elem, known: v.known, texts: v.texts, fault: v.fault}
		case "value_float":
			b := buf.From([]float32{a.Float})
			n.setKnown(0, b)
		case "value_int":
			n.setKnown(0, buf.From([]int64{a.Int}))
		case "value_floats":
			n.setKnown(0, buf.From(a.Floats, len(a.Floats)))
		case "value_ints":
			n.setKnown(0, buf.From(a.Ints, len(a.Ints)))
		case "value_string":
			n.setTexts(0, nil, []string{a.Text})
		case "value_strings":
			n.setTexts(0, []int{len(a.Strings)}, a.Strings)
		default:
			failf("attribute %s is not supported", name)
		}
	}
}

func constantOfShape(n *node) {
	dims := n.integers(0)
	for _, d := range dims {
		if d < 0 {
			failf("extent %d", d)
		}
	}
	if err := shape.Check(dims); err != nil {
		failf("%w", err)
	}
	fill := buf.From([]float32{0}, 1)
	if a := n.attributes["value"]; a != nil && a.Tensor != nil {
		v := n.ev.model.weights[a.Tensor]
		if v.fault != nil {
			failf("attribute value: %w", v.fault)
		}
		if v.texts != nil {
			if len(v.texts.Elements) != 1 {
				failf("attribute value is not one text")
			}
			n.room(dims)
			n.setTexts(0, dims, slices.Repeat(v.texts.Elements, size(dims)))
			return
		}
		if fill = v.known; fill.Len() != 1 {
			failf("attribute value is not one number")
		}
	}
	if size(dims) <= small {
		n.setKnown(0, broadcast(fill.Reshape(nil), dims))
		return
	}
	n.set(n.Expand(n.constant(fill.Reshape(nil)), dims))
}

// numberRange counts from start up to limit, which is left out.
func numberRange(n *node) {
	start := n.known(0)
	first, limit, step := n.number(0), n.number(1), n.number(2)
	count := math.Max(0, math.Ceil((limit-first)/step))
	if !(count <= math.MaxInt32) { // a step of 0, or a NaN
		failf("from %v to %v by %v", first, limit, step)
	}
	if !start.DType.IsFloat() && count <= small {
		from, by := start.Int64(0), n.known(2).Int64(0)
		n.setKnown(0, n.numbers(start.DType, []int{int(count)}, func(i int) int {
			return int(from) + i*int(by)
		}))
		return
	}
	wide := start.DType
	if wide.IsFloat() && wide.Size() < 4 && n.int("stash_type", 1) == 1 {
		wide = dtype.F32
	}
	index := n.Call("arange.start", 0, int(count), wide)
	n.set(n.To(n.Add(n.Mul(index, step), first), start.DType))
}

func eyeLike(n *node) {
	x := n.tensor(0)
	if rank(x) != 2 {
		failf("takes a matrix, not a tensor of %d dimensions", rank(x))
	}
	d := n.elementType(elem(x))
	rows, columns := extents(x)[0], extents(x)[1]
	row := n.constant(n.numbers(dtype.I64, []int{rows, 1}, func(i int) int { return i + n.int("k", 0) }))
	column := n.constant(n.numbers(dtype.I64, []int{columns}, func(i int) int { return i }))
	n.set(n.To(n.Compare("eq", row, column), d))
}

// oneHot puts a number where the index is, and another elsewhere; indices out of range are nowhere.
func oneHot(n *node) {
	index, depth, values := n.tensor(0), int(n.number(1)), n.tensor(2)
	at := n.int("axis", -1)
	if at < 0 {
		at += rank(index) + 1
	}
	if at < 0 || at > rank(index) || depth < 0 || size(extents(values)) != 2 {
		failf("axis %d, depth %d, %s values", n.int("axis", -1), depth, shape.String(extents(values)))
	}
	if elem(index).IsFloat() {
		index = n.To(index, dtype.I64)
	}
	index = n.Where(n.Compare("lt", index, 0), n.Add(index, depth), index)
	dims := make([]int, rank(index)+1)
	for i := range dims {
		dims[i] = 1
	}
	dims[at] = depth
	counter := n.constant(n.numbers(elem(index), dims, func(i int) int { return i }))
	hit := n.Compare("eq", n.Call("unsqueeze", index, at), counter)
	off, on := n.Call("select.int", values, 0, 0), n.Call("select.int", values, 0, 1)
	n.set(n.Where(hit, on, off))
}

// window is a sum of cosines over one period.
func (n *node) window(terms []float64) {
	count := n.integer(0)
	if count < 0 || count > 1<<24 {
		failf("a window of %d elements", count)
	}
	d, err := proto.DTypeOf(int64(n.int("output_datatype", 1)))
	if err != nil {
		failf("%w", err)
	}
	period := count
	if !n.bool("periodic", true) {
		period--
	}
	b := n.buffer(d, []int{count})
	for i := range count {
		v := 0.0
		for k, a := range terms {
			v += float64(a * math.Cos(2*math.Pi*float64(k*i)/float64(period)))
		}
		b.SetFloat64(i, v)
	}
	n.setKnown(0, b)
}
