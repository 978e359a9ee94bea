package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	registerIn(microsoft, "FusedMatMul", fusedMatMul)
	registerIn(microsoft, "TransposeMatMul", fusedMatMul)
	registerIn(microsoft, "FusedConv", fusedConv)
	for name, run := range map[string]func(*node){"NhwcConv": fusedConv, "NhwcFusedConv": fusedConv, "NhwcMaxPool": maxPool} {
		registerIn(microsoft, name, func(n *node) { n.onChannelsLast(run) })
	}
	registerIn(microsoft, "GemmFastGelu", func(n *node) {
		y := n.Call("matmul", n.tensor(0), n.tensor(1))
		if n.has(2) {
			y = n.Add(y, n.tensor(2))
		}
		n.set(n.Call("gelu", y, "tanh"))
	})
	registerIn(microsoft, "FusedGemm", func(n *node) {
		gemm(n)
		n.set(n.fusedActivation(n.out[0].tensor))
	})
	registerIn(microsoft, "FusedMatMulActivation", func(n *node) {
		fusedMatMul(n)
		n.set(n.fusedActivation(n.out[0].tensor))
	})
}

func fusedMatMul(n *node) {
	y := n.Call("matmul", n.turned(n.tensor(0), "A"), n.turned(n.tensor(1), "B"))
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = n.Mul(y, alpha)
	}
	n.set(y)
}

// turned transposes operand A or B as the attributes say: transBatch moves the first dimension behind the batch's,
// trans exchanges the last two.
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

// onChannelsLast runs an operator on inputs whose channels come last, the first and the fourth, and its result has them
// there, too.
func (n *node) onChannelsLast(run func(*node)) {
	n.attributes["channels_last"] = &proto.Attribute{Int: 1}
	n.in = slices.Clone(n.in)
	n.set(n.channelsFirst(n.tensor(0), func(x ops.Value) ops.Value {
		n.in[0] = &value{tensor: x}
		if n.has(3) {
			n.channelsFirst(n.tensor(3), func(z ops.Value) ops.Value {
				n.in[3] = &value{tensor: z}
				return z
			})
		}
		run(n)
		return n.out[0].tensor
	}))
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
