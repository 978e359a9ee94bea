package onnx

import (
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

func init() { register("TensorScatter", tensorScatter) }

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
