package account_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/account"
)

// decoder is a model of a kind that many are of.
func decoder(layers, width, kv, hidden int, f dtype.Format) *llm.Outline {
	o := &llm.Outline{Description: llm.Description{Architecture: "llama", Layers: layers, Width: width, Vocabulary: 4096, Context: 4096,
		Heads: width / 64, KVHeads: kv, HeadWidth: 64, ValueWidth: 64, Hidden: hidden, Norm: "rms", Gated: true, Positions: "rotary"}}
	add := func(name string, shape ...int) {
		o.Weights = append(o.Weights, llm.Held{Name: name + ".weight", Shape: shape, Format: f})
	}
	for i := range layers {
		in := func(name string, shape ...int) { add(fmt.Sprintf("blk.%d.%s", i, name), shape...) }
		in("attn_norm", width)
		in("ffn_norm", width)
		in("attn_q", width, width)
		in("attn_k", kv*64, width)
		in("attn_v", kv*64, width)
		in("attn_output", width, width)
		in("ffn_gate", hidden, width)
		in("ffn_up", hidden, width)
		in("ffn_down", width, hidden)
	}
	add("token_embd", 4096, width)
	return o
}

func npu1(t *testing.T) *machine.Machine {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return m
}

// TestPass: a pass has the kernels of its layers, reads each weight once in the bits that it has and the keys and
// values that it sees, and cannot be faster than the memory.
func TestPass(t *testing.T) {
	const width, kv, hidden = 512, 4, 1536
	weights := int64(2*(width*width*2+2*kv*64*width+3*hidden*width) + 4096*width)
	cache := int64(2 * 2 * kv * 64 * 1024 * 2)
	for f, bits := range map[dtype.Format]int64{dtype.Plain: 32, dtype.Q4_0: 10, dtype.Q4_1: 10, dtype.Q5_K: 17, dtype.Q6_K: 17, dtype.Q8_0: 17} {
		a := account.New(decoder(2, width, kv, hidden, f), npu1(t))
		c, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 1, Seen: 1024})
		require.NoError(t, err)
		require.Equal(t, 2*15+2, c.Kernels,
			"two norms, seven products, attention, two turns, a gate and two copies to the cache a layer; the last norm and the scores")
		least := weights*bits/16 + cache
		require.GreaterOrEqual(t, c.Read, least, f)
		require.Less(t, float64(c.Read), 1.05*float64(least), "%v: heads that share keys read them once", f)
		require.Greater(t, c.Seconds, float64(least)/npu1(t).DDR.Read.Value, f)
	}
}

// TestLongerPasses: more tokens, sequences, places and layers take longer, and a token of eight sequences less than
// eight tokens.
func TestLongerPasses(t *testing.T) {
	a := account.New(decoder(2, 512, 4, 1536, dtype.Q4_0), npu1(t))
	base := llm.Pass{Sequences: 1, Tokens: 1, Seen: 512}
	one, err := a.Pass(base)
	require.NoError(t, err)
	for _, p := range []llm.Pass{{Sequences: 8, Tokens: 1, Seen: 512}, {Sequences: 1, Tokens: 64, Seen: 512}, {Sequences: 1, Tokens: 1, Seen: 4096}} {
		c, err := a.Pass(p)
		require.NoError(t, err)
		require.Greater(t, c.Seconds, one.Seconds, p)
		require.Greater(t, c.Joules, one.Joules, p)
	}
	eight, err := a.Pass(llm.Pass{Sequences: 8, Tokens: 1, Seen: 512})
	require.NoError(t, err)
	require.Less(t, eight.Seconds, 8*one.Seconds)
	prompt, err := a.Prompt(700)
	require.NoError(t, err)
	first, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 512, Seen: 512})
	require.NoError(t, err)
	rest, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 188, Seen: 700})
	require.NoError(t, err)
	require.InEpsilon(t, first.Seconds+rest.Seconds, prompt.Seconds, 1e-12)
	_, err = a.Pass(llm.Pass{})
	require.ErrorContains(t, err, "0 tokens of 0 sequences")
}

// TestWindow: the first of four tokens sees the window, and the last token does not see three places more than the
// first; as many have the same cost without a window.
func TestWindow(t *testing.T) {
	o := decoder(1, 512, 4, 1536, dtype.Q4_0)
	o.Window = 256
	windowed, err := account.New(o, npu1(t)).Pass(llm.Pass{Sequences: 1, Tokens: 4, Seen: 1024})
	require.NoError(t, err)
	plain, err := account.New(decoder(1, 512, 4, 1536, dtype.Q4_0), npu1(t)).Pass(llm.Pass{Sequences: 1, Tokens: 4, Seen: 256 + 3})
	require.NoError(t, err)
	require.Equal(t, plain, windowed)
}

// TestExperts: of experts those are read that are chosen: two of eight by one row, and 1-(6/8)^4 of them by four.
func TestExperts(t *testing.T) {
	read := func(rows int) int64 {
		o := decoder(1, 512, 4, 512, dtype.Plain)
		o.Experts = &llm.Experts{Count: 8, Chosen: 2, Hidden: 512}
		kept := o.Weights[:0]
		for _, w := range o.Weights {
			switch w.Name {
			case "blk.0.ffn_gate.weight", "blk.0.ffn_up.weight", "blk.0.ffn_down.weight":
			default:
				kept = append(kept, w)
			}
		}
		o.Weights = append(kept, llm.Held{Name: "blk.0.ffn_gate_inp.weight", Shape: []int{8, 512}},
			llm.Held{Name: "blk.0.ffn_gate_up_exps.weight", Shape: []int{8, 1024, 512}}, llm.Held{Name: "blk.0.ffn_down_exps.weight", Shape: []int{8, 512, 512}})
		c, err := account.New(o, npu1(t)).Pass(llm.Pass{Sequences: rows, Tokens: 1, Seen: 64})
		require.NoError(t, err)
		return c.Read
	}
	expert := int64(3 * 512 * 512 * 2)
	rest := int64((2*512*512 + 2*256*512 + 8*512 + 4096*512) * 2)
	require.InEpsilon(t, rest+2*expert, read(1), 0.05)
	require.InEpsilon(t, rest+6*expert, read(4), 0.12, "5.5 of them")
}
