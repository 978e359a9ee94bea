package llm

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefusedKeys asks for what no network here computes: each key is refused by its name.
func TestRefusedKeys(t *testing.T) {
	for _, c := range []struct{ kind, key, value, says string }{
		{"gemma3_text", "use_bidirectional_attention", "true", "use_bidirectional_attention of a gemma3_text is not known"},
		{"gpt2", "scale_attn_by_inverse_layer_idx", "true", "scale_attn_by_inverse_layer_idx of a gpt2"},
		{"gpt2", "add_cross_attention", "true", "add_cross_attention of a gpt2"},
		{"bert", "is_decoder", "true", "is_decoder of a bert"},
		{"deepseek_v2", "norm_topk_prob", "true", "norm_topk_prob of a deepseek_v2"},
		{"cohere", "use_qk_norm", "true", "use_qk_norm of a cohere"},
		{"stablelm", "qk_layernorm", "true", "qk_layernorm of a stablelm"},
		{"qwen2", "is_causal", "false", "is_causal of a qwen2"},
		{"gpt_oss", "swiglu_limit", "9", "a swiglu_limit of 9"},
		{"deepseek_v2", "scoring_func", `"sigmoid"`, `a scoring_func of "sigmoid" is not known; a deepseek_v2 has softmax`},
		{"deepseek_v2", "topk_method", `"noaux_tc"`, "a deepseek_v2 has greedy or group_limited_greedy"},
		{"deepseek_v3", "topk_method", `"greedy"`, "a deepseek_v3 has noaux_tc"},
		{"olmoe", "clip_qkv", "8.0", "a clip_qkv of 8 is not known"},
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
		{"qwen3", "layer_types", `["full_attention"]`, "layer_types has 1 types of 2 layers"},
		{"qwen3", "layer_types", `["full_attention", "linear_attention"]`, `layer 1 is of the type "linear_attention"`},
	} {
		r := recordings(t)[c.kind]
		var keys map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(r.Config, &keys))
		plain, err := json.Marshal(keys)
		require.NoError(t, err)
		_, _, err = describeConfig(plain)
		require.NoError(t, err, c.kind)
		keys = maps.Clone(keys)
		delete(keys, "rope_parameters")
		keys[c.key] = json.RawMessage(c.value)
		changed, err := json.Marshal(keys)
		require.NoError(t, err)
		_, _, err = describeConfig(changed)
		require.ErrorContains(t, err, c.says, c.kind)
	}
}

// TestWholeNumber reads a window and a context that are written as floats.
func TestWholeNumber(t *testing.T) {
	r := recordings(t)["mistral"]
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(r.Config, &keys))
	keys["sliding_window"], keys["max_position_embeddings"] = json.RawMessage("7.0"), json.RawMessage("48.0")
	changed, err := json.Marshal(keys)
	require.NoError(t, err)
	d, _, err := describeConfig(changed)
	require.NoError(t, err)
	require.Equal(t, []int{7, 48}, []int{d.Window, d.Context})
}
