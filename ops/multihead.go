package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Multi-head attention and transformer layers as single calls, the fast path of
// torch.nn.MultiheadAttention and TransformerEncoderLayer: [batch, place, features].
func init() {
	register(&Op{
		Schema: "_native_multi_head_attention(Tensor query, Tensor key, Tensor value, " +
			"int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, " +
			"Tensor proj_bias, Tensor? mask=None, bool need_weights=True, " +
			"bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
		Infer: inferExpansion(checkMultiHead),
		Expand: func(e Emit, c *Call) []Value {
			inputs := [3]Value{c.Tensor(0), c.Tensor(1), c.Tensor(2)}
			weights := [4]Value{c.Tensor(5), c.Tensor(6), c.Tensor(7), c.Tensor(8)}
			out, attention := e.multiHead(inputs, c.Int(4), weights, e.attentionMask(c, 9, 12))
			if c.Bool(11) {
				attention = e.Call("mean.dim", attention, []int{1})
			}
			return []Value{out, attention}
		},
		Samples: samplesOf(Sample{S(2, 3, 4), S(2, 3, 4), S(2, 3, 4), 4, 2,
			S(12, 4), S(12), S(4, 4), S(4)}),
	})
	register(&Op{
		Schema: "_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, " +
			"Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, " +
			"bool use_gelu, bool norm_first, float eps, " +
			"Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, " +
			"Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, " +
			"Tensor? mask=None, int? mask_type=None) -> Tensor",
		Infer:  inferExpansion(func(c *Call) error { return c.mustBe(4, []int{3 * c.Int(1)}) }),
		Expand: func(e Emit, c *Call) []Value { return []Value{e.encoderLayer(c)} },
		Samples: samplesOf(Sample{S(2, 3, 4), 4, 2, S(12, 4), S(12), S(4, 4), S(4),
			true, false, 1e-5, S(4), S(4), S(4), S(4), S(6, 4), S(6), S(4, 6), S(4)}),
	})
}

func checkMultiHead(c *Call) error {
	q, width, heads := c.Shape(0), c.Int(3), c.Int(4)
	if len(q) != 3 || q[2] != width || heads < 1 || width%heads != 0 {
		return c.ShapeErrorf("query %s cannot be split into %d heads of %d features together",
			shape.String(q), heads, width)
	}
	if !shape.Equal(c.Shape(5), []int{3 * width, width}) {
		return c.ShapeErrorf("qkv_weight %s is not %d × %d", shape.String(c.Shape(5)), 3*width, width)
	}
	return c.mustBe(6, []int{3 * width})
}

// attentionMask returns the mask, argument at, as a tensor that broadcasts against
// [batch, head, query, key], true where a pair takes no part. Type 0 is a mask
// of pairs, 1 of keys, 2 of everything.
func (e Emit) attentionMask(c *Call, at, typ int) Value {
	mask := c.Tensor(at)
	if mask == nil {
		return nil
	}
	if dims := mask.Type().Shape; c.Has(typ) && c.Int(typ) == 1 && len(dims) == 2 {
		mask = e.Reshape(mask, []int{dims[0], 1, 1, dims[1]})
	}
	return mask
}

// multiHead projects inputs (query, key, value), attends and projects back. weights are the projection of the inputs
// and its bias, then the projection of the result and its bias.
func (e Emit) multiHead(inputs [3]Value, heads int, weights [4]Value,
	mask Value) (out, attention Value) {
	dims := inputs[0].Type().Shape
	if len(dims) != 3 || heads < 1 || dims[2]%heads != 0 {
		panic(shape.Errorf([][]int{dims}, "needs a batch, places and features that %d heads share", heads))
	}
	for _, x := range inputs[1:] {
		if d := x.Type().Shape; len(d) != 3 || d[2] != dims[2] {
			panic(shape.Errorf([][]int{dims, d}, "query, key and value need the same features"))
		}
	}
	width := dims[2]
	split := e.projected(inputs, heads, weights[0], weights[1])
	scores := e.Mul(e.MatMul(split[0], e.mT(split[1])), 1/math.Sqrt(float64(width/heads)))
	if mask != nil && mask.Type().DType == dtype.Bool {
		scores = e.Where(mask, e.Number(math.Inf(-1), scores), scores)
	} else if mask != nil {
		scores = e.Add(scores, mask)
	}
	attention = e.Call("_softmax", scores, -1, false)
	y := e.Call("transpose.int", e.MatMul(attention, split[2]), 1, 2)
	y = e.Reshape(y, inputs[0].Type().Shape)
	return e.Call("linear", y, weights[2], weights[3]), attention
}

// projected multiplies the inputs by their parts of weight and splits the features
// into heads: [batch, head, place, features of a head]. One product serves inputs
// that are the same.
func (e Emit) projected(inputs [3]Value, heads int, weight, bias Value) (split [3]Value) {
	width := inputs[0].Type().Shape[2]
	var all Value
	if inputs[0] == inputs[1] && inputs[1] == inputs[2] {
		all = e.Call("linear", inputs[0], weight, bias)
	}
	for i, x := range inputs {
		part := func(v Value, d int) Value {
			return e.Call("slice.Tensor", v, d, i*width, (i+1)*width, 1)
		}
		var v Value
		if all != nil {
			v = part(all, 2)
		} else {
			v = e.Call("linear", x, part(weight, 0), part(bias, 0))
		}
		dims := v.Type().Shape
		v = e.Reshape(v, []int{dims[0], dims[1], heads, width / heads})
		split[i] = e.Call("transpose.int", v, 1, 2)
	}
	return split
}

// encoderLayer is attention and a feed-forward network, each added to its input and
// normalized, before (norm_first) or after.
func (e Emit) encoderLayer(c *Call) Value {
	x, width := c.Tensor(0), []int{c.Int(1)}
	norm := func(v Value, weight int) Value {
		return e.Call("layer_norm", v, width, c.Tensor(weight), c.Tensor(weight+1), c.Float(9))
	}
	attend := func(v Value) Value {
		weights := [4]Value{c.Tensor(3), c.Tensor(4), c.Tensor(5), c.Tensor(6)}
		y, _ := e.multiHead([3]Value{v, v, v}, c.Int(2), weights, e.attentionMask(c, 18, 19))
		return y
	}
	forward := func(v Value) Value {
		v = e.Call("linear", v, c.Tensor(14), c.Tensor(15))
		if c.Bool(7) {
			v = e.Call("gelu", v)
		} else {
			v = e.Call("relu", v)
		}
		return e.Call("linear", v, c.Tensor(16), c.Tensor(17))
	}
	if c.Bool(8) {
		x = e.Add(x, attend(norm(x, 10)))
		return e.Add(x, forward(norm(x, 12)))
	}
	x = norm(e.Add(x, attend(x)), 10)
	return norm(e.Add(x, forward(x)), 12)
}
