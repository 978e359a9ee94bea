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
		Infer:   inferExpansion(checkAttention(5)),
		DrawsIf: func(c *Call) bool { return c.Float(4) != 0 },
		Expand: func(e Emit, c *Call) []Value {
			return e.attention(attentionOf{e, c, 3, 4, 5, 6, 7}.read())[:1]
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
		Infer:   inferExpansion(checkAttention(6)),
		DrawsIf: func(c *Call) bool { return c.Float(4) != 0 },
		Expand: func(e Emit, c *Call) []Value {
			return e.attention(attentionOf{e, c, 3, 4, 6, -1, -1}.read())[:2]
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
			out := e.attention(attentionOf{e, c, 5, 3, 4, 6, -1}.read())
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
	register(&Op{
		Schema: "_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, " +
			"Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, " +
			"bool is_causal=False) -> (Tensor, Tensor)",
		Infer:   inferExpansion(checkAttention(6)),
		DrawsIf: func(c *Call) bool { return c.Float(4) != 0 },
		Expand: func(e Emit, c *Call) []Value {
			return e.Emit(e.sameArgs("_scaled_dot_product_attention_forward", c, 7))
		},
		Samples: samplesOf(Sample{S(2, 4, 8), S(2, 6, 8), S(2, 6, 5)}),
	})
}

// attentionOf reads a call of attention. The numbers are the indices of the arguments attn_mask, dropout_p, is_causal,
// scale and enable_gqa, -1 for an argument that the operator does not have.
type attentionOf struct {
	e                                   Emit
	c                                   *Call
	mask, dropout, causal, scale, heads int
}

// attended is what attention computes with. The mask may be nil; a bool mask says which pairs take part.
type attended struct {
	query, key, value, mask Value
	causal                  bool
	scale, dropout          float64 // the dropout is the probability that a weight vanishes
}

func (a attentionOf) read() attended {
	e, c := a.e, a.c
	of := attended{c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Tensor(a.mask), c.Bool(a.causal), 0, c.Float(a.dropout)}
	if q := c.Shape(0); a.heads >= 0 && c.Bool(a.heads) && len(q) > 2 {
		of.key, of.value = e.shareHeads(of.key, q), e.shareHeads(of.value, q)
	}
	of.scale = attentionScale(of.query)
	if a.scale >= 0 && c.Has(a.scale) {
		of.scale = c.Float(a.scale)
	}
	return of
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
	if p := c.Float(3); p != 0 {
		return c.ArgErrorf("dropout_p is %v, and PyTorch's kernel has none: call scaled_dot_product_attention", p)
	}
	return checkPairs(c, 5)
}

// checkAttention: attn_mask is argument 3, dropout_p argument 4, and is_causal has the index that is given.
func checkAttention(causal int) func(c *Call) error {
	return func(c *Call) error {
		if p := c.Float(4); !(p >= 0 && p <= 1) {
			return c.ArgErrorf("dropout_p is %v, not a probability", p)
		}
		if c.Has(3) && c.DTypeOf(3).IsInt() {
			return c.DTypeErrorf("attn_mask is of %v: one that says which keys are seen is of bool, and numbers that are added are floating", c.DTypeOf(3))
		}
		if c.Has(3) && c.Bool(causal) {
			return c.ArgErrorf("attn_mask stands beside is_causal: hide later keys in attn_mask, too, and leave is_causal out")
		}
		return checkPairs(c, 3)
	}
}

// checkPairs is checkOperands with an argument for pairs of a query and a key.
func checkPairs(c *Call, mask int) error {
	if err := checkOperands(c); err != nil || !c.Has(mask) {
		return err
	}
	m, q, k := c.Shape(mask), c.Shape(0), c.Shape(1)
	for back, n := range []int{k[len(k)-2], q[len(q)-2]} {
		if at := len(m) - 1 - back; at >= 0 && m[at] != 1 && m[at] != n {
			return c.ShapeErrorf("attn_mask %s does not fit %d queries and %d keys", shape.String(m), q[len(q)-2], k[len(k)-2])
		}
	}
	return nil
}

func checkOperands(c *Call) error {
	q, k, v := c.Shape(0), c.Shape(1), c.Shape(2)
	if len(q) < 2 || len(k) < 2 || len(v) < 2 || q[len(q)-1] != k[len(k)-1] ||
		k[len(k)-2] != v[len(v)-2] {
		return c.ShapeErrorf("query %s, key %s and value %s do not fit",
			shape.String(q), shape.String(k), shape.String(v))
	}
	return nil
}

// attentionScale is 1/√(size of the embedding).
func attentionScale(query Value) float64 {
	q := query.Type().Shape
	return 1 / math.Sqrt(float64(q[len(q)-1]))
}

// attention returns the result, the weights and the scores. Scores of half types are in f32, as in PyTorch's kernels:
// scores of 100 that are rounded differ by a half.
func (e Emit) attention(of attended) []Value {
	query, key := of.query, of.key
	q, k := query.Type().Shape, key.Type().Shape
	half, rows, columns := query.Type().DType, query, e.mT(key)
	if key.Type().DType == half {
		rows, columns = e.wide(rows), e.wide(columns)
	}
	scores := e.Mul(e.MatMul(rows, columns), of.scale)
	show := func(seen Value) { scores = e.Where(seen, scores, e.Number(math.Inf(-1), scores)) }
	if of.causal {
		show(e.Call("tril", e.Full([]int{q[len(q)-2], k[len(k)-2]}, true, dtype.Bool)))
	}
	if of.mask != nil {
		if of.mask.Type().DType == dtype.Bool {
			show(of.mask)
		} else {
			scores = e.Add(scores, of.mask)
		}
	}
	weights := e.Call("_safe_softmax", scores, -1)
	if widened(half) != half {
		weights = e.To(weights, half)
	}
	if of.dropout > 0 {
		weights = e.Call("dropout", weights, of.dropout, true)
	}
	return []Value{e.MatMul(weights, of.value), weights, scores}
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
