package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(microsoft, "MoE", func(n *node) {
		n.mixExperts(-1, func(i int) projection { return projection{weights: 2 + 2*i, scales: -1, bias: 3 + 2*i, zeros: -1} })
	})
	registerIn(microsoft, "QMoE", func(n *node) {
		if kind, bits := n.text("quant_type", "int"), n.int("expert_weight_bits", 4); kind != "int" || bits != 2 && bits != 4 && bits != 8 {
			failf("quant_type %q of %d bits is not supported", kind, bits)
		}
		if n.int("weights_prepacked", -1) > 0 {
			failf("weights_prepacked %d is not supported", n.int("weights_prepacked", -1))
		}
		n.mixExperts(14, func(i int) projection {
			return projection{weights: 2 + 3*i, scales: 3 + 3*i, bias: 4 + 3*i, zeros: 11 + i}
		})
	})
}

// projection is a linear layer of each expert: the inputs that hold its weights [E N K], biases [E N] and, where the
// weights are quantized, scales and zero points; -1 for those that the operator does not have.
type projection struct{ weights, scales, bias, zeros int }

// experts are the layers of some experts for some tokens. Either each token [T 1 1 H] has experts of its own, which
// chosen [T·S] names in order, or all experts are applied to all tokens [1 T H].
type experts struct {
	*node
	count  int       // of all experts
	chosen ops.Value // nil for all of them
	tokens int
}

// of returns what an input has for the experts, in front of its other dimensions: [T S …] or [E …].
func (e experts) of(input int) ops.Value {
	v := e.tensor(input)
	if rank(v) < 2 || extents(v)[0] != e.count {
		failf("%s of %d experts", shape.String(extents(v)), e.count)
	}
	if e.chosen == nil {
		return v
	}
	rows := e.Call("index_select", v, 0, e.chosen)
	return e.view(rows, append([]int{e.tokens, -1}, extents(v)[1:]...)...)
}

// apply returns x·Wᵀ + b.
func (e experts) apply(x ops.Value, p projection) ops.Value {
	weights := e.of(p.weights)
	if rank(e.tensor(p.weights)) != 3 {
		failf("weights of %s", shape.String(extents(e.tensor(p.weights))))
	}
	if p.scales >= 0 {
		weights = e.dequantizeExperts(weights, p, extents(x)[rank(x)-1])
	}
	if width := extents(weights)[rank(weights)-1]; width != extents(x)[rank(x)-1] {
		failf("weights of %s for %d numbers", shape.String(extents(e.tensor(p.weights))), extents(x)[rank(x)-1])
	}
	y := e.Call("matmul", x, e.Call("transpose.int", e.To(weights, elem(x)), -2, -1))
	if e.has(p.bias) {
		y = e.Add(y, e.Call("unsqueeze", e.To(e.of(p.bias), elem(x)), -2))
	}
	return y
}

// dequantizeExperts is (weights - zero)·scale for weights [… N K]. A byte has as many weights as fit, the low bits
// first. A scale and a zero point belong to a row, or to a block of a row's elements.
func (e experts) dequantizeExperts(packed ops.Value, p projection, width int) ops.Value {
	bits := e.int("expert_weight_bits", 4)
	weights, scale := e.unpackBits(packed, bits), e.of(p.scales)
	d := extents(weights)
	leading, rows := d[:len(d)-2], d[len(d)-2]
	blocks := 1
	if rank(scale) == len(d) {
		blocks = extents(scale)[len(d)-1]
	}
	if d[len(d)-1] != width || blocks < 1 || width%blocks != 0 || size(extents(scale)) != size(leading)*rows*blocks {
		failf("scales of %s for weights of %s", shape.String(extents(e.tensor(p.scales))), shape.String(extents(e.tensor(p.weights))))
	}
	inBlocks := func(dims ...int) []int { return slices.Concat(leading, []int{rows, blocks}, dims) }
	wide := e.Reshape(e.To(weights, elem(scale)), inBlocks(width/blocks))
	if e.has(p.zeros) {
		zero := e.unpackBits(e.of(p.zeros), bits)
		if size(extents(zero)) != size(leading)*rows*blocks {
			failf("zero points of %s for scales of %s", shape.String(extents(e.tensor(p.zeros))), shape.String(extents(e.tensor(p.scales))))
		}
		wide = e.Sub(wide, e.Reshape(e.To(zero, elem(scale)), inBlocks(1)))
	} else {
		wide = e.Sub(wide, math.Ldexp(1, bits-1))
	}
	return e.Reshape(e.Mul(wide, e.Reshape(scale, inBlocks(1))), d)
}

// mixExperts adds up, for each token, the results of its k experts, times their shares. The k experts have the largest
// scores. The shares are softmax of the scores over all experts, or come from an input; with normalize_routing_weights
// they add up to 1. An expert is fc2(activation(fc1(x))), where a third projection multiplies in between, or gates.
func (n *node) mixExperts(shares int, projections func(i int) projection) {
	if n.bool("use_sparse_mixer", false) {
		failf("use_sparse_mixer is not supported")
	}
	x, scores, k := n.tensor(0), n.tensor(1), n.int("k", 1)
	width := 0
	if rank(x) > 0 {
		width = extents(x)[rank(x)-1]
	}
	tokens := size(extents(x)) / max(width, 1)
	if rank(scores) != 2 || extents(scores)[0] != tokens || k < 1 || k > extents(scores)[1] {
		failf("the best %d of scores of %s for an input of %s", k, shape.String(extents(scores)), shape.String(extents(x)))
	}
	count := extents(scores)[1]
	scores = n.To(scores, dtype.F32)
	best := n.Calls("topk", scores, k, 1, true, true)[1]
	weights := n.Call("softmax.int", scores, 1)
	if shares >= 0 && n.has(shares) {
		weights = n.To(n.tensor(shares), dtype.F32)
	}
	weights = n.Call("gather", weights, 1, best)
	if n.bool("normalize_routing_weights", false) {
		weights = n.Div(weights, n.sum(weights, []int{1}, true))
	}
	e, rows := experts{node: n, count: count, tokens: tokens}, []int{1, tokens, width}
	if tokens*k < count { // less weights to read than all
		e.chosen, rows = n.view(best, tokens*k), []int{tokens, 1, 1, width}
	}
	y := e.apply(e.hidden(n.Reshape(x, rows), projections), projections(1))
	if e.chosen != nil {
		weights = n.view(weights, tokens, k, 1, 1)
	} else {
		all := n.Call("scatter.src", n.Full([]int{tokens, count}, 0, dtype.F32), 1, best, weights)
		weights = n.view(n.Call("t", all), count, tokens, 1)
	}
	mixed := n.sum(n.Mul(n.To(y, dtype.F32), weights), []int{rank(y) - 3}, false)
	n.set(n.Reshape(n.To(mixed, elem(x)), extents(x)))
}

// hidden is what the first projection and the activation make of x. SwiGLU takes gates and what they gate from one
// projection, side by side or in turns, or from the first and the third.
func (e experts) hidden(x ops.Value, projections func(i int) projection) ops.Value {
	y := e.apply(x, projections(0))
	third := func() ops.Value { return e.apply(x, projections(2)) }
	name := e.text("activation_type", "relu")
	switch name {
	case "relu", "silu", "identity", "gelu":
		switch name {
		case "gelu":
			y = e.Call("gelu", y, "tanh")
		case "relu", "silu":
			y = e.Call(name, y)
		}
		if e.has(projections(2).weights) {
			y = e.Mul(y, third())
		}
		return y
	case "swiglu":
	default:
		failf("activation_type %q is not supported", name)
	}
	gate, linear := y, y
	last, width := rank(y)-1, extents(y)[rank(y)-1]
	switch fusion := e.int("swiglu_fusion", 0); {
	case fusion == 0 && e.has(projections(2).weights):
		linear = third()
	case fusion == 1 && width%2 == 0:
		gate = e.Call("slice.Tensor", y, last, 0, width, 2)
		linear = e.Call("slice.Tensor", y, last, 1, width, 2)
	case fusion == 2 && width%2 == 0:
		gate = e.Call("slice.Tensor", y, last, 0, width/2, 1)
		linear = e.Call("slice.Tensor", y, last, width/2, width, 1)
	default:
		failf("swiglu_fusion %d of %d numbers, with a third projection: %v", fusion, width, e.has(projections(2).weights))
	}
	if limit := e.float("swiglu_limit", math.Inf(1)); !math.IsInf(limit, 1) {
		gate, linear = e.Call("clamp", gate, nil, limit), e.Call("clamp", linear, -limit, limit)
	}
	return e.Mul(e.swish(gate, e.float("activation_alpha", 1)), e.Add(linear, e.float("activation_beta", 0)))
}
