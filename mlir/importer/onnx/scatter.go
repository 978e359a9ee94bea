package onnx

import (
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	register("ScatterElements", scatterElements)
	register("Scatter", scatterElements) // its name until version 11
	register("ScatterND", scatterND)
}

// reductions are ATen's names of the attribute reduction.
var reductions = map[string]string{"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}

// scatter writes src to the places in x along a dimension, or reduces it with what is there.
func (n *node) scatter(x ops.Value, d int, index, src ops.Value) ops.Value {
	reduction := n.text("reduction", "none")
	if reduction == "none" {
		return n.Call("scatter.src", x, d, index, src)
	}
	name, ok := reductions[reduction]
	if !ok {
		failf("reduction %q is not supported", reduction)
	}
	return n.Call("scatter_reduce.two", x, d, index, src, name, true)
}

func scatterElements(n *node) {
	x := n.tensor(0)
	d := axis(n.int("axis", 0), rank(x))
	n.set(n.scatter(x, d, n.positive(1, extents(x)[d]), n.tensor(2)))
}

// scatterND writes slices of updates to the places in x that an index names.
func scatterND(n *node) {
	x, updates := n.tensor(0), n.tensor(2)
	index, covered := n.indexND(x, 0)
	dims := extents(x)
	count, rest := size(dims[:covered]), size(dims[covered:])
	at := n.linear(index, dims[:covered])
	if size(extents(updates)) != size(extents(at))*rest {
		failf("updates of %s for indices of %s into %s", shape.String(extents(updates)),
			shape.String(extents(index)), shape.String(dims))
	}
	rows := size(extents(at))
	at = n.Expand(n.view(at, rows, 1), []int{rows, rest})
	flat := n.scatter(n.view(x, count, rest), 0, at, n.view(updates, rows, rest))
	n.set(n.Reshape(flat, dims))
}
