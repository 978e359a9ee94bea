package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("Attention", attention)
	registerIn(preview, "FlexAttention", flexAttention)
}

// attention is ai.onnx's Attention, since version 23: softmax(scale·Q·Kᵀ + mask)·V for each head, with fewer heads of
// keys and values than of queries if the model says so, after keys and values of the past. Its other results are the
// keys and values behind the past's, and the products at a stage that qk_matmul_output_mode names.
func attention(n *node) {
	query, key, values := n.tensor(0), n.tensor(1), n.tensor(2)
	flat := rank(query) == 3
	split := func(x ops.Value, name string) ops.Value {
		if !flat {
			if rank(x) != 4 {
				failf("takes tensors of 3 or 4 dimensions, not %d", rank(x))
			}
			return x
		}
		heads := n.int(name, 0)
		if rank(x) != 3 || heads < 1 || extents(x)[2]%heads != 0 {
			failf("%s is %d for %s", name, heads, shape.String(extents(x)))
		}
		d := extents(x)
		return n.Call("transpose.int", n.view(x, d[0], d[1], heads, d[2]/heads), 1, 2)
	}
	query, key, values = split(query, "q_num_heads"), split(key, "kv_num_heads"), split(values, "kv_num_heads")
	past := 0
	if n.has(4) && n.has(5) {
		if rank(n.tensor(4)) != 4 {
			failf("keys of the past have %d dimensions, not 4", rank(n.tensor(4)))
		}
		past = extents(n.tensor(4))[2]
		key = n.Call("cat", []ops.Value{n.tensor(4), key}, 2)
		values = n.Call("cat", []ops.Value{n.tensor(5), values}, 2)
	}
	presentKey, presentValues := key, values
	heads, shared := extents(query)[1], extents(key)[1]
	if shared < 1 || heads%shared != 0 || extents(values)[1] != shared {
		failf("%d heads of queries, %d of keys and %d of values", heads, shared, extents(values)[1])
	}
	key, values = n.repeatHeads(key, heads/shared), n.repeatHeads(values, heads/shared)

	scale := n.float("scale", 1/math.Sqrt(float64(max(extents(query)[3], 1))))
	root := math.Sqrt(math.Abs(scale))
	scores := n.Call("matmul", n.Mul(query, math.Copysign(root, scale)),
		n.Call("transpose.int", n.Mul(key, root), -2, -1))
	soft := n.float("softcap", 0)
	capped := func(x ops.Value) ops.Value {
		if soft > 0 {
			return n.Mul(n.Call("tanh", n.Div(x, soft)), soft)
		}
		return x
	}
	stages := []ops.Value{scores}
	if n.version > 24 { // what is hidden stays hidden
		stages = append(stages, capped(scores))
		stages = append(stages, n.mask(stages[1], past))
	} else { // -∞ of the mask becomes -softcap
		stages = append(stages, n.mask(scores, past))
		stages = append(stages, capped(stages[1]))
	}
	weights := n.softmaxIn(stages[2])
	stages = append(stages, weights)
	y := n.Call("matmul", weights, values)
	if flat {
		d := extents(y)
		y = n.Call("reshape", n.Call("transpose.int", y, 1, 2), []int{d[0], d[2], d[1] * d[3]})
	}
	mode := n.int("qk_matmul_output_mode", 0)
	if mode < 0 || mode >= len(stages) {
		failf("qk_matmul_output_mode %d is not supported", mode)
	}
	n.set(y, presentKey, presentValues, stages[mode])
}

// repeatHeads repeats each head of x [N H T D] for the queries that share it.
func (n *node) repeatHeads(x ops.Value, times int) ops.Value {
	if times == 1 {
		return x
	}
	d := extents(x)
	wide := n.Expand(n.Call("unsqueeze", x, 2), []int{d[0], d[1], times, d[2], d[3]})
	return n.Call("reshape", wide, []int{d[0], d[1] * times, d[2], d[3]})
}

// mask hides keys: those that a mask of truth values leaves out, later ones if the attention is causal, those outside
// of a window, and those behind the lengths that the model gives. A mask of numbers is added.
func (n *node) mask(scores ops.Value, past int) ops.Value {
	queries, keys := extents(scores)[2], extents(scores)[3]
	hide := func(hidden ops.Value) {
		scores = n.Call("masked_fill.Scalar", scores, hidden, math.Inf(-1))
	}
	if n.has(3) {
		mask := n.tensor(3)
		if rank(mask) > 0 {
			if short := keys - extents(mask)[rank(mask)-1]; short > 0 && extents(mask)[rank(mask)-1] != 1 {
				low, high := make([]int, rank(mask)), make([]int, rank(mask))
				high[rank(mask)-1] = short
				var fill any = math.Inf(-1)
				if elem(mask) == dtype.Bool {
					fill = false
				}
				mask = n.padWith(mask, low, high, fill)
			}
		}
		if elem(mask) == dtype.Bool {
			hide(n.Call("logical_not", mask))
		} else {
			scores = n.Add(scores, n.To(mask, elem(scores)))
		}
	}
	row := n.Call("arange.start", 0, queries, dtype.I64)
	column := n.Call("arange.start", 0, keys, dtype.I64)
	var lengths ops.Value
	if n.has(6) {
		lengths = n.view(n.To(n.tensor(6), dtype.I64), -1, 1, 1, 1)
	}
	place := n.Add(n.view(row, queries, 1), past) // of a query among the keys
	if lengths != nil && !n.has(4) {              // the queries are the last of the keys
		place = n.Add(n.view(row, queries, 1), n.Sub(lengths, queries))
	}
	if n.bool("is_causal", false) {
		hide(n.Compare("gt", column, place))
	}
	if left, ok := n.reach("left_window_size"); ok {
		hide(n.Compare("lt", column, n.Sub(place, left)))
	}
	if right, ok := n.reach("right_window_size"); ok {
		hide(n.Compare("gt", column, n.Add(place, right)))
	}
	if lengths != nil {
		hide(n.Compare("ge", column, lengths))
	}
	return scores
}

// reach is how many keys before or after its own place a query sees, as an attribute says; ok is false for all.
func (n *node) reach(attribute string) (keys int, ok bool) {
	keys = n.int(attribute, -1)
	if keys < -1 {
		failf("%s is %d; it counts keys, and -1 is all", attribute, keys)
	}
	return keys, keys >= 0
}

// softmaxIn is softmax in the type that softmax_precision names, f32 for half types. A query that sees no key takes
// nothing.
func (n *node) softmaxIn(scores ops.Value) ops.Value {
	d := elem(scores)
	if d.Size() < 4 {
		d = dtype.F32
	}
	if n.attributes["softmax_precision"] != nil {
		var err error
		if d, err = proto.DTypeOf(int64(n.int("softmax_precision", 1))); err != nil {
			failf("%w", err)
		}
	}
	return n.To(n.Call("_safe_softmax", n.To(scores, d), -1), elem(scores))
}

// flexAttention is softmax(scale·Q·Kᵀ)·V, where graphs of the model may change the scores before softmax and the
// weights after it. Heads of queries share heads of keys in groups.
func flexAttention(n *node) {
	query, key, values := n.tensor(0), n.tensor(1), n.tensor(2)
	if rank(query) != 4 || rank(key) != 4 || rank(values) != 4 {
		failf("takes tensors of 4 dimensions, not %d, %d and %d", rank(query), rank(key), rank(values))
	}
	heads, shared := extents(query)[1], extents(key)[1]
	if shared < 1 || heads%shared != 0 || extents(values)[1] != shared {
		failf("%d heads of queries, %d of keys and %d of values", heads, shared, extents(values)[1])
	}
	key, values = n.repeatHeads(key, heads/shared), n.repeatHeads(values, heads/shared)
	precision := dtype.F32
	if elem(query) == dtype.F64 {
		precision = dtype.F64
	}
	if n.attributes["softmax_precision"] != nil {
		var err error
		if precision, err = proto.DTypeOf(int64(n.int("softmax_precision", 0))); err != nil || !precision.IsFloat() {
			failf("softmax_precision %d is no type of floats", n.int("softmax_precision", 0))
		}
	}
	scale := n.float("scale", 1/math.Sqrt(float64(max(extents(query)[3], 1))))
	scores := n.Mul(n.Call("matmul", query, n.Call("transpose.int", key, -2, -1)), scale)
	scores = n.modified(n.To(scores, precision), "score_mod")
	weights := n.modified(n.Call("softmax.int", scores, -1), "prob_mod")
	n.set(n.To(n.Call("matmul", weights, n.To(values, precision)), elem(query)))
}

// modified runs a graph of the attributes, if it is there, on a tensor; the result has the tensor's type.
func (n *node) modified(x ops.Value, attribute string) ops.Value {
	if n.attributes[attribute] == nil {
		return x
	}
	out := n.ev.subgraph(n.inside(attribute), n.subgraph(attribute), []*value{{tensor: x}})
	if len(out) != 1 {
		failf("%s has %d outputs, not one", attribute, len(out))
	}
	y := n.ev.tensor(out[0])
	if !slices.Equal(extents(y), extents(x)) || elem(y) != elem(x) {
		failf("%s makes %v of %s from %v of %s", attribute, elem(y), shape.String(extents(y)), elem(x),
			shape.String(extents(x)))
	}
	return y
}
