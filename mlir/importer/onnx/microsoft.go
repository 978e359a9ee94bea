package onnx

import (
	"math"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
)

// microsoft is the domain of the operators that ONNX Runtime's optimizer puts into models.
const microsoft = "com.microsoft"

func init() {
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
	registerIn(microsoft, "FusedMatMul", fusedMatMul)
	registerIn(microsoft, "FusedConv", fusedConv)
	registerIn(microsoft, "SkipLayerNormalization", skipLayerNorm)
	registerIn(microsoft, "Attention", packedAttention)
	register("SimplifiedLayerNormalization", func(n *node) { // of ONNX Runtime, in ai.onnx's name
		x := n.tensor(0)
		d := []int{axis(n.int("axis", -1), rank(x))}
		mean := n.Call("mean.dim", n.Square(x), d, true)
		factor := n.Call("rsqrt", n.Add(mean, n.float("epsilon", 1e-5)))
		n.set(n.Mul(n.Mul(x, factor), n.tensor(1)))
	})
}

func fusedMatMul(n *node) {
	a, b := n.tensor(0), n.tensor(1)
	if n.bool("transA", false) {
		a = n.Call("transpose.int", a, -2, -1)
	}
	if n.bool("transB", false) {
		b = n.Call("transpose.int", b, -2, -1)
	}
	y := n.Call("matmul", a, b)
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = n.Mul(y, alpha)
	}
	n.set(y)
}

// fusedConv adds its fourth input, if there is one, and applies an activation.
func fusedConv(n *node) {
	y := n.convolve(n.tensor(0), n.tensor(1), n.optional(2))
	if n.has(3) {
		y = n.Add(y, n.tensor(3))
	}
	if name := n.text("activation", ""); name != "" {
		parameters := n.floats("activation_params")
		next := func(or float64) float64 { return takeNext(&parameters, or) }
		y = n.activation(name, next, next)(y)
	}
	n.set(y)
}

// skipLayerNorm normalizes the sum of input, skip and bias; the sum is its fourth result.
func skipLayerNorm(n *node) {
	sum := n.Add(n.tensor(0), n.tensor(1))
	if n.has(4) {
		sum = n.Add(sum, n.tensor(4))
	}
	inner := extents(sum)[rank(sum)-1:]
	results := n.Calls("native_layer_norm", sum, inner, n.tensor(2), n.optional(3),
		n.float("epsilon", 1e-12))
	n.set(results[0], results[1], results[2], sum)
}

// packedAttention is multi-head attention of X [N T I] with the weights [I 3·H] and biases of query, key
// and value together. The mask, of keys, holds 0 where not to look, or is added as [N T].
func packedAttention(n *node) {
	x, heads := n.tensor(0), n.int("num_heads", 0)
	if rank(x) != 3 || heads < 1 || n.has(4) {
		failf("attention of %d heads over %d dimensions, with past: %v", heads, rank(x), n.has(4))
	}
	batch, length := extents(x)[0], extents(x)[1]
	all := n.Call("matmul", x, n.tensor(1))
	if n.has(2) {
		all = n.Add(all, n.tensor(2))
	}
	hidden := extents(all)[2] / 3
	if hidden%heads != 0 {
		failf("%d heads of %d numbers", heads, hidden)
	}
	depth := hidden / heads
	part := func(i int) ops.Value {
		p := n.Call("slice.Tensor", all, 2, i*hidden, (i+1)*hidden, 1)
		return n.Call("transpose.int", n.Call("reshape", p, []int{batch, length, heads, depth}), 1, 2)
	}
	query, key, values := part(0), part(1), part(2)
	scale := n.float("scale", 1/math.Sqrt(float64(depth)))
	scores := n.Mul(n.Call("matmul", query, n.Call("transpose.int", key, -2, -1)), scale)
	if n.has(3) {
		mask := n.tensor(3)
		if rank(mask) != 2 {
			failf("a mask of %d dimensions is not supported", rank(mask))
		}
		hidden := n.Compare("eq", n.Reshape(mask, []int{batch, 1, 1, length}), 0)
		scores = n.Call("masked_fill.Scalar", scores, hidden, n.float("mask_filter_value", -10000))
	}
	if n.bool("unidirectional", false) {
		later := n.Call("triu", n.Full([]int{length, length}, true, dtype.Bool), 1)
		scores = n.Call("masked_fill.Scalar", scores, later, math.Inf(-1))
	}
	y := n.Call("matmul", n.Call("softmax.int", scores, -1), values)
	n.set(n.Call("reshape", n.Call("transpose.int", y, 1, 2), []int{batch, length, hidden}))
}
