package onnx

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// texts returns input i, whose elements are texts.
func (n *node) texts(i int) *Texts {
	v := n.value(i)
	if v.texts == nil {
		failf("input %q has no texts", n.Inputs[i])
	}
	return v.texts
}

// setTexts gives output i texts.
func (n *node) setTexts(i int, dims []int, list []string) {
	if i < len(n.out) {
		n.out[i] = &value{texts: &Texts{Shape: dims, Elements: list}}
	}
}

// maxTexts bounds the elements of a tensor of texts.
const maxTexts = 1 << 22

// room refuses a shape of too many texts, and counts those that it has.
func (n *node) room(dims []int) {
	if err := shape.Check(dims); err != nil {
		failf("%w", err)
	}
	if shape.Size(dims) > maxTexts {
		failf("%s of texts; there may be %d", shape.String(dims), maxTexts)
	}
	n.ev.work(shape.Size(dims))
}

// hasTexts reports whether an input has texts.
func (n *node) hasTexts() bool {
	for _, v := range n.in {
		if v != nil && v.texts != nil {
			return true
		}
	}
	return false
}

// moveTexts runs an operator that only moves elements on numbers that stand for texts.
func (n *node) moveTexts(run func()) {
	var all []string
	for i := range n.in {
		if n.Op == "Concat" || n.Op == "Where" && i > 0 {
			n.texts(i) // no numbers beside texts
		}
	}
	numbered := make([]*value, len(n.in))
	for i, v := range n.in {
		if numbered[i] = v; v == nil || v.texts == nil {
			continue
		}
		first := len(all)
		all = append(all, v.texts.Elements...)
		numbered[i] = knownValue(n.numbers(dtype.I64, v.texts.Shape, func(k int) int { return first + k }))
	}
	n.in = numbered
	run()
	for i, v := range n.out {
		if v == nil {
			continue
		}
		n.room(v.dims())
		b := n.ev.elements(v, n.Outputs[i])
		list := make([]string, b.Len())
		for k := range list {
			list[k] = all[b.Int64(k)]
		}
		n.setTexts(i, b.Shape, list)
	}
}

// textAt is an element of broadcast texts.
func textAt(t *Texts, index []int) string { return t.Elements[stretched(t.Shape, index)] }

// pairOfTexts visits the elements of two inputs, which are broadcast.
func (n *node) pairOfTexts(visit func(x, y string)) []int {
	x, y := n.texts(0), n.texts(1)
	dims, err := shape.Broadcast(x.Shape, y.Shape)
	if err != nil {
		failf("%w", err)
	}
	n.room(dims)
	each(dims, func(_ int, index []int) { visit(textAt(x, index), textAt(y, index)) })
	return dims
}

// truths returns a known tensor of truth values.
func truths(dims []int, list []bool) *buf.Buffer {
	b := buf.New(dtype.Bool, dims)
	for i, v := range list {
		if v {
			b.SetInt64(i, 1)
		}
	}
	return b
}
