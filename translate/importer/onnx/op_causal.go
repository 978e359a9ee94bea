package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("CausalConvWithState", causalConv)
	registerIn(microsoft, "CausalConvWithState", causalConv)
	register("LinearAttention", linearAttention)
	registerIn(microsoft, "LinearAttention", linearAttention)
}

// state is what input i keeps from the step before, or zeros.
func (n *node) state(i int, dims []int, elem dtype.DType) ops.Value {
	if !n.has(i) {
		return n.Full(dims, 0, elem)
	}
	past := n.tensor(i)
	if !slices.Equal(extents(past), dims) {
		failf("a state of %s where %s is needed", shape.String(extents(past)), shape.String(dims))
	}
	return past
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
	padded := n.Call("cat", []ops.Value{n.state(3, before, elem(x)), x}, 2)
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

// linearAttention keeps a matrix S [K V] for each head instead of keys and values. For every token it lets S
// decay by exp(g), adds the outer product of the key with the value (of the delta rules: with β times the value
// less what S had for the key), and reads scale·qᵀS. Heads are side by side in the last dimension of the inputs.
func linearAttention(n *node) {
	rule := n.text("update_rule", "gated_delta")
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	if !gated && !delta && rule != "linear" {
		failf("update_rule %q is not supported", rule)
	}
	if n.has(4) != gated || n.has(5) != delta {
		failf("update_rule %q, with decay: %v, with beta: %v", rule, n.has(4), n.has(5))
	}
	if n.int("state_window", 0) != 0 {
		failf("state_window %d is not supported", n.int("state_window", 0))
	}
	query, key, values := n.tensor(0), n.tensor(1), n.tensor(2)
	heads, shared := n.int("q_num_heads", 0), n.int("kv_num_heads", 0)
	if heads < 1 || shared < 1 || heads%shared != 0 || rank(query) != 3 {
		failf("%d heads of queries and %d of keys for %s", heads, shared, shape.String(extents(query)))
	}
	batch, length := extents(query)[0], extents(query)[1]
	split := func(x ops.Value, heads int) ops.Value { // in f32
		return n.To(n.headsOf(x, batch, length, heads), dtype.F32)
	}
	q, k, v := split(query, heads), split(key, shared), split(values, shared)
	depth, width := extents(k)[3], extents(v)[3]
	if extents(q)[3] != depth {
		failf("queries of %d numbers for keys of %d", extents(q)[3], depth)
	}
	var decay, beta ops.Value
	if gated {
		if decay = n.Call("exp", split(n.tensor(4), shared)); extents(decay)[3] != 1 && extents(decay)[3] != depth {
			failf("a decay of %s for keys of %d numbers", shape.String(extents(n.tensor(4))), depth)
		}
	}
	if delta {
		of := shared
		if last := n.tensor(5); rank(last) == 3 && extents(last)[2] == 1 {
			of = 1
		}
		if beta = split(n.tensor(5), of); extents(beta)[3] != 1 {
			failf("beta of %s for %d heads", shape.String(extents(n.tensor(5))), shared)
		}
	}
	dims := []int{batch, shared, depth, width}
	past := n.state(3, dims, elem(query))
	state, kept := n.To(past, dtype.F32), elem(past)
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(depth, 1)))
	}
	outputs := make([]ops.Value, length)
	for t := range outputs {
		state = n.updated(state, linearStep{k, v, decay, beta}, t)
		// The queries that share a head are the rows of one matrix.
		rows := n.view(n.Call("select.int", q, 1, t), batch, shared, heads/shared, depth)
		outputs[t] = n.view(n.Mul(n.Call("matmul", rows, state), scale), batch, heads*width)
	}
	y := n.Full([]int{batch, 0, heads * width}, 0, dtype.F32)
	if length > 0 {
		y = n.Call("stack", outputs, 1)
	}
	n.set(n.To(y, elem(query)), n.To(state, kept))
}

// linearStep has what changes the state of linear attention, [N T heads D] each; decay and beta may be nil.
type linearStep struct{ keys, values, decay, beta ops.Value }

// updated returns a state behind token t.
func (n *node) updated(state ops.Value, s linearStep, t int) ops.Value {
	column := func(x ops.Value) ops.Value { return n.Call("unsqueeze", n.Call("select.int", x, 1, t), 3) }
	row := func(x ops.Value) ops.Value { return n.Call("unsqueeze", n.Call("select.int", x, 1, t), 2) }
	value, key := row(s.values), column(s.keys)
	if s.decay != nil {
		state = n.Mul(state, column(s.decay))
	}
	if s.beta != nil {
		found := n.Call("matmul", n.Call("transpose.int", key, -2, -1), state)
		value = n.Mul(row(s.beta), n.Sub(value, found))
	}
	return n.Add(state, n.Mul(key, value))
}
