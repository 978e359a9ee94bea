package architecture_test

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/architecture"
)

// TestRefusedKeys asks for what no network here computes: each key is refused by its name.
func TestRefusedKeys(t *testing.T) {
	for _, c := range []struct{ kind, key, value, says string }{
		{"bloom", "apply_residual_connection_post_layernorm", "true", "must be false"},
		{"opt", "do_layer_norm_before", "false", "must be true"},
		{"opt", "word_embed_proj_dim", "16", "embeddings of the width 16"},
		{"mpt", "attn_config", `{"alibi": false}`, "an mpt with alibi=false"},
		{"mpt", "attn_config", `{"qk_ln": true}`, "qk_ln=true"},
		{"qwen3", "layer_types", `["full_attention", "conv"]`, `layer 1 is of the type "conv"`},
		{"granitemoehybrid-mamba", "time_step_limit", "[0.0, 0.5]", "a time_step_limit of [0.0,0.5]"},
		{"gemma4_text", "use_bidirectional_attention", `"all"`, `use_bidirectional_attention "all" is not known`},
		{"gemma4_text", "num_kv_shared_layers", "3", "layer 0 has none of its kind there"},
		{"gemma4_text", "num_key_value_heads", "3", "cannot share 3 heads of keys"},
		{"gemma4_text", "num_key_value_heads", "0", "cannot share 0 heads of keys"},
		{"gemma4_text", "head_dim", "0", "heads of the width 0 in layers with a window"},
		{"gemma4_text", "head_dim", "1", "1 elements of heads of 16 are turned in pairs"},
		{"nemotron_h", "layers_block_type", `["mamba", "conv"]`, `layer 1 is of the type "conv"`},
		{"nemotron_h-letters", "hybrid_override_pattern", `"M*X"`, `layer 2 is of the type "X"`},
		{"granitemoehybrid-mamba", "mamba_n_groups", "3", "states of 4 heads, 16 wide, for 3 heads of keys"},
		{"granitemoehybrid-mamba", "hidden_act", `"gelu"`, `a hidden_act of "gelu" is not known for layers that keep a state`},
		{"qwen3_next", "hidden_act", `"gelu"`, `a hidden_act of "gelu" is not known for layers that keep a state`},
		{"nemotron_h", "mamba_hidden_act", `"gelu"`, `a mamba_hidden_act of "gelu" is not known`},
		{"qwen3_5_text", "attn_output_gate", "false", "attn_output_gate of a qwen3_5_text"},
		{"gpt2", "scale_attn_by_inverse_layer_idx", "true", "scale_attn_by_inverse_layer_idx of a gpt2"},
		{"gpt2", "add_cross_attention", "true", "add_cross_attention of a gpt2"},
		{"bert", "is_decoder", "true", "is_decoder of a bert"},
		{"deepseek_v2", "norm_topk_prob", "true", "norm_topk_prob of a deepseek_v2"},
		{"qwen2", "is_causal", "false", "is_causal of a qwen2"},
		{"gpt_oss", "swiglu_limit", "9", "a swiglu_limit of 9"},
		{"deepseek_v2", "scoring_func", `"sigmoid"`, `a scoring_func of "sigmoid" is not known; a deepseek_v2 has softmax`},
		{"deepseek_v2", "topk_method", `"noaux_tc"`, "a deepseek_v2 has greedy or group_limited_greedy"},
		{"deepseek_v3", "topk_method", `"greedy"`, "a deepseek_v3 has noaux_tc"},
		{"llama", "partial_rotary_factor", "0.5", "partial_rotary_factor of a llama"},
		{"llama", "quantization_config", `{"quant_method": "fp8"}`, `quantised in the way "fp8"`},
		{"llama", "rms_norm_eps", `"0.1"`, `rms_norm_eps is "0.1", a string; a number is wanted`},
		{"mistral", "sliding_window", "true", "sliding_window is true, a truth value; a number is wanted"},
		{"qwen3_moe", "norm_topk_prob", "1", "norm_topk_prob is 1, a number; a truth value is wanted"},
		{"llama4_text", "no_rope_layers", `["a"]`, `no_rope_layers is ["a"]; a list of numbers is wanted`},
		{"llama", "rope_scaling", `{"type": "linear", "factor": "2"}`, `factor is "2", a string`},
		{"llama", "rope_scaling", `{"type": "linear"}`, `in the way "linear", and there is no factor`},
		{"llama", "rope_parameters", `{"rope_type": "llama3", "factor": 8, "low_freq_factor": 1}`, "there is no high_freq_factor"},
		{"phi3", "rope_scaling", `{"type": "longrope", "short_factor": [1, 1, 1, 1]}`, "there is no long_factor"},
		{"mistral", "sliding_window", "0", "a window of 0 tokens"},
		{"granite", "residual_multiplier", "0", "residual_multiplier of a granite is 0"},
		{"granite", "embedding_multiplier", "0.0", "embedding_multiplier of a granite is 0"},
		{"granite", "attention_multiplier", "0", "attention_multiplier of a granite is 0"},
		{"cohere", "logit_scale", "0", "logit_scale of a cohere is 0"},
		{"gemma2", "final_logit_softcapping", "0", "final_logit_softcapping of a gemma2 is 0"},
		{"deepseek_v3", "routed_scaling_factor", "0", "routed_scaling_factor of a deepseek_v3 is 0"},
		{"deepseek_v3", "head_dim", "2", "head_dim of a deepseek_v3 is 2; it must be qk_rope_head_dim, which is 4"},
		{"glm4_moe-groups", "num_experts_per_tok", "5", "5 experts of 2 of 4 groups of 8 experts"},
		{"dots1", "topk_group", "0", "2 experts of 0 of 1 groups of 4 experts"},
		{"falcon", "alibi", "true", "alibi of a falcon is not known"},
		{"cwm", "layer_types", "null", "a cwm without layer_types"},
		{"hunyuan_v1_moe", "moe_topk", "[1,2]", "moe_topk is [1,2], a list; a number is wanted"},
		{"hunyuan_v1_moe", "num_shared_expert", "[2,2]", "a num_shared_expert of 2"},
		{"distilbert", "activation", `"tanh"`, `the activation "tanh" is not known`},
		{"qwen3", "layer_types", `["full_attention"]`, "layer_types has 1 types of 2 layers"},
		{"qwen3", "layer_types", `["full_attention", "linear_attention"]`, `layer 1 is of the type "linear_attention"`},
	} {
		var keys map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(configs(t)[c.kind], &keys))
		plain, err := json.Marshal(keys)
		require.NoError(t, err)
		_, _, err = architecture.FromConfig(plain)
		require.NoError(t, err, c.kind)
		keys = maps.Clone(keys)
		delete(keys, "rope_parameters")
		keys[c.key] = json.RawMessage(c.value)
		changed, err := json.Marshal(keys)
		require.NoError(t, err)
		_, _, err = architecture.FromConfig(changed)
		require.ErrorContains(t, err, c.says, c.kind)
	}
}

// TestRotaryDim: MiniMax M2 says how many elements of a head are turned, as llama.cpp b11669 reads the key, and
// transformers since its issue 48241.
func TestRotaryDim(t *testing.T) {
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(configs(t)["minimax_m2"], &keys))
	delete(keys, "rope_parameters")
	for key, value := range map[string]string{"rotary_dim": "8", "partial_rotary_factor": "0.5"} {
		keys := maps.Clone(keys)
		keys[key] = json.RawMessage(value)
		changed, err := json.Marshal(keys)
		require.NoError(t, err)
		d, _, err := architecture.FromConfig(changed)
		require.NoError(t, err)
		require.Equal(t, 8, d.Rotary.Width, key)
		require.Equal(t, 5e6, d.Rotary.Theta)
	}
}

// TestNomicKeys: files of nomic_bert from the time before transformers knew it have names of their own.
func TestNomicKeys(t *testing.T) {
	older, _, err := architecture.FromConfig([]byte(`{"model_type":"nomic_bert","n_embd":32,"n_head":4,"n_layer":3,"n_inner":40,"n_positions":128,"vocab_size":64,
		"activation_function":"swiglu","layer_norm_epsilon":0.01,"rotary_emb_base":500,"rotary_emb_fraction":1.0,"prenorm":false,"rotary_scaling_factor":null}`))
	require.NoError(t, err)
	newer, _, err := architecture.FromConfig([]byte(`{"model_type":"nomic_bert","hidden_size":32,"num_attention_heads":4,"num_hidden_layers":3,"intermediate_size":40,
		"max_position_embeddings":128,"vocab_size":64,"hidden_act":"silu","layer_norm_eps":0.01,"rope_parameters":{"rope_theta":500}}`))
	require.NoError(t, err)
	require.Equal(t, newer, older)
}

// TestLongRope: longrope scales cosines and sines by attention_factor, or else by √(1 + ln s / ln n) for a context of s
// times the n tokens of the training, or a factor s that is given.
func TestLongRope(t *testing.T) {
	for name, scale := range map[string]float64{"phi3-long": math.Sqrt(2), "llama-longrope": math.Sqrt(1 + math.Log(3)/math.Log(8))} {
		for _, factor := range []float64{0, 1.25} {
			var keys map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(configs(t)[name], &keys))
			var rope map[string]any
			require.NoError(t, json.Unmarshal(keys["rope_parameters"], &rope))
			want := scale
			if factor != 0 {
				rope["attention_factor"], want = factor, factor
			}
			var err error
			keys["rope_parameters"], err = json.Marshal(rope)
			require.NoError(t, err)
			changed, err := json.Marshal(keys)
			require.NoError(t, err)
			d, _, err := architecture.FromConfig(changed)
			require.NoError(t, err)
			require.InDelta(t, want, d.Rotary.Scale, 1e-12, name)
		}
	}
}

// TestDenseFirst: without layer_types, windows of the first layers, which have no experts, follow a pattern of their
// own, and the pattern of the others begins behind them, as in Cohere2MoeConfig of transformers 5.12.
func TestDenseFirst(t *testing.T) {
	const w, a = true, false // a window, and all tokens
	for pattern, windows := range map[string][]bool{"1": {a, a, w, w, a, w, w, a}, "2": {w, a, w, w, a, w, w, a}} {
		var keys map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(configs(t)["cohere2_moe"], &keys))
		delete(keys, "layer_types")
		delete(keys, "mlp_layer_types")
		for key, value := range map[string]string{"num_hidden_layers": "8", "first_k_dense_replace": "2", "sliding_window_pattern": "3",
			"prefix_dense_sliding_window_pattern": pattern} {
			keys[key] = json.RawMessage(value)
		}
		changed, err := json.Marshal(keys)
		require.NoError(t, err)
		d, _, err := architecture.FromConfig(changed)
		require.NoError(t, err)
		require.Equal(t, windows, d.Windows, pattern)
		require.Equal(t, []bool{true, true, false, false, false, false, false, false}, d.Experts.Dense)
	}
}

// TestOneLocalHead: one head of keys and values may serve all heads of the layers with a window.
func TestOneLocalHead(t *testing.T) {
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(configs(t)["gemma4_text"], &keys))
	keys["num_key_value_heads"] = json.RawMessage("1")
	changed, err := json.Marshal(keys)
	require.NoError(t, err)
	d, _, err := architecture.FromConfig(changed)
	require.NoError(t, err)
	require.Equal(t, architecture.LocalHeads{KVHeads: 1, Width: 8}, *d.LocalHeads)
}

// TestWholeNumber reads a window and a context that are written as floats.
func TestWholeNumber(t *testing.T) {
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(configs(t)["mistral"], &keys))
	keys["sliding_window"], keys["max_position_embeddings"] = json.RawMessage("7.0"), json.RawMessage("48.0")
	changed, err := json.Marshal(keys)
	require.NoError(t, err)
	d, _, err := architecture.FromConfig(changed)
	require.NoError(t, err)
	require.Equal(t, []int{7, 48}, []int{d.Window, d.Context})
}

// TestOwnedKeys: a key that counts for another family changes nothing, as it does not in transformers.
func TestOwnedKeys(t *testing.T) {
	plain := configs(t)["llama"]
	want, _, err := architecture.FromConfig(plain)
	require.NoError(t, err)
	for key, value := range map[string]string{"sliding_window": "5", "layer_types": `["sliding_attention", "sliding_attention"]`, "query_pre_attn_scalar": "7",
		"attention_multiplier": "0.5", "embedding_multiplier": "2", "residual_multiplier": "2", "logits_scaling": "2", "logit_scale": "2",
		"attn_logit_softcapping": "3", "final_logit_softcapping": "3", "clip_qkv": "0.1", "use_parallel_residual": "true"} {
		got, _, err := architecture.FromConfig([]byte(`{"` + key + `":` + value + "," + string(plain[1:])))
		require.NoError(t, err, key)
		require.Equal(t, want, got, key)
	}
}

// configs are the config.json of the recorded models, by their names.
func configs(t *testing.T) map[string]json.RawMessage {
	data, err := os.ReadFile("../testdata/architectures.json")
	require.NoError(t, err)
	var models map[string]struct{ Config json.RawMessage }
	require.NoError(t, json.Unmarshal(data, &models))
	list := map[string]json.RawMessage{}
	for name, m := range models {
		list[name] = m.Config
	}
	return list
}
