package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	register("Swish", func(n *node) { n.set(n.swish(n.tensor(0), n.float("alpha", 1))) })
	registerIn(microsoft, "QuickGelu", func(n *node) { n.set(n.swish(n.tensor(0), n.float("alpha", 1.702))) })
	register("SwiGLU", func(n *node) {
		gate, x := n.tensor(0), n.tensor(1)
		if !slices.Equal(extents(gate), extents(x)) {
			failf("a gate of %s for %s", shape.String(extents(gate)), shape.String(extents(x)))
		}
		n.set(n.Mul(n.swish(gate, n.float("alpha", 1)), x))
	})
}

// swish is x·σ(α·x).
func (n *node) swish(x ops.Value, alpha float64) ops.Value {
	return n.Mul(x, n.Call("sigmoid", n.Mul(x, alpha)))
}
