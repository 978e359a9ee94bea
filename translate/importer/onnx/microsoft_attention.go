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
	registerIn(microsoft, "RotaryEmbedding", rotaryWithPlaces)
	registerIn(microsoft, "MRotaryEmbedding", rotaryOfStreams)
	registerIn(microsoft, "Attention", packedAttention)
	registerIn(microsoft, "MultiHeadAttention", multiHeadAttention)
}

// rotaryWithPlaces is [rotary] with the places before the cosines and sines; one place is the first element's.
func rotaryWithPlaces(n *node) {
	places := n.To(n.tensor(1), dtype.I64)
	length := extents(n.tensor(0))[min(rank(n.tensor(0))-2, 2)]
	if rank(places) < 2 && size(extents(places)) == 1 {
		row := n.Call("arange.start", 0, length, dtype.I64)
		places = n.Expand(n.Add(row, n.Reshape(places, nil)), []int{extents(n.tensor(0))[0], length})
	}
	n.rotaryBy(n.value(2), n.value(3), &value{tensor: places})
}

// rotaryBy is [rotary] by these cosines and sines, at these places if there are any. If no number of heads is given,
// they are as wide as the cosines say.
func (n *node) rotaryBy(cos, sin *value, places ...*value) {
	n.in = append([]*value{n.in[0], cos, sin}, places...)
	if rank(n.tensor(0)) == 3 && n.int("num_heads", 0) == 0 {
		width := 2 * extents(n.tensor(1))[rank(n.tensor(1))-1]
		n.attributes["num_heads"] = &proto.Attribute{Int: int64(extents(n.tensor(0))[2] / max(width, 1))}
	}
	rotary(n)
}

// rotaryOfStreams is [rotary] for places in three streams [3 N T]: time, height and width. Each angle is that of one
// stream. The first angles are of time, those behind them of height, and the last of width; or, with mrope_layout 1,
// height and width take turns with time, as long as they have any left.
func rotaryOfStreams(n *node) {
	places := n.tensor(1)
	section, _ := n.ints("mrope_section")
	count := 0
	for _, s := range section {
		if s < 0 {
			failf("mrope_section %v", section)
		}
		count += s
	}
	if cache := n.tensor(2); len(section) != 3 || rank(places) != 3 || extents(places)[0] != 3 || rank(cache) != 2 || extents(cache)[1] != count {
		failf("mrope_section %v for positions of %s and a cache of %s", section, shape.String(extents(places)), shape.String(extents(cache)))
	}
	var of func(angle int) int
	switch layout := n.int("mrope_layout", 0); layout {
	case 0:
		of = func(angle int) int {
			switch {
			case angle < section[0]:
				return 0
			case angle < section[0]+section[1]:
				return 1
			}
			return 2
		}
	case 1:
		of = func(angle int) int {
			if stream := angle % 3; angle < 3*section[stream] {
				return stream
			}
			return 0
		}
	default:
		failf("mrope_layout %d is not supported", layout)
	}
	dims := append(slices.Clone(extents(places)), count)
	streams := n.Expand(n.constant(n.numbers(dtype.I64, []int{1, 1, 1, count}, of)), append([]int{1}, dims[1:]...))
	angles := func(i int) *value {
		cache := n.tensor(i)
		all := n.view(n.Call("index_select", cache, 0, n.view(n.positive(1, extents(cache)[0]), -1)), dims...)
		return &value{tensor: n.Call("select.int", n.Call("gather", all, 0, streams, false), 0, 0)}
	}
	n.rotaryBy(angles(2), angles(3))
}

// packedAttention is multi-head attention of X [N T I] with the weights [I 2·H+V] and biases of query, key and
// value together. Past and present keys and values are one tensor [2 N heads P D].
func packedAttention(n *node) {
	x, heads := n.tensor(0), n.int("num_heads", 0)
	if rank(x) != 3 || heads < 1 || n.bool("do_rotary", false) || n.bool("past_present_share_buffer", false) {
		failf("attention of %d heads over %d dimensions, with do_rotary: %v, with past_present_share_buffer: %v", heads,
			rank(x), n.bool("do_rotary", false), n.bool("past_present_share_buffer", false))
	}
	batch, length := extents(x)[0], extents(x)[1]
	all := n.Call("matmul", x, n.tensor(1))
	if n.has(2) {
		all = n.Add(all, n.tensor(2))
	}
	widths, ok := n.ints("qkv_hidden_sizes")
	if !ok {
		widths = slices.Repeat([]int{extents(all)[2] / 3}, 3)
	}
	if len(widths) != 3 || slices.Min(widths) < 0 || widths[0]+widths[1]+widths[2] != extents(all)[2] {
		failf("qkv_hidden_sizes %v of %d numbers", widths, extents(all)[2])
	}
	at := 0
	part := func(width int) ops.Value {
		if width%heads != 0 {
			failf("%d heads of %d numbers", heads, width)
		}
		at += width
		p := n.Call("slice.Tensor", all, 2, at-width, at, 1)
		return n.Call("transpose.int", n.Call("reshape", p, []int{batch, length, heads, width / heads}), 1, 2)
	}
	query := part(widths[0])
	key := part(widths[1])
	values := part(widths[2])
	past := 0
	if n.has(4) {
		state := n.tensor(4)
		if rank(state) != 5 || extents(state)[0] != 2 {
			failf("a past of %s", shape.String(extents(state)))
		}
		past = extents(state)[3]
		key = n.Call("cat", []ops.Value{n.Call("select.int", state, 0, 0), key}, 2)
		values = n.Call("cat", []ops.Value{n.Call("select.int", state, 0, 1), values}, 2)
	}
	n.set(n.attend(query, key, values, 3, 5, past))
	if n.wants(1) {
		n.set(nil, n.Call("stack", []ops.Value{key, values}, 0))
	}
}

// multiHeadAttention is attention of query [N T H·D] over key and values [N S H·D], or of key and values that
// lie by heads [N H S D], after keys and values of the past. Key and values may lie in the query: [N T H 3 D]; or the
// values in the key: [N S H 2 D].
func multiHeadAttention(n *node) {
	query, heads := n.tensor(0), n.int("num_heads", 0)
	if n.has(8) || n.has(9) {
		failf("past_sequence_length and cache_indirection are not supported: export the model with a past that grows, without buffers that are shared")
	}
	var key, values ops.Value
	switch {
	case rank(query) == 5 && !n.has(1) && !n.has(2):
		key, values = n.Call("select.int", query, 3, 1), n.Call("select.int", query, 3, 2)
		query = n.Call("select.int", query, 3, 0)
	case n.has(1) && n.has(2):
		key, values = n.tensor(1), n.tensor(2)
	case n.has(1) && rank(n.tensor(1)) == 5:
		key, values = n.Call("select.int", n.tensor(1), 3, 0), n.Call("select.int", n.tensor(1), 3, 1)
	default:
		failf("key: %v, values: %v", n.has(1), n.has(2))
	}
	byHeads := func(x ops.Value, apart bool) ops.Value { // apart: [N H S D], not [N S H D]
		d := extents(x)
		if rank(x) == 4 && apart {
			return x
		}
		if rank(x) == 4 {
			return n.Call("transpose.int", x, 1, 2)
		}
		if heads < 1 || rank(x) != 3 || d[2]%heads != 0 {
			failf("%d heads for %s", heads, shape.String(d))
		}
		return n.Call("transpose.int", n.view(x, d[0], d[1], heads, d[2]/heads), 1, 2)
	}
	query = byHeads(query, false)
	key, values = byHeads(key, n.has(2)), byHeads(values, n.has(2))
	if n.has(3) { // of query, key and values
		bias, at := n.tensor(3), 0
		add := func(x ops.Value) ops.Value {
			width := extents(x)[1] * extents(x)[3]
			at += width
			part := n.Call("slice.Tensor", bias, 0, at-width, at, 1)
			return n.Add(x, n.view(part, 1, extents(x)[1], 1, extents(x)[3]))
		}
		query = add(query)
		if !n.has(1) || rank(n.tensor(1)) != 4 { // keys that lie by heads have theirs
			key, values = add(key), add(values)
		}
	}
	past := 0
	if n.has(6) && n.has(7) {
		if rank(n.tensor(6)) != 4 {
			failf("a past of %s", shape.String(extents(n.tensor(6))))
		}
		past = extents(n.tensor(6))[2]
		key = n.Call("cat", []ops.Value{n.tensor(6), key}, 2)
		values = n.Call("cat", []ops.Value{n.tensor(7), values}, 2)
	}
	n.set(n.attend(query, key, values, 4, 5, past), key, values)
}

// attend is softmax(scale·Q·Kᵀ + bias + mask)·V for heads [N H T D], with the heads side by side in the result. The
// mask adds mask_filter_value to keys that are not to be seen.
func (n *node) attend(query, key, values ops.Value, mask, bias, past int) ops.Value {
	length, keys := extents(query)[2], extents(key)[2]
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(extents(query)[3], 1)))
	}
	scores := n.Mul(n.Call("matmul", query, n.Call("transpose.int", key, -2, -1)), scale)
	if n.has(bias) {
		scores = n.Add(scores, n.tensor(bias))
	}
	if n.has(mask) {
		seen := n.seen(n.tensor(mask), extents(query)[0], length, keys, past)
		fill := n.Full([]int{}, n.float("mask_filter_value", -10000), elem(scores))
		scores = n.Add(scores, n.Where(seen, n.Number(0, scores), fill))
	}
	if n.bool("unidirectional", false) && length > 1 { // a single query is the last one
		if keys != past+length {
			failf("unidirectional with %d queries and %d keys: the operator does not say which keys a query sees; "+
				"an attention_bias does", length, keys)
		}
		later := n.Call("triu", n.Full([]int{length, keys}, true, dtype.Bool), past+1)
		scores = n.Call("masked_fill.Scalar", scores, later, math.Inf(-1))
	}
	y := n.Call("matmul", n.Call("softmax.int", scores, -1), values)
	d := extents(y)
	return n.Call("reshape", n.Call("transpose.int", y, 1, 2), []int{d[0], d[2], d[1] * d[3]})
}

// seen returns the keys that a mask lets queries see. The mask has 0 for hidden keys and the shape [N S], [N T S] or [N
// 1 M M]; or the number of keys of each sequence, [N]; or the end and then the start of each sequence, [2·N]; or the
// number of keys of each sequence and then the places where sequences begin in packed queries and keys, [3·N+2].
func (n *node) seen(mask ops.Value, batch, length, keys, past int) ops.Value {
	d := extents(mask)
	column := n.Call("arange.start", 0, keys, dtype.I64)
	switch {
	case rank(mask) == 1 && (d[0] == batch || d[0] == 2*batch || d[0] == 3*batch+2):
		bounds := n.To(mask, dtype.I64)
		of := func(first int) ops.Value {
			return n.view(n.Call("slice.Tensor", bounds, 0, first, first+batch, 1), batch, 1, 1, 1)
		}
		seen := n.Compare("lt", column, of(0))
		if d[0] == 2*batch {
			seen = n.And(seen, n.Compare("ge", column, of(batch)))
		}
		return seen
	case rank(mask) == 2 && d[1] == keys:
		mask = n.view(mask, d[0], 1, 1, keys)
	case rank(mask) == 3:
		mask = n.Call("unsqueeze", mask, 1)
	case rank(mask) == 4 && d[2] >= past+length && d[3] >= keys:
		mask = n.Call("slice.Tensor", mask, 2, past, past+length, 1)
		mask = n.Call("slice.Tensor", mask, 3, 0, keys, 1)
	default:
		failf("a mask of %s for %d queries and %d keys is not supported", shape.String(d), length, keys)
	}
	return n.Compare("ne", mask, 0)
}
