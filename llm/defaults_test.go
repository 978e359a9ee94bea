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
		{"llama", "partial_rotary_factor", "0.5", "partial_rotary_factor of a llama"},
		{"llama", "quantization_config", `{"quant_method": "fp8"}`, `quantised in the way "fp8"`},
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
