package account

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/language"
	"github.com/go-acap/acap/llm"
)

// Token returns the account of a token of a published model as one program of a machine, for [language.Defaults]. The
// token sees the given number of places; with more than one token the account is a prompt's. Weights have 4 bits, with
// a scale and a least value for each 32 weights. Errors are those of [Account.Pass].
func Token(m *machine.Machine, d *language.Decoder, tokens, seen int) (language.Token, error) {
	a := New(outline(d), m)
	if tokens > 1 {
		c, err := a.Prompt(tokens)
		return language.Token{Cost: c.Parts, Energy: c.Energy}, err
	}
	c, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 1, Seen: seen})
	return language.Token{Cost: c.Parts, Energy: c.Energy}, err
}

// outline describes the files of a published model. Its head multiplies by the matrix of the embeddings.
func outline(d *language.Decoder) *llm.Outline {
	o := &llm.Outline{Description: llm.Description{Architecture: "llama", Layers: d.Layers, Width: d.Emb, Vocabulary: d.Vocab,
		Context: 1 << 17, Heads: d.Heads, KVHeads: d.KVHeads, HeadWidth: d.HeadDim, ValueWidth: d.HeadDim, Hidden: d.Hidden,
		Norm: "rms", Gated: true, Positions: "rotary"}}
	add := func(name string, shape ...int) {
		o.Weights = append(o.Weights, llm.Held{Name: name + ".weight", Shape: shape, Format: dtype.Q4_1})
	}
	for i := range d.Layers {
		in := func(name string, shape ...int) { add(fmt.Sprintf("blk.%d.%s", i, name), shape...) }
		in("attn_norm", d.Emb)
		in("attn_q", d.Heads*d.HeadDim, d.Emb)
		in("attn_k", d.KVHeads*d.HeadDim, d.Emb)
		in("attn_v", d.KVHeads*d.HeadDim, d.Emb)
		if d.HeadNorm {
			in("attn_q_norm", d.HeadDim)
			in("attn_k_norm", d.HeadDim)
		}
		in("attn_output", d.Emb, d.Heads*d.HeadDim)
		in("ffn_norm", d.Emb)
		in("ffn_gate", d.Hidden, d.Emb)
		in("ffn_up", d.Hidden, d.Emb)
		in("ffn_down", d.Emb, d.Hidden)
	}
	add("output_norm", d.Emb)
	add("token_embd", d.Vocab, d.Emb)
	return o
}
