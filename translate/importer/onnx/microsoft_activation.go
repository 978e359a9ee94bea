package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(microsoft, "BiasSoftmax", biasSoftmax)
	registerIn(microsoft, "Gelu", func(n *node) { n.set(n.Call("gelu", n.tensor(0), "none")) })
	registerIn(microsoft, "BiasGelu", func(n *node) {
		n.set(n.Call("gelu", n.Add(n.tensor(0), n.tensor(1)), "none"))
	})
	registerIn(microsoft, "FastGelu", func(n *node) {
		x := n.tensor(0)
		if n.has(1) {
			x = n.Add(x, n.tensor(1))
		}
		n.set(n.Call("gelu", x, "tanh"))
	})
	registerIn(microsoft, "QuickGelu", func(n *node) { n.set(n.swish(n.tensor(0), n.float("alpha", 1.702))) })
	registerIn(microsoft, "BiasSplitGelu", func(n *node) {
		x := n.Add(n.tensor(0), n.tensor(1))
		last := rank(x) - 1
		if extents(x)[last]%2 != 0 {
			failf("two halves of %d numbers", extents(x)[last])
		}
		half := extents(x)[last] / 2
		right := n.Call("gelu", n.Call("slice.Tensor", x, last, half, 2*half, 1), "none")
		n.set(n.Mul(n.Call("slice.Tensor", x, last, 0, half, 1), right))
	})
}

// fusedActivation applies the function that the attribute activation names, if there is one.
func (n *node) fusedActivation(x ops.Value) ops.Value {
	name := n.text("activation", "")
	if name == "" {
		return x
	}
	alpha := func(or float64) float64 { return n.float("activation_alpha", or) }
	beta := func(or float64) float64 { return n.float("activation_beta", or) }
	return n.activation(name, alpha, beta)(x)
}

// biasSoftmax is softmax of the sum with a bias, over all dimensions from axis on at once.
func biasSoftmax(n *node) {
	x, bias := n.tensor(0), n.tensor(1)
	if n.bool("is_inner_broadcast", false) && rank(bias) != rank(x) {
		failf("a bias of %s inside of %s is not supported", shape.String(extents(bias)), shape.String(extents(x)))
	}
	sum := n.Add(x, bias)
	if !slices.Equal(extents(sum), extents(x)) {
		failf("a bias of %s for %s", shape.String(extents(bias)), shape.String(extents(x)))
	}
	n.set(n.Reshape(n.Call("softmax.int", n.flatten(sum, n.int("axis", 1)), 1), extents(x)))
}
