package architecture

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/config"
)

// defaultsText has transformers' values of keys that config.json leaves out, by the model_type; ../testdata/defaults.py
// records them.
//
//go:embed defaults.json
var defaultsText []byte

// sameKeys are keys that stand for one number: a default of one holds only where the file has none of them.
var sameKeys = [][]string{{"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}, {"num_experts_per_tok", "moe_k", "moe_topk"}, {"hidden_act", "hidden_activation", "activation_function", "activation"},
	{"rope_parameters", "rope_scaling"}, {"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, {"hidden_size", "n_embd", "dim", "d_model"}, {"num_attention_heads", "n_head", "n_heads", "num_heads"},
	{"rope_theta", "rotary_emb_base"}, {"partial_rotary_factor", "rotary_pct", "rotary_dim"},
	{"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"}, {"local_attention", "sliding_window"}, {"intermediate_size", "block_ff_dim", "n_inner"}, {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps"}}

// owned are keys that count for the families whose configuration in transformers has them, and for no other family:
// files have them by chance.
var owned = []string{"sliding_window", "layer_types", "num_key_value_heads", "attention_bias", "mlp_bias", "query_pre_attn_scalar",
	"attention_multiplier", "embedding_multiplier", "residual_multiplier", "logits_scaling", "logit_scale",
	"attn_logit_softcapping", "final_logit_softcapping", "use_parallel_residual", "clip_qkv"}

// complete adds what the file leaves out, and drops what counts for other families. A key that is null is not left out.
func (c modelConfig) complete(kind string) error {
	switch kind { // of a model that sees as well
	case "gemma3", "gemma4", "gemma4_unified", "llama4":
		kind += "_text"
	}
	var all map[string]config.Object
	if err := json.Unmarshal(defaultsText, &all); err != nil {
		return fmt.Errorf("defaults.json: %w", err)
	}
	if err := c.typed(all[kind]); err != nil {
		return err
	}
	for _, k := range owned {
		if _, ok := all[kind][k]; !ok && all[kind] != nil {
			delete(c.Object, k)
		}
	}
	has := func(k string) bool { _, ok := c.Object[k]; return ok }
	missing := config.Object{}
	for k, v := range all[kind] {
		names := []string{k}
		for _, same := range sameKeys {
			if slices.Contains(same, k) {
				names = same
			}
		}
		if !slices.ContainsFunc(names, has) {
			missing[k] = v
		}
	}
	maps.Copy(c.Object, missing)
	return nil
}

// refuse says which key asks for what no network here computes.
func (c modelConfig) refuse(kind string, d *Description) error {
	for _, key := range []string{"alibi", "scale_attn_by_inverse_layer_idx", "add_cross_attention", "use_bidirectional_attention", "is_decoder"} {
		var on bool
		if c.Get(&on, key); on && !(d.Encoder && key == "use_bidirectional_attention") {
			return fmt.Errorf("config.json: %s of a %s is not known; it must be false", key, kind)
		}
	}
	if shared := 1; kind == "hunyuan_v1_moe" && c.Get(&shared, "num_shared_expert") && shared != 1 {
		return fmt.Errorf("config.json: a num_shared_expert of %d is not known; it must be 1", shared)
	}
	if kind == "cwm" && c.Value("layer_types")[0] != '[' {
		return errors.New("config.json: a cwm without layer_types is not known; the list says which layers have a window")
	}
	var steps []json.RawMessage
	if c.Get(&steps, "time_step_limit"); len(steps) == 2 && (string(steps[0]) != "0.0" && string(steps[0]) != "0" || config.TypeOf(steps[1]) == "number") {
		return fmt.Errorf("config.json: a time_step_limit of %s is not known; it must be from 0 to infinity", c.Value("time_step_limit"))
	}
	if err := c.refuseConvolved(kind, d); err != nil {
		return err
	}
	if gate := true; d.Gate && c.Get(&gate, "attn_output_gate") && !gate {
		return fmt.Errorf("config.json: attn_output_gate of a %s is not known; it must be true", kind)
	}
	causal, limit := true, 7.0
	if c.Get(&causal, "is_causal"); !causal && !d.Encoder {
		return fmt.Errorf("config.json: is_causal of a %s is not known; it must be true", kind)
	}
	if c.Get(&limit, "swiglu_limit"); limit != 7 {
		return fmt.Errorf("config.json: a swiglu_limit of %g is not known; it must be 7", limit)
	}
	for _, known := range []struct {
		key, kind string
		values    []string
	}{{"scoring_func", "deepseek_v2", []string{"softmax"}}, {"scoring_func", "deepseek_v3", []string{"sigmoid"}},
		{"topk_method", "deepseek_v2", []string{"greedy", "group_limited_greedy"}}, {"topk_method", "deepseek_v3", []string{"noaux_tc"}}} {
		if have := c.Text(known.key); kind == known.kind && have != "" && !slices.Contains(known.values, have) {
			return fmt.Errorf("config.json: a %s of %q is not known; a %s has %s", known.key, have, kind, strings.Join(known.values, " or "))
		}
	}
	for _, key := range []string{"attention_multiplier", "embedding_multiplier", "residual_multiplier", "logit_scale", "attn_logit_softcapping",
		"final_logit_softcapping", "routed_scaling_factor"} {
		if v := 1.0; c.Get(&v, key) && v == 0 {
			return fmt.Errorf("config.json: %s of a %s is 0; another number, or null, is wanted", key, kind)
		}
	}
	if width := 0; d.Latent != nil && c.Get(&width, "head_dim") {
		if kind == "mistral4" {
			if width != d.HeadWidth {
				return fmt.Errorf("config.json: head_dim of a %s is %d; it must be qk_nope_head_dim and qk_rope_head_dim together, which are %d", kind, width, d.HeadWidth)
			}
		} else if width != d.Latent.Turned {
			return fmt.Errorf("config.json: head_dim of a %s is %d; it must be qk_rope_head_dim, which is %d", kind, width, d.Latent.Turned)
		}
	}
	if q := c.Part("quantization_config"); q != nil {
		return fmt.Errorf("config.json: the weights are quantised in the way %q, which is not known; "+
			"take the folder with weights that are not, or a GGUF file", q.Text("quant_method"))
	}
	if on := false; kind == "deepseek_v2" && c.Get(&on, "norm_topk_prob") && on {
		return fmt.Errorf("config.json: norm_topk_prob of a %s is not known; it must be false", kind)
	}
	if r := d.Rotary; d.Positions == "rotary" && d.Latent == nil && r.Width != d.HeadWidth &&
		!slices.Contains([]string{"phi", "phi3", "glm", "glm4", "glm4_moe", "nemotron", "stablelm", "gpt_neox", "minimax_m2", "solar_open", "gptj", "qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "bamba", "persimmon"}, kind) {
		return fmt.Errorf("config.json: partial_rotary_factor of a %s is not known; all %d elements of a head are turned", kind, d.HeadWidth)
	}
	return nil
}

// refuseConvolved says which function behind the convolution of layers that keep a state is not computed.
func (c modelConfig) refuseConvolved(kind string, d *Description) error {
	if d.Recurrence == nil || !slices.Contains(d.Recurrence.Layers, true) {
		return nil
	}
	key := "hidden_act"
	if kind == "nemotron_h" {
		key = "mamba_hidden_act"
	}
	if name := c.Text(key); name != "" && activations[name] != "silu" {
		return fmt.Errorf("config.json: a %s of %q is not known for layers that keep a state; it must be silu", key, name)
	}
	return nil
}
