package onnx

import (
	"math"

	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(training, "Adagrad", func(n *node) { n.steps(3, adagrad) })
	registerIn(training, "Adam", func(n *node) { n.steps(4, adam) })
	registerIn(training, "Momentum", func(n *node) { n.steps(3, momentum) })
}

// steps applies a step to each of the tensors that are trained: the inputs are the rate, the number of
// updates so far, and then groups of as many tensors: the tensors, their gradients and what the
// optimiser keeps. The outputs are the tensors and what is kept, renewed.
func (n *node) steps(groups int, step func(n *node, rate ops.Value, count float64, group []ops.Value) []ops.Value) {
	tensors := (len(n.in) - 2) / groups
	if len(n.in) != 2+tensors*groups || tensors < 1 {
		failf("%d inputs are no rate, count and groups of %d", len(n.in), groups)
	}
	rate, count := n.tensor(0), n.number(1)
	for i := range tensors {
		group := make([]ops.Value, groups)
		for k := range group {
			group[k] = n.tensor(2 + k*tensors + i)
		}
		group[1] = n.Add(n.Mul(group[0], n.float("norm_coefficient", 0)), group[1])
		for k, v := range step(n, rate, count, group) {
			if k*tensors+i < len(n.out) {
				n.out[k*tensors+i] = &value{tensor: v}
			}
		}
	}
}

func adagrad(n *node, rate ops.Value, count float64, group []ops.Value) []ops.Value {
	x, g := group[0], group[1]
	rate = n.Div(rate, 1+float64(count*n.float("decay_factor", 0)))
	squares := n.Add(group[2], n.Square(g))
	scale := n.Add(n.Call("sqrt", squares), n.float("epsilon", 1e-6))
	return []ops.Value{n.Sub(x, n.Div(n.Mul(rate, g), scale)), squares}
}

func adam(n *node, rate ops.Value, count float64, group []ops.Value) []ops.Value {
	x, g := group[0], group[1]
	alpha, beta := n.float("alpha", 0.9), n.float("beta", 0.999)
	mean := n.Add(n.Mul(group[2], alpha), n.Mul(g, 1-alpha))
	squares := n.Add(n.Mul(group[3], beta), n.Mul(n.Square(g), 1-beta))
	if count > 0 {
		rate = n.Mul(rate, math.Sqrt(1-math.Pow(beta, count))/(1-math.Pow(alpha, count)))
	}
	scale := n.Add(n.Call("sqrt", squares), n.float("epsilon", 1e-6))
	y := n.Sub(x, n.Div(n.Mul(rate, mean), scale))
	return []ops.Value{n.Mul(y, 1-n.float("norm_coefficient_post", 0)), mean, squares}
}

func momentum(n *node, rate ops.Value, count float64, group []ops.Value) []ops.Value {
	x, g := group[0], group[1]
	alpha, beta := n.float("alpha", 0), n.float("beta", 0)
	if count == 0 {
		beta = 1
	}
	velocity := n.Add(n.Mul(group[2], alpha), n.Mul(g, beta))
	step := velocity
	switch mode := n.text("mode", "standard"); mode {
	case "standard":
	case "nesterov":
		step = n.Add(g, n.Mul(velocity, alpha))
	default:
		failf("mode %q is not supported", mode)
	}
	return []ops.Value{n.Sub(x, n.Mul(rate, step)), velocity}
}
