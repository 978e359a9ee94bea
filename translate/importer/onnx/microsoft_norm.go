package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	registerIn(microsoft, "SkipLayerNormalization", skipLayerNorm)
	register("SimplifiedLayerNormalization", rmsNorm) // of ONNX Runtime, in ai.onnx's name
	registerIn(microsoft, "SkipSimplifiedLayerNormalization", func(n *node) {
		sum := n.Add(n.tensor(0), n.tensor(1))
		if n.has(3) {
			sum = n.Add(sum, n.tensor(3))
		}
		y, factor := n.meanSquareNorm(sum, n.tensor(2), []int{rank(sum) - 1})
		n.set(y, nil, factor, sum)
	})
	registerIn(microsoft, "GroupNorm", func(n *node) { n.set(n.groupNormWithActivation(n.tensor(0))) })
	registerIn(microsoft, "SkipGroupNorm", func(n *node) {
		x, skip := n.tensor(0), n.tensor(3)
		if rank(skip) == 2 { // of each channel
			skip = n.view(skip, extents(skip)[0], 1, 1, extents(skip)[1])
		}
		sum := n.Add(x, skip)
		if n.has(4) {
			sum = n.Add(sum, n.tensor(4))
		}
		n.set(n.groupNormWithActivation(sum), sum)
	})
	registerIn(microsoft, "GatedAdd", func(n *node) { n.set(n.Add(n.tensor(0), n.Mul(n.tensor(1), n.tensor(2)))) })
	registerIn(microsoft, "GatedRMSNorm", gatedNorm)
	registerIn(microsoft, "EmbedLayerNormalization", func(n *node) {
		n.embed(func(_ int, v ops.Value) ops.Value { return v })
	})
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

// groupNormWithActivation normalizes groups of the channels of x, which come last unless the model says otherwise.
func (n *node) groupNormWithActivation(x ops.Value) ops.Value {
	groups, epsilon := n.int("groups", 0), n.float("epsilon", 1e-5)
	if n.attributes["channels_last"] == nil {
		n.attributes["channels_last"] = &proto.Attribute{Int: 1}
	}
	y := n.channelsFirst(x, func(x ops.Value) ops.Value {
		return n.groupNorm(x, n.To(n.tensor(1), elem(x)), n.To(n.tensor(2), elem(x)), groups, epsilon)
	})
	if n.bool("activation", false) {
		y = n.Call("silu", y)
	}
	return y
}

// gatedNorm divides groups of numbers by the root of their mean square, and multiplies by scale and silu(gate).
func gatedNorm(n *node) {
	x, scale, gate := n.tensor(0), n.tensor(1), n.tensor(2)
	width := size(extents(scale))
	if rank(scale) != 1 || rank(x) == 0 || width == 0 || extents(x)[rank(x)-1]%width != 0 ||
		!slices.Equal(extents(x), extents(gate)) {
		failf("a scale of %s and a gate of %s for %s", shape.String(extents(scale)), shape.String(extents(gate)),
			shape.String(extents(x)))
	}
	groups := n.view(n.To(x, dtype.F32), -1, width)
	y := n.Mul(groups, n.meanSquareFactor(groups, []int{1}, 1e-6))
	y = n.Reshape(n.Mul(y, n.To(scale, dtype.F32)), extents(x))
	n.set(n.To(n.Mul(y, n.Call("silu", n.To(gate, dtype.F32))), elem(x)))
}

// embed sums the embeddings of words, positions and segments, and normalizes the sum. The second result is the
// number of places that the mask does not hide. numbers are those that elements of an input stand for.
func (n *node) embed(numbers func(i int, v ops.Value) ops.Value) {
	ids := n.tensor(0)
	if rank(ids) != 2 {
		failf("takes a matrix of words, not %s", shape.String(extents(ids)))
	}
	batch, length := extents(ids)[0], extents(ids)[1]
	rows := func(table int, index ops.Value) ops.Value {
		flat := n.view(n.To(index, dtype.I64), -1)
		found := numbers(table, n.Call("index_select", n.tensor(table), 0, flat))
		return n.view(found, append(slices.Clone(extents(index)), extents(found)[1])...)
	}
	sum := rows(2, ids)
	if n.has(8) {
		sum = n.Add(sum, rows(3, n.tensor(8)))
	} else {
		sum = n.Add(sum, numbers(3, n.Call("slice.Tensor", n.tensor(3), 0, 0, length, 1)))
	}
	switch {
	case n.has(4) && n.has(1):
		sum = n.Add(sum, rows(4, n.tensor(1)))
	case n.has(4): // all is of the first segment
		sum = n.Add(sum, numbers(4, n.Call("slice.Tensor", n.tensor(4), 0, 0, 1, 1)))
	}
	inner := extents(sum)[2:]
	y := n.Calls("native_layer_norm", sum, inner, numbers(5, n.tensor(5)), numbers(6, n.tensor(6)), n.float("epsilon", 1e-12))[0]
	count := n.Full([]int{batch}, 0, dtype.I32)
	if n.has(7) {
		count = n.To(n.sum(n.tensor(7), []int{1}, false), dtype.I32)
	}
	n.set(y, count, sum)
}
