package llm

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnread adds tensors to a folder and takes tensors away: a tensor that no computation reads is refused by its
// name, and so is a missing one.
func TestUnread(t *testing.T) {
	const first, second = "model.layers.0.", "model.layers.1."
	more := func(name string, shape ...int) func(map[string][]int) {
		return func(w map[string][]int) { w[name] = shape }
	}
	less := func(names ...string) func(map[string][]int) {
		return func(w map[string][]int) {
			for _, name := range names {
				delete(w, name)
			}
		}
	}
	for _, c := range []struct {
		model, says string
		change      func(map[string][]int)
	}{
		{"llama", second + "self_attn.q_proj.weight_scale_inv is no weight of a llama", more(second+"self_attn.q_proj.weight_scale_inv", 1, 1)},
		{"llama", second + "self_attn.inner_norm.weight is no weight", more(second+"self_attn.inner_norm.weight", 32)},
		{"llama", "model.embed_norm.weight is no weight", more("model.embed_norm.weight", 32)},
		{"llama", "config.json does not have; it says 2 layers", more("model.layers.2.input_layernorm.weight", 32)},
		{"llama", "no weight output_norm.weight", less("model.norm.weight")},
		{"llama", "no weight blk.1.attn_norm.weight", less(second + "input_layernorm.weight")},
		{"llama", "no weight blk.0.attn_norm.weight", less(first+"input_layernorm.weight", second+"input_layernorm.weight")},
		{"llama", "no weight blk.0.ffn_norm.weight", less(first+"post_attention_layernorm.weight", second+"post_attention_layernorm.weight")},
		{"qwen2", "layer 1 has a weight attn_q.bias and another layer has none", less(first + "self_attn.q_proj.bias")},
		{"bert", "no weight token_embd_norm.weight", less("embeddings.LayerNorm.weight")},
		{"qwen2", "no weight blk.0.attn_q.bias, which a qwen2 has", less(first+"self_attn.q_proj.bias", second+"self_attn.q_proj.bias")},
		{"qwen3", "no weight blk.0.attn_k_norm.weight", less(first+"self_attn.k_norm.weight", second+"self_attn.k_norm.weight")},
		{"llama-linear", "no weight blk.0.attn_output.bias", less(first+"self_attn.o_proj.bias", second+"self_attn.o_proj.bias")},
		{"llama-linear", "no weight blk.0.ffn_down.bias", less(first+"mlp.down_proj.bias", second+"mlp.down_proj.bias")},
		{"gpt_oss", "no weight blk.0.attn_sinks.weight", less(first+"self_attn.sinks", second+"self_attn.sinks")},
		{"deepseek_v3", "no weight blk.1.exp_probs_b.bias", less(second + "mlp.gate.e_score_correction_bias")},
		{"deepseek_v2", "no weight blk.1.ffn_up_shexp.weight", less(second + "mlp.shared_experts.up_proj.weight")},
		{"qwen2_moe", "no weight blk.0.ffn_gate_inp_shexp.weight", less(first+"mlp.shared_expert_gate.weight", second+"mlp.shared_expert_gate.weight")},
		{"nemotron", "no weight blk.0.ffn_norm.bias", less(first+"post_attention_layernorm.bias", second+"post_attention_layernorm.bias")},
		{"stablelm", "no weight blk.0.attn_k.bias", less(first+"self_attn.k_proj.bias", second+"self_attn.k_proj.bias")},
		{"exaone4", "no weight blk.1.attn_q_norm.weight", less(second + "self_attn.q_norm.weight")},
		{"cohere", "no weight output_norm.weight", less("model.norm.weight")},
		{"gpt2", "no weight output_norm.bias", less("transformer.ln_f.bias")},
		{"bert", "no weight token_types.weight", less("embeddings.token_type_embeddings.weight")},
		{"llama", "", more(second+"self_attn.rotary_emb.inv_freq", 4)},
		{"llama", "", more("vision_tower.encoder.layers.0.self_attn.q_proj.weight", 3, 3)},
		{"llama", "", more("audio_tower.layers.0.self_attn.q_proj.weight", 3, 3)},
		{"gpt2", "", more("transformer.h.0.attn.bias", 1, 1, 8, 8)},
		{"deepseek_v3", "", more("model.layers.2.eh_proj.weight", 32, 64)},
		{"bert", "", more("pooler.dense.weight", 32, 32)},
	} {
		r := recordings(t)[c.model]
		r.Weights = maps.Clone(r.Weights)
		c.change(r.Weights)
		m, err := Load(folderOf(t, r), LoadOptions{Context: 64})
		if c.says == "" {
			require.NoError(t, err, c.model)
			require.NoError(t, m.Close())
			continue
		}
		require.ErrorContains(t, err, c.says, c.model)
	}
}

// TestHeadless loads a folder without its head: it makes embeddings, and does not generate with the embeddings for a
// head.
func TestHeadless(t *testing.T) {
	r := recordings(t)["llama"]
	r.Weights = maps.Clone(r.Weights)
	delete(r.Weights, "lm_head.weight")
	require.Contains(t, string(r.Config), `"tie_word_embeddings":false`)
	m, err := Load(folderOf(t, r), LoadOptions{})
	require.NoError(t, err)
	defer m.Close()
	_, err = m.EmbedTokens(r.Tokens)
	require.NoError(t, err)
	_, err = Complete(m.GenerateTokens(context.Background(), r.Tokens, Options{MaxTokens: 1}))
	require.ErrorContains(t, err, "no lm_head.weight")
	_, err = m.Likelihoods(context.Background(), r.Tokens, 0)
	require.Equal(t, m.Answers(), err)
	// A model that sees as well says outside what of the model is tied.
	r.Config = []byte(`{"tie_word_embeddings":true,"text_config":` + string(r.Config) + `}`)
	tied, err := Load(folderOf(t, r), LoadOptions{})
	require.NoError(t, err)
	defer tied.Close()
	require.NoError(t, tied.Answers())
	_, err = Complete(tied.GenerateTokens(context.Background(), r.Tokens, Options{MaxTokens: 1}))
	require.NoError(t, err)
}
