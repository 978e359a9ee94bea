package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// numberKeys have numbers in config.json, or in the object that says how positions turn heads, beside those that have a default.
var numberKeys = []string{"head_dim", "num_key_value_heads", "sliding_window", "attention_chunk_size", "n_inner", "rope_theta", "rope_local_base_freq",
	"factor", "original_max_position_embeddings", "attention_factor", "beta_fast", "beta_slow", "low_freq_factor", "high_freq_factor", "mscale",
	"mscale_all_dim", "partial_rotary_factor", "sliding_window_pattern", "num_experts_per_tok", "moe_intermediate_size", "moe_layer_freq"}

// listKeys have lists of numbers.
var listKeys = []string{"short_factor", "long_factor", "no_rope_layers", "mlp_only_layers", "moe_layers"}

// typed says which key has a value of another type than its default has: it would be read as if the file had none.
func (c config) typed(defaults config) error {
	want := config{}
	for k, v := range defaults {
		if typeOf(v) != "null" {
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
		if err := c.is("config.json", k, typeOf(want[k])); err != nil {
			return err
		}
	}
	for _, k := range []string{"rope_parameters", "rope_scaling", "full_attention", "sliding_attention"} {
		if p := c.part(k); p != nil {
			if err := p.typed(nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// is says that a key has none of these types, if it has a value. Lists are of numbers.
func (c config) is(file, key string, types ...string) error {
	raw, ok := c[key]
	if !ok || string(raw) == "null" {
		return nil
	}
	have := typeOf(raw)
	if !slices.Contains(types, have) {
		var wanted []string
		for _, t := range types {
			wanted = append(wanted, one(t))
		}
		return fmt.Errorf("%s: %s is %.40s, %s; %s is wanted", file, key, raw, one(have), strings.Join(wanted, " or "))
	}
	var list []float64
	if have == "list" && json.Unmarshal(raw, &list) != nil {
		return fmt.Errorf("%s: %s is %.40s; a list of numbers is wanted", file, key, raw)
	}
	return nil
}

// one is a type with its article.
func one(kind string) string {
	if kind == "object" {
		return "an object"
	}
	return "a " + kind
}

// typeOf is the type of a value in JSON.
func typeOf(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "truth value"
	case '[':
		return "list"
	case '{':
		return "object"
	case 'n':
		return "null"
	}
	return "number"
}
