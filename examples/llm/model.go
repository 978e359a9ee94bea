package main

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// Model is a decoder with its weights, by the names that files of weights have.
type Model struct {
	Config
	Weights map[string]*tensor.Tensor
	words   *tensor.Tensor // the embeddings once more, on the host, which looks them up
	device  device.Device
	dtype   dtype.DType
}

// shapes returns the weights of a model with their shapes.
func (c *Config) shapes() map[string][]int {
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	s := map[string][]int{words: {c.Vocab, c.Emb}, "model.norm.weight": {c.Emb}}
	if !c.Tied {
		s["lm_head.weight"] = []int{c.Vocab, c.Emb}
	}
	for i := range c.Layers {
		in := func(name string, dims ...int) { s[fmt.Sprintf("model.layers.%d.%s", i, name)] = dims }
		in("input_layernorm.weight", c.Emb)
		in("post_attention_layernorm.weight", c.Emb)
		for name, rows := range map[string]int{"q": q, "k": kv, "v": kv} {
			in("self_attn."+name+"_proj.weight", rows, c.Emb)
			if c.Biases {
				in("self_attn."+name+"_proj.bias", rows)
			}
		}
		in("self_attn.o_proj.weight", c.Emb, q)
		if c.HeadNorms {
			in("self_attn.q_norm.weight", c.HeadDim)
			in("self_attn.k_norm.weight", c.HeadDim)
		}
		in("mlp.gate_proj.weight", c.Hidden, c.Emb)
		in("mlp.up_proj.weight", c.Hidden, c.Emb)
		in("mlp.down_proj.weight", c.Emb, c.Hidden)
	}
	return s
}

// cache is the keys and values of the tokens so far, [1 kv heads, tokens, head width] a layer.
type cache struct{ keys, values []*tensor.Tensor }

// rotary returns the cosines and sines of positions, [1 1 tokens, head width].
func (m *Model) rotary(positions *tensor.Tensor) (cos, sin *tensor.Tensor) {
	half := m.HeadDim / 2
	turn := make([]float32, half)
	for i := range turn {
		turn[i] = float32(math.Pow(m.Theta, -float64(i)/float64(half)))
	}
	angle := m.as(positions.Unsqueeze(-1), dtype.F32).Mul(tensor.FromSlice(turn, half).To(m.device))
	angle = tensor.Cat([]*tensor.Tensor{angle, angle}, tensor.Dim(-1)).Unsqueeze(0).Unsqueeze(0)
	return m.as(angle.Cos(), m.dtype), m.as(angle.Sin(), m.dtype)
}

// as converts a tensor.
func (m *Model) as(t *tensor.Tensor, d dtype.DType) *tensor.Tensor {
	return tensor.Call("_to_copy", t, tensor.DType(d))[0]
}

// rotate turns pairs of a head's elements, half a head apart, by the angles of their positions.
func rotate(x, cos, sin *tensor.Tensor) *tensor.Tensor {
	half := x.Size(-1) / 2
	turned := tensor.Cat([]*tensor.Tensor{x.Narrow(-1, half, half).Neg(), x.Narrow(-1, 0, half)}, tensor.Dim(-1))
	return x.Mul(cos).Add(turned.Mul(sin))
}

// norm divides rows by the root of the mean of their squares.
func (m *Model) norm(x *tensor.Tensor, weight string) *tensor.Tensor {
	f := m.as(x, dtype.F32)
	scale := f.Mul(f).MeanDim([]int{-1}, tensor.KeepDim).AddScalar(m.Eps).Rsqrt()
	return m.as(f.Mul(scale), m.dtype).Mul(m.Weights[weight])
}

// project multiplies by the weight of a layer, and adds its bias if there is one.
func (m *Model) project(x *tensor.Tensor, name string) *tensor.Tensor {
	if bias := m.Weights[name+".bias"]; bias != nil {
		return x.Linear(m.Weights[name+".weight"], tensor.Bias(bias))
	}
	return x.Linear(m.Weights[name+".weight"])
}

// heads projects and cuts rows into heads: [1 heads, tokens, head width].
func (m *Model) heads(x *tensor.Tensor, layer, name string, n int) *tensor.Tensor {
	y := m.project(x, layer+".self_attn."+name+"_proj")
	y = y.Reshape([]int{1, x.Size(0), n, m.HeadDim})
	if m.HeadNorms && name != "v" {
		y = m.norm(y, layer+".self_attn."+name+"_norm.weight")
	}
	return y.Transpose(1, 2)
}

// Prefill returns the scores of the token after the last one, [1 vocabulary], and the keys and
// values of all tokens in a cache with room for room tokens.
func (m *Model) Prefill(tokens []int64, room int) (*tensor.Tensor, *cache) {
	n := len(tokens)
	c := new(cache)
	store := func(x *tensor.Tensor) *tensor.Tensor {
		if room == n {
			return x
		}
		rest := tensor.FullLike(0, m.dtype, 1, m.KVHeads, room-n, m.HeadDim).To(m.device)
		return tensor.Cat([]*tensor.Tensor{x, rest}, tensor.Dim(2))
	}
	x := m.forward(tokens, tensor.Arange(n).To(m.device), func(_ int, q, k, v *tensor.Tensor) *tensor.Tensor {
		c.keys, c.values = append(c.keys, store(k)), append(c.values, store(v))
		return q.ScaledDotProductAttention(k, v, tensor.With("is_causal", true), tensor.With("enable_gqa", true))
	})
	return m.scores(x.Narrow(0, n-1, 1)), c
}

// Decode returns the scores of the token after one at a position, which it adds to the cache. The
// position is an input: the program is the same for all tokens. The old cache is given up, so that the new one is
// written in its memory.
func (m *Model) Decode(token int64, at int, c *cache) *tensor.Tensor {
	next := new(cache)
	position := tensor.FromSlice([]int64{int64(at)}).To(m.device)
	room := c.keys[0].Size(2)
	seen := tensor.Arange(room).To(m.device).Le(position).Reshape([]int{1, 1, 1, room})
	x := m.forward([]int64{token}, position, func(layer int, q, k, v *tensor.Tensor) *tensor.Tensor {
		k, v = c.keys[layer].IndexCopy(2, position, k), c.values[layer].IndexCopy(2, position, v)
		next.keys, next.values = append(next.keys, k), append(next.values, v)
		return q.ScaledDotProductAttention(k, v, tensor.AttnMask(seen), tensor.With("enable_gqa", true))
	})
	scores := m.scores(x)
	list := values(scores, next)
	lazy.Together(list...) // who reads the scores needs the cache for the next token
	lazy.Donate(values(nil, c)...)
	*c = *next
	return scores
}

// forward runs the layers over tokens at positions: [tokens, width].
func (m *Model) forward(tokens []int64, positions *tensor.Tensor,
	attend func(layer int, q, k, v *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	n := len(tokens)
	cos, sin := m.rotary(positions)
	x := tensor.Embedding(m.words, tensor.FromSlice(tokens)).To(m.device)
	for i := range m.Layers {
		layer := fmt.Sprintf("model.layers.%d", i)
		h := m.norm(x, layer+".input_layernorm.weight")
		q := rotate(m.heads(h, layer, "q", m.Heads), cos, sin)
		k := rotate(m.heads(h, layer, "k", m.KVHeads), cos, sin)
		y := attend(i, q, k, m.heads(h, layer, "v", m.KVHeads))
		y = y.Transpose(1, 2).Reshape([]int{n, m.Heads * m.HeadDim})
		x = x.Add(m.project(y, layer+".self_attn.o_proj"))
		h = m.norm(x, layer+".post_attention_layernorm.weight")
		h = m.project(h, layer+".mlp.gate_proj").SiLU().Mul(m.project(h, layer+".mlp.up_proj"))
		x = x.Add(m.project(h, layer+".mlp.down_proj"))
	}
	return m.norm(x, "model.norm.weight")
}

// scores are the scores of the vocabulary.
func (m *Model) scores(x *tensor.Tensor) *tensor.Tensor {
	head := m.Weights["lm_head.weight"]
	if head == nil {
		head = m.Weights[words]
	}
	return x.Linear(head)
}
