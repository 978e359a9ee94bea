package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Attention: softmax(query·keyᵀ·scale + mask)·value.
func init() {
	register(&Op{
		Schema: "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, " +
			"Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, " +
			"float? scale=None, bool enable_gqa=False) -> Tensor",
		Infer: inferExpansion(checkAttention),
		Expand: func(e Emit, c *Call) []Value {
			key, value := c.Tensor(1), c.Tensor(2)
			if q := c.Shape(0); c.Bool(7) && len(q) > 2 {
				key, value = e.shareHeads(key, q), e.shareHeads(value, q)
			}
			scale := any(nil)
			if c.Has(6) {
				scale = c.Float(6)
			}
			return e.attention(c.Tensor(0), key, value, c.Tensor(3), c.Bool(5), scale)[:1]
		},
		Samples: samplesOf(Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)},
			Sample{S(2, 2, 4, 8), S(2, 2, 4, 8), S(2, 2, 4, 8), nil, 0.0, true}),
	})
	register(&Op{
		Schema: "_scaled_dot_product_attention_forward(Tensor query, Tensor key, Tensor value, " +
			"Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, " +
			"bool is_causal=False) -> (Tensor, Tensor)",
		Infer: inferExpansion(checkAttention),
		Expand: func(e Emit, c *Call) []Value {
			return e.attention(c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Tensor(3), c.Bool(6), nil)
		},
		Samples: samplesOf(Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)}),
	})
}

// _scaled_dot_product_attention, the name in scripts of PyTorch 1.13.
func init() {
	composite("_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, "+
		"Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, "+
		"bool is_causal=False) -> (Tensor, Tensor)", func(e Emit, c *Call) []Value {
		return e.Emit(e.sameArgs("_scaled_dot_product_attention_forward", c, 7))
	}, Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)})
}

func checkAttention(c *Call) error {
	q, k, v := c.Shape(0), c.Shape(1), c.Shape(2)
	if len(q) < 2 || len(k) < 2 || len(v) < 2 || q[len(q)-1] != k[len(k)-1] ||
		k[len(k)-2] != v[len(v)-2] {
		return c.ShapeErrorf("query %s, key %s and value %s do not fit",
			shape.String(q), shape.String(k), shape.String(v))
	}
	if c.Float(4) != 0 {
		return c.ArgErrorf("dropout_p is %v; only 0 is deterministic", c.Float(4))
	}
	return nil
}

// attentionScale is 1/√(size of the embedding).
func attentionScale(query Value) float64 {
	q := query.Type().Shape
	return 1 / math.Sqrt(float64(q[len(q)-1]))
}

// attention returns the result and the weights. mask may be absent; a bool mask says
// which pairs take part.
func (e Emit) attention(query, key, value, mask Value, causal bool, scale any) []Value {
	q, k := query.Type().Shape, key.Type().Shape
	if scale == nil {
		scale = attentionScale(query)
	}
	scores := e.Mul(e.MatMul(query, e.mT(key)), scale)
	if causal {
		mask = e.Call("tril", e.Full([]int{q[len(q)-2], k[len(k)-2]}, true, dtype.Bool))
	}
	if mask != nil {
		if mask.Type().DType == dtype.Bool {
			scores = e.Where(mask, scores, e.Number(math.Inf(-1), scores))
		} else {
			scores = e.Add(scores, mask)
		}
	}
	weights := e.Call("_softmax", scores, -1, false)
	return []Value{e.MatMul(weights, value), weights}
}

// shareHeads repeats the heads of key or value, so that each serves a group of heads
// of the query.
func (e Emit) shareHeads(v Value, query []int) Value {
	dims := v.Type().Shape
	h := len(dims) - 3
	group := query[len(query)-3] / max(dims[h], 1)
	if group <= 1 {
		return v
	}
	apart := append(append([]int{}, dims[:h+1]...), 1, dims[h+1], dims[h+2])
	v = e.Reshape(v, apart)
	apart[h+1] = group
	together := append([]int{}, dims...)
	together[h] *= group
	return e.Reshape(e.Expand(v, apart), together)
}
