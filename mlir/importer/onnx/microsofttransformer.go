package onnx

import (
	"math"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	registerIn(microsoft, "SkipSimplifiedLayerNormalization", func(n *node) {
		sum := n.Add(n.tensor(0), n.tensor(1))
		if n.has(3) {
			sum = n.Add(sum, n.tensor(3))
		}
		mean := n.Call("mean.dim", n.Square(sum), []int{-1}, true)
		factor := n.Call("rsqrt", n.Add(mean, n.float("epsilon", 1e-5)))
		n.set(n.Mul(n.Mul(sum, factor), n.tensor(2)), nil, factor, sum)
	})
	registerIn(microsoft, "MultiHeadAttention", multiHeadAttention)
	registerIn(microsoft, "RotaryEmbedding", func(n *node) {
		// The places come before the cosines and sines here; one place is that of the first element.
		places := n.To(n.tensor(1), dtype.I64)
		length := extents(n.tensor(0))[min(rank(n.tensor(0))-2, 2)]
		if size(extents(places)) == 1 && length != 1 {
			row := n.Call("arange.start", 0, length, dtype.I64)
			places = n.Expand(n.Add(row, n.Reshape(places, nil)), []int{extents(n.tensor(0))[0], length})
		}
		n.in = []*value{n.in[0], n.value(2), n.value(3), {tensor: places}}
		if rank(n.tensor(0)) == 3 && n.int("num_heads", 0) == 0 { // heads are as wide as the cache says
			width := 2 * extents(n.tensor(1))[rank(n.tensor(1))-1]
			n.attributes["num_heads"] = &attribute{int: int64(extents(n.tensor(0))[2] / max(width, 1))}
		}
		rotary(n)
	})
}

// multiHeadAttention is attention of query [N T H·D] over key and values [N S H·D], or of key and values that
// lie by heads [N H S D], after those of the past. A mask of keys has 0 where not to look, another is added.
func multiHeadAttention(n *node) {
	query, heads := n.tensor(0), n.int("num_heads", 0)
	if rank(query) != 3 || heads < 1 || extents(query)[2]%heads != 0 || !n.has(1) || !n.has(2) {
		failf("%d heads for %s, and key and values: %v", heads, shape.String(extents(query)), n.has(1) && n.has(2))
	}
	key, values := n.tensor(1), n.tensor(2)
	if n.has(3) { // of query, key and values
		bias, at := n.tensor(3), 0
		part := func(width int) ops.Value {
			at += width
			return n.Call("slice.Tensor", bias, 0, at-width, at, 1)
		}
		query = n.Add(query, part(extents(query)[2]))
		if rank(key) == 3 {
			key = n.Add(key, part(extents(key)[2]))
			values = n.Add(values, part(extents(values)[2]))
		}
	}
	byHeads := func(x ops.Value) ops.Value {
		if rank(x) == 4 {
			return x
		}
		d := extents(x)
		if rank(x) != 3 || d[2]%heads != 0 {
			failf("%d heads for %s", heads, shape.String(d))
		}
		return n.Call("transpose.int", n.view(x, d[0], d[1], heads, d[2]/heads), 1, 2)
	}
	query, key, values = byHeads(query), byHeads(key), byHeads(values)
	past := 0
	if n.has(6) && n.has(7) {
		past = extents(n.tensor(6))[2]
		key = n.Call("cat", []ops.Value{n.tensor(6), key}, 2)
		values = n.Call("cat", []ops.Value{n.tensor(7), values}, 2)
	}
	batch, length, keys := extents(query)[0], extents(query)[2], extents(key)[2]
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(extents(query)[3]))
	}
	scores := n.Mul(n.Call("matmul", query, n.Call("transpose.int", key, -2, -1)), scale)
	if n.has(5) {
		scores = n.Add(scores, n.tensor(5))
	}
	if n.has(4) {
		mask := n.tensor(4)
		switch {
		case rank(mask) == 2 && extents(mask)[1] == keys:
			mask = n.view(mask, batch, 1, 1, keys)
		case rank(mask) == 3:
			mask = n.Call("unsqueeze", mask, 1)
		default:
			failf("a mask of %s for %d keys is not supported", shape.String(extents(mask)), keys)
		}
		scores = n.Call("masked_fill.Scalar", scores, n.Compare("eq", mask, 0), n.float("mask_filter_value", -10000))
	}
	if n.bool("unidirectional", false) {
		later := n.Call("triu", n.Full([]int{length, keys}, true, dtype.Bool), past+1)
		scores = n.Call("masked_fill.Scalar", scores, later, math.Inf(-1))
	}
	y := n.Call("matmul", n.Call("softmax.int", scores, -1), values)
	d := extents(y)
	n.set(n.Call("reshape", n.Call("transpose.int", y, 1, 2), []int{d[0], d[2], d[1] * d[3]}), key, values)
}
