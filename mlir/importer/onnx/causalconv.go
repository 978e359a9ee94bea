package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	register("CausalConvWithState", causalConv)
	registerIn(microsoft, "CausalConvWithState", causalConv)
}

// causalConv convolves each channel of X [N C L] by itself with weights [C 1 K], so that no result depends on what
// comes later. Before X stand the last K-1 elements of the step before, or zeros; the second result is what the
// next step has there.
func causalConv(n *node) {
	x, w := n.tensor(0), n.tensor(1)
	if rank(x) != 3 || rank(w) != 3 || extents(w)[0] != extents(x)[1] || extents(w)[1] != 1 || extents(w)[2] < 1 {
		failf("weights of %s for an input of %s", shape.String(extents(w)), shape.String(extents(x)))
	}
	before := []int{extents(x)[0], extents(x)[1], extents(w)[2] - 1}
	past := n.Full(before, 0, elem(x))
	if n.has(3) {
		if past = n.tensor(3); !slices.Equal(extents(past), before) {
			failf("a state of %s where %s is needed", shape.String(extents(past)), shape.String(before))
		}
	}
	padded := n.Call("cat", []ops.Value{past, x}, 2)
	one := []int{1}
	y := n.Call("convolution", padded, w, n.optional(2), one, []int{0}, one, false, []int{0}, extents(x)[1])
	switch activation := n.text("activation", "none"); activation {
	case "none", "":
	case "silu", "swish":
		y = n.Call("silu", y)
	default:
		failf("activation %q is not supported", activation)
	}
	length := extents(padded)[2]
	n.set(y, n.Call("slice.Tensor", padded, 2, length-before[2], length, 1))
}
