package onnx

import (
	"github.com/go-acap/acap/ops"
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
	registerIn(microsoft, "TransposeMatMul", fusedMatMul)
	registerIn(microsoft, "FusedConv", fusedConv)
	registerIn(microsoft, "SkipLayerNormalization", skipLayerNorm)
	register("SimplifiedLayerNormalization", func(n *node) { // of ONNX Runtime, in ai.onnx's name
		x := n.tensor(0)
		d := []int{axis(n.int("axis", -1), rank(x))}
		mean := n.Call("mean.dim", n.Square(x), d, true)
		factor := n.Call("rsqrt", n.Add(mean, n.float("epsilon", 1e-5)))
		n.set(n.Mul(n.Mul(x, factor), n.tensor(1)))
	})
}

func fusedMatMul(n *node) {
	y := n.Call("matmul", n.turned(n.tensor(0), "A"), n.turned(n.tensor(1), "B"))
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = n.Mul(y, alpha)
	}
	n.set(y)
}

// turned transposes operand A or B as the attributes say: transBatch moves the first dimension behind those of the
// batch, trans exchanges the last two.
func (n *node) turned(x ops.Value, operand string) ops.Value {
	r := rank(x)
	if n.bool("transBatch"+operand, false) && r > 2 {
		order := make([]int, r)
		for d := range r - 2 {
			order[d] = d + 1
		}
		order[r-1] = r - 1
		x = n.Call("permute", x, order)
	}
	if n.bool("trans"+operand, false) && r > 1 {
		x = n.Call("transpose.int", x, -2, -1)
	}
	return x
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
