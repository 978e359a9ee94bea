package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/mlir/importer/onnx/proto"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// preview is the domain of operators that may become part of ai.onnx.
const preview = "ai.onnx.preview"

func init() { registerIn(preview, "FlexAttention", flexAttention) }

// flexAttention is softmax(scale·Q·Kᵀ)·V, where graphs of the model may change the scores before softmax and the
// weights after it. Heads of queries share those of keys in groups.
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
