package llm

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor/safetensors"
)

// TestAdapterOfRows: an adapter of a weight whose rows a folder has in another order, or which has one row, with the
// scale of rslora, does what its product, added to the weight in the folder, does: alpha over the root of the rank.
func TestAdapterOfRows(t *testing.T) {
	for kind, name := range map[string]string{"gpt_neox": "gpt_neox.layers.1.attention.query_key_value",
		"falcon": "transformer.h.1.self_attention.query_key_value", "falcon-one-key": "transformer.h.1.self_attention.query_key_value",
		"qwen2_moe": "model.layers.1.mlp.shared_expert_gate"} {
		r := recordings(t)[kind]
		shape := r.Weights[name+".weight"]
		require.Len(t, shape, 2)
		const rank, alpha = 2, 3.0
		down, up := formula("down", []int{rank, shape[1]}), formula("up", []int{shape[0], rank})
		base, merged, adapter := folderOf(t, r), folderOf(t, r), t.TempDir()
		var list []safetensors.Tensor
		for n, shape := range r.Weights {
			values := formula(n, shape)
			if n == name+".weight" {
				for i := range values {
					for k := range rank {
						values[i] += float32(float64(alpha/math.Sqrt(rank)*float64(up[i/shape[1]*rank+k])) * float64(down[k*shape[1]+i%shape[1]]))
					}
				}
			}
			list = append(list, safetensors.Tensor{Name: n, Data: buf.From(values, shape...)})
		}
		require.NoError(t, safetensors.WriteFile(filepath.Join(merged, "model.safetensors"), list, nil))
		require.NoError(t, os.WriteFile(filepath.Join(adapter, "adapter_config.json"), []byte(`{"peft_type":"LORA","r":2,"lora_alpha":3,"use_rslora":true,
			"use_dora":false,"init_lora_weights":true,"alora_invocation_tokens":null,"fan_in_fan_out":false}`), 0o644))
		require.NoError(t, safetensors.WriteFile(filepath.Join(adapter, "adapter_model.safetensors"), []safetensors.Tensor{
			{Name: "base_model.model." + name + ".lora_A.weight", Data: buf.From(down, rank, shape[1])},
			{Name: "base_model.model." + name + ".lora_B.weight", Data: buf.From(up, shape[0], rank)}}, nil))
		scores := func(path string, adapters ...string) []float32 {
			m, err := Load(path, LoadOptions{Context: 64, Adapters: adapters})
			require.NoError(t, err, kind)
			defer m.Close()
			e := &engine{m: m, Batch: schedule.New(cache.PageTokens, 1, m.network.Spans...)}
			s := &cache.Sequence{Tokens: r.Tokens, Limit: len(r.Tokens)}
			require.True(t, s.Room(e.Pools, len(r.Tokens)))
			out, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: 0, Count: len(r.Tokens)}}, true)
			require.NoError(t, err)
			return append([]float32(nil), out.Scores[(len(r.Tokens)-1)*m.Vocabulary:len(r.Tokens)*m.Vocabulary]...)
		}
		want := scores(merged)
		within(t, 2e-5, want, scores(base, adapter), 0)
		require.NotEqual(t, want, scores(base), kind)
	}
}

// TestRefusedAdapters: what an adapter of llama.cpp's asks for beside products of two matrices is an error. Names are
// changed in a file that is right.
func TestRefusedAdapters(t *testing.T) {
	r := recordedFiles(t)["llama-adapter"]
	path := r.write(t)
	for want, change := range map[string][2]string{
		`"blk.1.attn_q.weight.lora_a" has no .weight.lora_b`: {"attn_q.weight.lora_b", "attn_q.weight.lora_c"},
		`"blk.7.attn_q.weight.lora_b" is no part of a pair`:  {"blk.1.attn_q.weight.lora_a", "blk.7.attn_q.weight.lora_b"},
		"ffn_norm, which rows are not multiplied by":         {"ffn_down", "ffn_norm"},
		"the model has no weight blk.7.attn_q.weight":        {"blk.1.attn_q", "blk.7.attn_q"},
		"do not fit a weight blk.0.ffn_gate of":              {"ffn_down", "ffn_gate"},
		`adapter.type is "dora"`:                             {"lora\x12", "dora\x12"},
		"adapter.lora.alpha is 1086324736":                   {"alpha\x06", "alpha\x04"},
		`architecture "clamp" and the model of "llama"`:      {"\x05\x00\x00\x00\x00\x00\x00\x00llama", "\x05\x00\x00\x00\x00\x00\x00\x00clamp"},
	} {
		bad := *r.Adapter
		bad.Header = []byte(strings.ReplaceAll(string(bad.Header), change[0], change[1]))
		_, err := Load(path, LoadOptions{Adapters: []string{bad.write(t)}})
		require.ErrorContains(t, err, want)
	}
	late := *r.Adapter
	key := "adapter.alora.invocation_tokens"
	list := append(append([]byte{byte(len(key)), 0, 0, 0, 0, 0, 0, 0}, key...), 9, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0) // of one number
	late.Header = append(slices.Insert(slices.Clone(late.Header), 24, list...), make([]byte, 64)...)
	late.Header[16]++
	_, err := Load(path, LoadOptions{Adapters: []string{late.write(t)}})
	require.ErrorContains(t, err, "adapter.alora.invocation_tokens is [7]")
}
