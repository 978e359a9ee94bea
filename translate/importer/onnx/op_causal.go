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
	registerIn(microsoft, "LinearAttentionGate", linearGate)
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

// lastState is what the step before kept at its last token, as in [node.state].
func (n *node) lastState(i int, dims []int, elem dtype.DType) ops.Value {
	window := n.int("state_window", 0)
	if window == 0 {
		return n.state(i, dims, elem)
	}
	if window < 0 || window > 8 {
		failf("state_window %d is not between 0 and 8", window)
	}
	return n.Call("select.int", n.state(i, append([]int{window}, dims...), elem), 0, window-1)
}

// keep returns what the next step reads: the state behind the last token of the given length, or with state_window
// the states behind as many of the last tokens. States from before this step are zeros there.
func (n *node) keep(length int, behind func(tokens int) ops.Value) ops.Value {
	last := behind(length)
	window := n.int("state_window", 0)
	if window == 0 {
		return last
	}
	slots := make([]ops.Value, window)
	for i := range slots {
		if tokens := length - window + 1 + i; tokens >= min(1, length) {
			slots[i] = behind(tokens)
		} else {
			slots[i] = n.Full(extents(last), 0, elem(last))
		}
	}
	return n.Call("stack", slots, 0)
}

// causalConv convolves each channel of X [N C L] by itself with weights [C 1 K], so that no result depends on what
// comes later. Before X stand the last (K-1)·dilation elements of the step before, or zeros; the second result is what
// the next step has there. With channels_last, X is [N L C…], and so is the state.
func causalConv(n *node) {
	x, w := n.tensor(0), n.tensor(1)
	dims, last := extents(x), n.bool("channels_last", false)
	if spatial := n.int("ndim", 1); spatial != 1 {
		failf("ndim %d is not supported", spatial)
	}
	first := func(x ops.Value) ops.Value {
		if !last || rank(x) < 3 {
			return x
		}
		return n.Call("transpose.int", n.view(x, extents(x)[0], extents(x)[1], size(extents(x)[2:])), 1, 2)
	}
	back := func(x ops.Value) ops.Value {
		if !last {
			return x
		}
		return n.Reshape(n.Call("transpose.int", x, 1, 2), append([]int{dims[0], extents(x)[2]}, dims[2:]...))
	}
	x = first(x)
	dilation := n.int("dilation", 1)
	if rank(x) != 3 || rank(w) != 3 || extents(w)[0] != extents(x)[1] || extents(w)[1] != 1 || extents(w)[2] < 1 || dilation < 1 || dilation > 1<<16 {
		failf("weights of %s and dilation %d for an input of %s", shape.String(extents(w)), dilation, shape.String(dims))
	}
	width, length := (extents(w)[2]-1)*dilation, extents(x)[2]
	before := []int{dims[0], extents(x)[1], width}
	if last {
		before = append([]int{dims[0], width}, dims[2:]...)
	}
	padded := n.Call("cat", []ops.Value{first(n.lastState(3, before, elem(x))), x}, 2)
	one := []int{1}
	y := n.Call("convolution", padded, w, n.optional(2), one, []int{0}, []int{dilation}, false, []int{0}, extents(x)[1])
	switch activation := n.text("activation", "none"); activation {
	case "none", "":
	case "silu", "swish":
		y = n.Call("silu", y)
	default:
		failf("activation %q is not supported", activation)
	}
	n.set(back(y), n.keep(length, func(tokens int) ops.Value {
		return back(n.Call("slice.Tensor", padded, 2, tokens, tokens+width, 1))
	}))
}

// linearAttention keeps a matrix S [K V] for each head instead of keys and values. For every token it lets S
// decay by exp(g), adds the outer product of the key with the value (of the delta rules: with β times the value
// less what S had for the key), and reads scale·qᵀS. Heads are side by side in the last dimension of the inputs. In
// com.microsoft there may be fewer heads of queries or of keys than of values: neighbours share one.
func linearAttention(n *node) {
	rule := n.text("update_rule", "gated_delta")
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	if !gated && !delta && rule != "linear" {
		failf("update_rule %q is not supported", rule)
	}
	if n.has(4) != gated || n.has(5) != delta {
		failf("update_rule %q, with decay: %v, with beta: %v", rule, n.has(4), n.has(5))
	}
	query, key, values := n.tensor(0), n.tensor(1), n.tensor(2)
	heads, shared := n.int("q_num_heads", 0), n.int("kv_num_heads", 0)
	fewer := n.Domain == microsoft
	if heads < 1 || shared < 1 || heads%shared != 0 && !(fewer && shared%heads == 0) || rank(query) != 3 {
		failf("%d heads of queries and %d of keys for %s", heads, shared, shape.String(extents(query)))
	}
	batch, length := extents(query)[0], extents(query)[1]
	split := func(x ops.Value, heads int) ops.Value { // in f32
		return n.To(n.headsOf(x, batch, length, heads), dtype.F32)
	}
	q, v := split(query, heads), split(values, shared)
	depth, width := extents(q)[3], extents(v)[3]
	keys := shared
	if wide := extents(key)[rank(key)-1]; fewer && depth > 0 && wide%depth == 0 && wide > 0 && shared%(wide/depth) == 0 {
		keys = wide / depth
	}
	k := split(key, keys)
	if extents(k)[3] != depth {
		failf("queries of %d numbers for keys of %d", depth, extents(k)[3])
	}
	k = n.spreadHeads(k, shared)
	if heads < shared {
		q, heads = n.spreadHeads(q, shared), shared
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
	past := n.lastState(3, dims, elem(query))
	state, kept := n.To(past, dtype.F32), elem(past)
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(depth, 1)))
	}
	outputs, states := make([]ops.Value, length), []ops.Value{state}
	for t := range outputs {
		state = n.updated(state, linearStep{k, v, decay, beta}, t)
		states = append(states, state)
		// The queries that share a head are the rows of one matrix.
		rows := n.view(n.Call("select.int", q, 1, t), batch, shared, heads/shared, depth)
		outputs[t] = n.view(n.Mul(n.Call("matmul", rows, state), scale), batch, heads*width)
	}
	y := n.Full([]int{batch, 0, heads * width}, 0, dtype.F32)
	if length > 0 {
		y = n.Call("stack", outputs, 1)
	}
	n.set(n.To(y, elem(query)), n.keep(length, func(tokens int) ops.Value { return n.To(states[tokens], kept) }))
}

// spreadHeads returns x [N T H D] with as many heads as wanted: each of H stands for its share of them.
func (n *node) spreadHeads(x ops.Value, wanted int) ops.Value {
	return n.Call("transpose.int", n.repeatHeads(n.Call("transpose.int", x, 1, 2), wanted/extents(x)[2]), 1, 2)
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

// linearGate is the decay of linear attention, a scale of softplus(a + bias), and its beta, sigmoid(b). Both compute in
// f32.
func linearGate(n *node) {
	a, bias, scale := n.tensor(0), n.tensor(1), n.tensor(2)
	heads := extents(a)[max(rank(a)-1, 0):]
	if len(heads) == 0 || !slices.Equal(extents(bias), heads) || !slices.Equal(extents(scale), heads) {
		failf("a bias of %s and a scale of %s for %s", shape.String(extents(bias)), shape.String(extents(scale)), shape.String(extents(a)))
	}
	n.set(n.To(n.Mul(scale, n.Call("softplus", n.Add(n.To(a, dtype.F32), bias))), elem(a)))
	if n.wants(1) {
		b := n.tensor(3)
		n.set(nil, n.To(n.Call("sigmoid", n.To(b, dtype.F32)), elem(b)))
	}
}
