package architecture

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/go-acap/acap/llm/config"
)

// numberKeys have numbers in config.json, or in the object that says how positions turn heads, beside those that have a
// default.
var numberKeys = []string{"head_dim", "num_key_value_heads", "sliding_window", "attention_chunk_size", "n_inner", "rope_theta", "rope_local_base_freq",
	"factor", "original_max_position_embeddings", "attention_factor", "beta_fast", "beta_slow", "low_freq_factor", "high_freq_factor", "mscale",
	"mscale_all_dim", "partial_rotary_factor", "sliding_window_pattern", "num_experts_per_tok", "moe_intermediate_size", "moe_layer_freq"}

// listKeys have lists of numbers.
var listKeys = []string{"short_factor", "long_factor", "no_rope_layers", "mlp_only_layers", "moe_layers"}

// typed says which key has a value of another type than its default has: it would be read as if the file had none.
func (c modelConfig) typed(defaults config.Object) error {
	want := config.Object{}
	for k, v := range defaults {
		if config.TypeOf(v) != "null" {
			want[k] = v
		}
	}
	for _, k := range numberKeys {
		want[k] = json.RawMessage("0")
	}
	for _, k := range listKeys {
		want[k] = json.RawMessage("[]")
	}
	delete(want, "attn_temperature_tuning") // a number in some files
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if err := c.CheckType("config.json", k, config.TypeOf(want[k])); err != nil {
			return err
		}
	}
	for _, k := range []string{"rope_parameters", "rope_scaling", "full_attention", "sliding_attention"} {
		if p := c.Part(k); p != nil {
			if err := (modelConfig{p}).typed(nil); err != nil {
				return err
			}
		}
	}
	return nil
}
