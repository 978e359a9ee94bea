package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Attention: softmax(query·keyᵀ·scale + mask)·value. A query that sees no key gives 0.
func init() {
	register(&Op{
		Schema: "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, " +
			"Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, " +
			"float? scale=None, bool enable_gqa=False) -> Tensor",
		Infer: inferExpansion(checkAttention),
		Expand: func(e Emit, c *Call) []Value {
			return e.attention(attentionOf{e, c, 3, 5, 6, 7}.read())[:1]
		},
		Samples: samplesOf(Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)},
			Sample{S(2, 2, 4, 8), S(2, 2, 4, 8), S(2, 2, 4, 8), nil, 0.0, true},
			Sample{S(2, 3, 4), S(2, 2, 4), S(2, 2, 5), given(dtype.Bool, []int{3, 2}, 1, 0, 0, 0, 1, 1)},
			Sample{S(2, 3, 4), S(2, 2, 4), S(2, 2, 5),
				given(dtype.F32, []int{3, 2}, math.Inf(-1), math.Inf(-1), 0.5, math.Inf(-1), -1, 0.25)}),
	})
	register(&Op{
		Schema: "_scaled_dot_product_attention_forward(Tensor query, Tensor key, Tensor value, " +
			"Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, " +
			"bool is_causal=False) -> (Tensor, Tensor)",
		Infer: inferExpansion(checkAttention),
		Expand: func(e Emit, c *Call) []Value {
			return e.attention(attentionOf{e, c, 3, 6, -1, -1}.read())[:2]
		},
		Samples: samplesOf(Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)}),
	})
	// The form that PyTorch chooses on processors: the logarithms of the sums are for gradients.
	register(&Op{
		Schema: "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, " +
			"float dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> " +
			"(Tensor output, Tensor logsumexp)",
		Infer: inferExpansion(checkFlashAttention),
		Expand: func(e Emit, c *Call) []Value {
			query, key, value, mask, causal, scale := attentionOf{e, c, 5, 4, 6, -1}.read()
			out := e.attention(query, key, value, mask, causal, scale)
			return []Value{out[0], e.logarithmsOfSums(out[2])}
		},
		Samples: samplesOf(Sample{S(1, 2, 4, 8), S(1, 2, 6, 8), S(1, 2, 6, 8)},
			Sample{S(1, 2, 4, 8), S(1, 2, 4, 8), S(1, 2, 4, 8), 0.0, true},
			Sample{S(2, 1, 3, 4), S(2, 1, 2, 4), S(2, 1, 2, 4), 0.0, false,
				given(dtype.F32, []int{3, 2}, math.Inf(-1), math.Inf(-1), 0.5, math.Inf(-1), -1, 0.25)}),
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

// attentionOf reads a call of attention. The numbers are those of the arguments attn_mask, is_causal, scale and
// enable_gqa, -1 for those that the operator does not have.
type attentionOf struct {
	e                          Emit
	c                          *Call
	mask, causal, scale, heads int
}

func (a attentionOf) read() (query, key, value, mask Value, causal bool, scale any) {
	e, c := a.e, a.c
	query, key, value = c.Tensor(0), c.Tensor(1), c.Tensor(2)
	if q := c.Shape(0); a.heads >= 0 && c.Bool(a.heads) && len(q) > 2 {
		key, value = e.shareHeads(key, q), e.shareHeads(value, q)
	}
	if a.scale >= 0 && c.Has(a.scale) {
		scale = c.Float(a.scale)
	}
	return query, key, value, c.Tensor(a.mask), c.Bool(a.causal), scale
}

// logarithmsOfSums is logsumexp of scores over the keys; 0 for a query that sees no key.
func (e Emit) logarithmsOfSums(scores Value) Value {
	none := e.Compare("eq", e.Call("amax", scores, []int{-1}, true), math.Inf(-1))
	seen := e.Where(none, e.Number(0, scores), scores) // what has no logarithm has no gradient either
	sums := e.Call("logsumexp", seen, []int{-1}, true)
	return e.Call("squeeze.dim", e.Where(none, e.Number(0, sums), sums), -1)
}

// checkFlashAttention: attn_mask is argument 5, and added.
func checkFlashAttention(c *Call) error {
	q, k, v := c.Shape(0), c.Shape(1), c.Shape(2)
	if len(q) != 4 || len(k) != 4 || len(v) != 4 || q[3] != v[3] {
		return c.ShapeErrorf("query %s, key %s and value %s must have 4 dimensions and features alike",
			shape.String(q), shape.String(k), shape.String(v))
	}
	if c.Has(5) && c.DTypeOf(5) != c.DTypeOf(0) {
		return c.DTypeErrorf("attn_mask is of %v and query of %v", c.DTypeOf(5), c.DTypeOf(0))
	}
	return checkOperands(c, 3)
}

func checkAttention(c *Call) error { return checkOperands(c, 4) }

// checkOperands checks the operands and dropout_p, argument number dropout.
func checkOperands(c *Call, dropout int) error {
	q, k, v := c.Shape(0), c.Shape(1), c.Shape(2)
	if len(q) < 2 || len(k) < 2 || len(v) < 2 || q[len(q)-1] != k[len(k)-1] ||
		k[len(k)-2] != v[len(v)-2] {
		return c.ShapeErrorf("query %s, key %s and value %s do not fit",
			shape.String(q), shape.String(k), shape.String(v))
	}
	if p := c.Float(dropout); p != 0 {
		return c.ArgErrorf("dropout_p is %v; only 0 is deterministic", p)
	}
	return nil
}

// attentionScale is 1/√(size of the embedding).
func attentionScale(query Value) float64 {
	q := query.Type().Shape
	return 1 / math.Sqrt(float64(q[len(q)-1]))
}

// attention returns the result, the weights and the scores. mask may be absent; a bool mask says
// which pairs take part. Scores of half types are in f32, as are those of PyTorch's kernels: rounded ones of 100 differ by a half.
func (e Emit) attention(query, key, value, mask Value, causal bool, scale any) []Value {
	q, k := query.Type().Shape, key.Type().Shape
	if scale == nil {
		scale = attentionScale(query)
	}
	half, rows, columns := query.Type().DType, query, e.mT(key)
	if key.Type().DType == half {
		rows, columns = e.wide(rows), e.wide(columns)
	}
	scores := e.Mul(e.MatMul(rows, columns), scale)
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
	weights := e.Call("_safe_softmax", scores, -1)
	if widened(half) != half {
		weights = e.To(weights, half)
	}
	return []Value{e.MatMul(weights, value), weights, scores}
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
