package onnx

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("ScatterElements", scatterElements)
	register("Scatter", scatterElements) // its name until version 11
	register("ScatterND", scatterND)
	register("TensorScatter", tensorScatter)
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

// tensorScatter writes an update into a cache of keys or values, for each entry of the batch from a
// place of its own on, around the end if mode is circular.
func tensorScatter(n *node) {
	cache, update := n.tensor(0), n.tensor(1)
	d := axis(n.int("axis", -2), rank(cache))
	if rank(update) != rank(cache) || d == 0 {
		failf("an update of %s for %s along axis %d", shape.String(extents(update)), shape.String(extents(cache)), d)
	}
	dims := make([]int, rank(cache))
	for i := range dims {
		dims[i] = 1
	}
	dims[d] = extents(update)[d]
	at := ops.Value(n.constant(n.numbers(dtype.I64, dims, func(i int) int { return i })))
	if n.has(2) {
		first := append([]int{-1}, dims[1:]...)
		first[d] = 1
		at = n.Add(n.view(n.To(n.tensor(2), dtype.I64), first...), at)
	}
	switch mode := n.text("mode", "linear"); mode {
	case "linear":
	case "circular":
		at = n.Call("remainder.Scalar", at, extents(cache)[d])
	default:
		failf("mode %q is not supported", mode)
	}
	n.set(n.Call("scatter.src", cache, d, n.Expand(at, extents(update)), update))
}
