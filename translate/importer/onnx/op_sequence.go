package onnx

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("SequenceEmpty", func(n *node) { n.out[0] = &value{isList: true} })
	register("SequenceConstruct", func(n *node) {
		n.out[0] = &value{isList: true, list: slices.Clone(n.in)}
	})
	register("SequenceLength", func(n *node) {
		n.setKnown(0, buf.From([]int64{int64(len(n.sequence(0)))}))
	})
	register("SequenceAt", func(n *node) {
		list := n.sequence(0)
		n.out[0] = list[n.position(1, len(list), len(list)-1)]
	})
	register("SequenceInsert", func(n *node) {
		list := n.sequence(0)
		at := len(list)
		if n.has(2) {
			at = n.position(2, len(list), len(list))
		}
		n.out[0] = &value{isList: true, list: slices.Insert(slices.Clone(list), at, n.value(1))}
	})
	register("SequenceErase", func(n *node) {
		list := n.sequence(0)
		at := len(list) - 1
		if n.has(1) {
			at = n.position(1, len(list), len(list)-1)
		}
		if at < 0 {
			failf("the sequence is empty")
		}
		n.out[0] = &value{isList: true, list: slices.Delete(slices.Clone(list), at, at+1)}
	})
	register("ConcatFromSequence", func(n *node) {
		list := n.tensors(0)
		if len(list) == 0 {
			failf("the sequence is empty")
		}
		if n.bool("new_axis", false) {
			n.set(n.Call("stack", list, axis(n.int("axis", 0), rank(list[0])+1)))
			return
		}
		n.set(n.Call("cat", list, axis(n.int("axis", 0), rank(list[0]))))
	})
	register("SplitToSequence", splitToSequence)
	register("SequenceMap", sequenceMap)
	register("Optional", func(n *node) {
		if n.has(0) {
			n.out[0] = n.value(0)
			return
		}
		n.out[0] = &value{absent: true}
	})
	register("OptionalHasElement", func(n *node) {
		n.setKnown(0, buf.From([]bool{n.has(0) && !n.value(0).absent}).Reshape(nil))
	})
	register("OptionalGetElement", func(n *node) {
		if n.value(0).absent {
			failf("the optional value has no element")
		}
		n.out[0] = n.value(0)
	})
}

// sequenceMap runs its body on the items of sequences, with tensors that are the same each time.
func sequenceMap(n *node) {
	body, results := n.subgraph("body"), make([]*value, len(n.out))
	for i := range results {
		results[i] = &value{isList: true}
	}
	for i := range n.sequence(0) {
		var inputs []*value
		for k := range n.in {
			v := n.value(k)
			if v.isList {
				if i >= len(v.list) {
					failf("sequences of %d and %d items", len(n.sequence(0)), len(v.list))
				}
				v = v.list[i]
			}
			inputs = append(inputs, v)
		}
		out := n.ev.subgraph(fmt.Sprintf("%s[%d]", n.inside("body"), i), body, inputs)
		if len(out) < len(results) {
			failf("the body has %d outputs for %d", len(out), len(results))
		}
		for k, r := range results {
			r.list = append(r.list, out[k])
		}
	}
	copy(n.out, results)
}

// sequence returns the values of input i.
func (n *node) sequence(i int) []*value {
	v := n.value(i)
	if !v.isList {
		failf("input %q is no sequence", n.Inputs[i])
	}
	return v.list
}

func (n *node) tensors(i int) []ops.Value {
	var list []ops.Value
	for _, v := range n.sequence(i) {
		list = append(list, n.ev.tensor(v))
	}
	return list
}

// position returns the place in a sequence that input i names, at most most.
func (n *node) position(i, length, most int) int {
	at := n.integer(i)
	if at < 0 {
		at += length
	}
	if at < 0 || at > most {
		failf("place %d of a sequence of %d", n.integer(i), length)
	}
	return at
}

func splitToSequence(n *node) {
	x := n.tensor(0)
	d := axis(n.int("axis", 0), rank(x))
	extent, step, drop := extents(x)[d], 1, !n.bool("keepdims", true)
	var sizes []int
	switch {
	case n.has(1) && len(n.known(1).Shape) == 1:
		sizes, drop = n.integers(1), false
	case n.has(1):
		step, drop = n.integer(1), false
		fallthrough
	default:
		if step < 1 {
			failf("parts of %d elements", step)
		}
		n.ev.step(extent / step)
		for at := 0; at < extent; at += step {
			sizes = append(sizes, min(step, extent-at))
		}
	}
	out, at := &value{isList: true}, 0
	for _, s := range sizes {
		if s < 0 || s > extent-at {
			failf("parts of %v elements of %d", sizes, extent)
		}
		part := n.Call("slice.Tensor", x, d, at, at+s, 1)
		if drop {
			part = n.Call("select.int", part, d, 0)
		}
		out.list = append(out.list, &value{tensor: part})
		at += s
	}
	n.out[0] = out
}
