package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() { registerIn(microsoft, "GroupQueryAttention", groupQuery) }

// groupQuery is causal attention in which several heads of queries share a head of keys and values. Before these comes
// a cache of earlier keys and values [N heads P D]; each entry of the batch fills its own part of it. The cache may be
// longer than what it holds; new keys and values go behind that. Positions can be turned into the queries and keys
// here.
func groupQuery(n *node) {
	heads, shared := n.int("num_heads", 0), n.int("kv_num_heads", 0)
	query := n.tensor(0)
	if heads < 1 || shared < 1 || heads%shared != 0 || rank(query) != 3 {
		failf("%d heads of queries and %d of keys for %s", heads, shared, shape.String(extents(query)))
	}
	for _, name := range []string{"k_quant_type", "v_quant_type"} {
		if kind := n.text(name, "NONE"); kind != "NONE" {
			failf("%s %q is not supported", name, kind)
		}
	}
	if n.bool("sliding_window_cache", false) {
		failf("sliding_window_cache is not supported")
	}
	batch, length := extents(query)[0], extents(query)[1]
	var key, values ops.Value
	if n.has(1) && n.has(2) {
		key, values = n.tensor(1), n.tensor(2)
	} else { // all in one
		width := extents(query)[2] / (heads + 2*shared)
		part := func(from, to int) ops.Value { return n.Call("slice.Tensor", query, 2, from*width, to*width, 1) }
		query, key, values = part(0, heads), part(heads, heads+shared), part(heads+shared, heads+2*shared)
	}
	query, key, values = n.headsOf(query, batch, length, heads), n.headsOf(key, batch, length, shared), n.headsOf(values, batch, length, shared)
	if n.has(14) && n.has(15) {
		query, key = n.headNorm(query, n.tensor(14)), n.headNorm(key, n.tensor(15))
	}
	total := n.integer(6)
	filled := n.view(n.To(n.tensor(5), dtype.I64), batch, 1) // places of the last tokens
	row := n.Call("arange.start", 0, length, dtype.I64)
	past := n.Sub(filled, length-1)
	if total == length { // the first tokens
		past = n.Full([]int{batch, 1}, 0, dtype.I64)
	}
	places := n.Add(past, row) // [N T]
	if n.bool("do_rotary", false) {
		at := places
		if n.has(9) {
			at = n.To(n.tensor(9), dtype.I64)
			if total == length {
				at = n.Add(row, n.Call("select.int", n.view(at, -1), 0, 0))
			}
		}
		query, key = n.rotateByCache(query, key, n.Expand(at, []int{batch, length}))
	}
	query, key = n.Call("transpose.int", query, 1, 2), n.Call("transpose.int", key, 1, 2)
	values = n.Call("transpose.int", values, 1, 2)
	key, values = n.cached(3, key, past, total), n.cached(4, values, past, total)
	scores, weights := n.groupScores(query, n.repeatHeads(key, heads/shared), places, filled)
	y := n.Call("matmul", weights, n.repeatHeads(values, heads/shared))
	y = n.view(n.Call("transpose.int", y, 1, 2), batch, length, heads*extents(y)[3])
	var products ops.Value
	switch mode := n.int("qk_output", 0); mode {
	case 0:
	case 1:
		products = scores
	case 2:
		products = weights
	default:
		failf("qk_output %d is not supported", mode)
	}
	n.set(y, key, values, products)
}

// headsOf returns x [N T heads·D] as [N T heads D].
func (n *node) headsOf(x ops.Value, batch, length, heads int) ops.Value {
	d := extents(x)
	if rank(x) != 3 || d[0] != batch || d[1] != length || d[2]%heads != 0 {
		failf("%d heads for %s", heads, shape.String(d))
	}
	return n.view(x, batch, length, heads, d[2]/heads)
}

// rotateByCache turns queries and keys [N T heads D] by the rows of the cosines (input 7) and sines (input 8) at the
// positions [N T].
func (n *node) rotateByCache(query, key, positions ops.Value) (ops.Value, ops.Value) {
	dims := extents(positions)
	at := n.Call("flatten.using_ints", positions, 0, 1)
	angles := func(i int) ops.Value {
		cache := n.tensor(i)
		if rank(cache) != 2 || 2*extents(cache)[1] > extents(key)[3] {
			failf("a cache of %s for heads of %d numbers", shape.String(extents(cache)), extents(key)[3])
		}
		return n.view(n.Call("index_select", cache, 0, at), dims[0], dims[1], 1, extents(cache)[1])
	}
	cos, sin, pairs := angles(7), angles(8), n.bool("rotary_interleaved", false)
	return n.rotate(query, cos, sin, pairs), n.rotate(key, cos, sin, pairs)
}

// headNorm divides each head of x [N T H D] by the root of its mean square, and scales it.
func (n *node) headNorm(x, scale ops.Value) ops.Value {
	mean := n.Call("mean.dim", n.Square(x), []int{-1}, true)
	return n.Mul(n.Mul(x, n.Call("rsqrt", n.Add(mean, n.float("qk_norm_epsilon", 1e-6)))), scale)
}

// cached puts x [N H T D] into the cache that is input i, behind the past [N 1] of each entry of the batch.
func (n *node) cached(i int, x, past ops.Value, total int) ops.Value {
	d := extents(x)
	length, old := d[2], 0
	all := x
	if n.has(i) {
		cache := n.tensor(i)
		if rank(cache) != 4 || extents(cache)[0] != d[0] || extents(cache)[1] != d[1] || extents(cache)[3] != d[3] {
			failf("a cache of %s for %s", shape.String(extents(cache)), shape.String(d))
		}
		old = extents(cache)[2]
		all = n.Call("cat", []ops.Value{cache, x}, 2)
	}
	size := max(old, total)
	if size < 1 || size > 1<<24 {
		failf("total_sequence_length %d", total)
	}
	// Place j comes from the cache or, behind the past, from x.
	place := n.Call("arange.start", 0, size, dtype.I64)
	fresh := n.Sub(place, past)
	isFresh := n.And(n.Compare("ge", fresh, 0), n.Compare("lt", fresh, length))
	from := n.Where(isFresh, n.Add(fresh, old), n.Call("clamp", place, nil, old+length-1))
	index := n.Expand(n.view(from, d[0], 1, size, 1), []int{d[0], d[1], size, d[3]})
	return n.Call("gather", all, 2, index, false)
}

// groupScores returns scale·Q·Kᵀ with soft caps, biases and masks, and softmax of it. The queries are at the given
// places [N T], and the last keys at filled [N 1].
func (n *node) groupScores(query, key, places, filled ops.Value) (scores, weights ops.Value) {
	d := extents(query)
	batch, heads, length, keys := d[0], d[1], d[2], extents(key)[2]
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(d[3], 1)))
	}
	scores = n.Mul(n.Call("matmul", query, n.Call("transpose.int", key, -2, -1)), scale)
	if soft := n.float("softcap", 0); soft > 0 {
		scores = n.Mul(n.Call("tanh", n.Div(scores, soft)), soft)
	}
	if n.has(10) {
		bias := n.tensor(10)
		if rank(bias) != 4 || extents(bias)[3] > keys {
			failf("a bias of %s for %d keys", shape.String(extents(bias)), keys)
		}
		scores = n.Add(scores, n.padWith(bias, make([]int, 4), []int{0, 0, 0, keys - extents(bias)[3]}, 0))
	}
	column := n.Call("arange.start", 0, keys, dtype.I64)
	hide := func(hidden ops.Value) {
		scores = n.Call("masked_fill.Scalar", scores, hidden, math.Inf(-1))
	}
	window := n.int("local_window_size", -1)
	if !n.bool("causal", true) {
		if window >= 0 {
			failf("local_window_size %d without causal", window)
		}
		hide(n.Compare("gt", column, n.view(filled, batch, 1, 1, 1)))
	} else {
		at := n.view(places, batch, 1, length, 1)
		hide(n.Compare("gt", column, at))
		if window > 0 { // as many keys as that, the query's own among them
			hide(n.Compare("le", column, n.Sub(at, window)))
		}
	}
	d32 := n.To(scores, dtype.F32)
	if !n.has(11) && !n.bool("smooth_softmax", false) {
		return scores, n.To(n.Call("softmax.int", d32, -1), elem(scores))
	}
	// One more score for each head takes a share of the weights.
	sink := n.Full([]int{1, 1, 1, 1}, 0, dtype.F32)
	if n.has(11) {
		sink = n.view(n.To(n.tensor(11), dtype.F32), 1, heads, 1, 1)
	}
	sink = n.Expand(sink, []int{batch, heads, length, 1})
	all := n.Call("softmax.int", n.Call("cat", []ops.Value{d32, sink}, 3), -1)
	return scores, n.To(n.Call("slice.Tensor", all, 3, 0, keys, 1), elem(scores))
}
