package architecture

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/llm/config"
)

// family reads what one family says under names of its own, or asks for what no network computes.
func (c modelConfig) family(kind string, d *Description, a *Kind) error {
	must := func(key string, want bool) error {
		have := want
		if c.Get(&have, key); have != want {
			return fmt.Errorf("%s of a %s is not known; it must be %t", key, kind, want)
		}
		return nil
	}
	switch kind {
	case "falcon":
		c.falcon(d)
	case "gpt_bigcode":
		one := true
		if c.Get(&one, "multi_query"); one {
			d.KVHeads = 1
		}
		a.Grouped = !one
	case "opt":
		if width := d.Width; c.Get(&width, "word_embed_proj_dim") && width != d.Width {
			return fmt.Errorf("embeddings of the width %d in a network of the width %d are not known", width, d.Width)
		}
		return must("do_layer_norm_before", true)
	case "bloom":
		if d.Context == 0 { // it has no bound, and files say the one of the training, or nothing
			d.Context = 2048
		}
		return must("apply_residual_connection_post_layernorm", false)
	case "mpt":
		return c.mpt(d)
	case "gpt_neo":
		var layers []string
		if c.Get(&layers, "attention_layers") && len(layers) == d.Layers {
			d.Windows = eachLayer(d.Layers)
			for i := range d.Windows {
				d.Windows[i] = layers[i] == "local"
			}
		}
	case "modernbert":
		every := 3
		c.Get(&every, "global_attn_every_n_layers")
		d.Windows = behindFirst(d.Layers, every)
	case "gemma4_text", "gemma4", "gemma4_unified_text", "gemma4_unified":
		return c.gemma4(d)
	case "nemotron_h":
		return c.nemotronH(d)
	case "cohere2_moe":
		return c.cohere2moe(d)
	case "mistral4":
		if groups := 1; c.Get(&groups, "n_group") && groups > 1 {
			return fmt.Errorf("an n_group of %d is not known; a %s has 1", groups, kind)
		}
	case "afmoe":
		a.sqrt = false
		c.Get(&a.sqrt, "mup_enabled")
		c.Get(&a.pattern, "global_attn_every_n_layers")
	case "granitemoehybrid":
		if c.Text("position_embedding_type") == "rope" {
			d.Positions = "rotary"
		}
	case "lfm2":
		c.lfm2(d)
	case "electra":
		if width := d.Width; c.Get(&width, "embedding_size") && width != d.Width {
			return fmt.Errorf("embeddings of the width %d in a network of the width %d are not known", width, d.Width)
		}
	case "ernie":
		return must("use_task_id", false)
	case "nomic_bert":
		return c.nomic(d)
	case "mellum":
		d.LocalRotary = &Rotary{}
		if config.TypeOf(c.Value("layer_types")) != "list" {
			d.Windows = eachLayer(d.Layers)
		}
	case "hyperclovax": // which multiplies by what Granite divides by
		c.Get(&d.LogitScale, "logits_scaling")
		delete(c.Object, "logits_scaling")
	case "biogpt":
		c.Get(&a.sqrt, "scale_embedding")
	}
	return nil
}

// lfm2 reads how wide the second part of a layer is.
func (c modelConfig) lfm2(d *Description) {
	c.Get(&d.Hidden, "block_ff_dim")
	adjust, times, multiple := true, 1.0, 256
	if c.Get(&adjust, "block_auto_adjust_ff_dim"); adjust {
		c.Get(&times, "block_ffn_dim_multiplier")
		c.Get(&multiple, "block_multiple_of")
		d.Hidden = int(times * float64(2*d.Hidden/3))
		d.Hidden = (d.Hidden + multiple - 1) / multiple * multiple
	}
}

// recurrence reads the sizes of states, and which layers keep one where layer_types does not say so.
func (c modelConfig) recurrence(d *Description) {
	if d.Recurrence == nil {
		return
	}
	r := *d.Recurrence
	c.Get(&r.Taps, "linear_conv_kernel_dim", "mamba_d_conv", "conv_kernel")
	c.Get(&r.Keys, "linear_num_key_heads", "mamba_n_groups", "n_groups")
	c.Get(&r.Heads, "linear_num_value_heads", "mamba_n_heads", "mamba_num_heads")
	c.Get(&r.KeyWidth, "linear_key_head_dim", "mamba_d_state", "ssm_state_size")
	if !c.Get(&r.Width, "linear_value_head_dim", "mamba_d_head", "mamba_head_dim") && r.Heads > 0 { // "auto"
		expand := 2.0
		c.Get(&expand, "mamba_expand")
		r.Width = int(expand*float64(d.Width)) / r.Heads
	}
	every := 4
	c.Get(&every, "full_attention_interval")
	r.Layers = eachLayer(d.Layers)
	if d.Feeds != nil {
		r.NormGroups = r.Keys
		for i, kind := range c.onePart() {
			r.Layers[i] = kind == "mamba"
		}
	}
	var whole []int
	if c.Get(&whole, "attn_layer_indices") {
		for i := range r.Layers {
			r.Layers[i] = !slices.Contains(whole, i)
		}
	}
	if config.TypeOf(c.Value("layer_types")) != "list" && r.Delta {
		r.between(every)
	}
	d.Recurrence = &r
}

// onePart is the kind of each layer of a Nemotron-H, from names or from letters.
func (c modelConfig) onePart() (kinds []string) {
	if c.Get(&kinds, "layers_block_type") {
		return kinds
	}
	for _, letter := range c.Text("hybrid_override_pattern") {
		name, ok := map[rune]string{'M': "mamba", '*': "attention", '-': "mlp", 'E': "moe"}[letter]
		if !ok {
			name = string(letter)
		}
		kinds = append(kinds, name)
	}
	return kinds
}

// nemotronH reads which part each layer is.
func (c modelConfig) nemotronH(d *Description) error {
	delete(c.Object, "sliding_window") // transformers has the key, and no window
	kinds := c.onePart()
	d.Layers = len(kinds)
	if d.Layers > mostLayers {
		return fmt.Errorf("%d layers, want at most %d", d.Layers, mostLayers)
	}
	d.Feeds = eachLayer(d.Layers)
	e := *d.Experts
	e.Dense = eachLayer(d.Layers)
	for i, kind := range kinds {
		if !slices.Contains([]string{"mamba", "attention", "mlp", "moe"}, kind) {
			return fmt.Errorf("layer %d is of the type %q, which is not known", i, kind)
		}
		d.Feeds[i], e.Dense[i] = kind == "mlp" || kind == "moe", kind == "mlp"
	}
	if d.Experts = &e; !slices.Contains(kinds, "moe") {
		d.Experts = nil
	}
	return nil
}

// cohere2moe reads how experts are chosen and joined, the norms, and what the first layers have that are without
// experts.
func (c modelConfig) cohere2moe(d *Description) error {
	e := *d.Experts
	d.Experts = &e
	join, choice, every := "average", "softmax", 1
	c.Get(&join, "shared_expert_combination_strategy")
	c.Get(&choice, "expert_selection_fn")
	c.Get(&every, "prefix_dense_sliding_window_pattern")
	if join == "sum" {
		e.SumScale = 1
	}
	switch e.TurnsDense = every == 1; {
	case join != "average" && join != "sum":
		return fmt.Errorf("a shared_expert_combination_strategy of %q is not known; there are average and sum", join)
	case choice == "softmax":
		e.Score = "chosen"
	case choice != "sigmoid":
		return fmt.Errorf("an expert_selection_fn of %q is not known; there are softmax and sigmoid", choice)
	}
	c.Get(&d.Hidden, "prefix_dense_intermediate_size")
	if epsilon := 0.0; c.Get(&epsilon, "rms_norm_eps") {
		d.Norm = "rms"
	}
	if dense := 0; c.Get(&dense, "first_k_dense_replace") && dense > 0 && config.TypeOf(c.Value("layer_types")) != "list" {
		period := 4
		c.Get(&period, "sliding_window_pattern")
		d.Windows = eachLayer(d.Layers)
		for i := range d.Windows {
			if i < dense {
				d.Windows[i] = every > 0 && (i+1)%every != 0
			} else {
				d.Windows[i] = period > 0 && (i-dense+1)%period != 0
			}
		}
	}
	return nil
}

// gemma4 reads what differs between layers.
func (c modelConfig) gemma4(d *Description) error {
	if c.Text("use_bidirectional_attention") == "all" {
		return errors.New(`use_bidirectional_attention "all" is not known; it must be "vision" or null`)
	}
	d.LocalHeads = &LocalHeads{d.KVHeads, d.HeadWidth}
	c.Get(&d.HeadWidth, "global_head_dim")
	d.ValueWidth = d.HeadWidth
	if c.Get(&d.KeyValues, "attention_k_eq_v"); d.KeyValues {
		c.Get(&d.KVHeads, "num_global_key_value_heads")
	}
	c.Get(&d.Sharing, "num_kv_shared_layers")
	c.Get(&d.LayerWidth, "hidden_size_per_layer_input")
	wide, experts := false, false
	if c.Get(&wide, "use_double_wide_mlp"); wide {
		for i := range eachLayer(d.Layers) {
			n := d.Hidden
			if i >= d.Layers-d.Sharing {
				n *= 2
			}
			d.LayerHidden = append(d.LayerHidden, n)
		}
	}
	if c.Get(&experts, "enable_moe_block"); !experts {
		d.Experts = nil
	}
	return nil
}

// nomic reads the names that files have from the time before transformers knew the architecture.
func (c modelConfig) nomic(d *Description) error {
	share := 1.0
	c.Get(&share, "rotary_emb_fraction")
	if c.Text("activation_function") == "swiglu" {
		c.Object["activation_function"] = []byte(`"silu"`)
	}
	for key, want := range map[string]bool{"prenorm": false, "parallel_block": false, "use_rms_norm": false, "rotary_emb_interleaved": false} {
		if have := want; c.Get(&have, key) && have != want {
			return fmt.Errorf("%s of a nomic_bert is not known; it must be %t", key, want)
		}
	}
	if share != 1 {
		return fmt.Errorf("a rotary_emb_fraction of %g is not known; it must be 1", share)
	}
	return nil
}

// behindFirst says which layers have a window: all but layers 0, every, 2·every and so on.
func behindFirst(layers, every int) []bool {
	list := eachLayer(layers)
	for i := range list {
		list[i] = every > 0 && i%every != 0
	}
	return list
}

// falcon reads which heads share keys, whether a layer's parts read the same rows, and how wide the second part is.
func (c modelConfig) falcon(d *Description) {
	d.Hidden = 4 * d.Width
	c.Get(&d.Hidden, "ffn_hidden_size")
	grouped, one := false, true
	c.Get(&grouped, "new_decoder_architecture")
	c.Get(&one, "multi_query")
	switch {
	case grouped:
		c.Get(&d.KVHeads, "num_kv_heads", "n_head_kv")
	case one:
		d.KVHeads = 1
	}
	if c.Get(&d.Parallel, "parallel_attn"); grouped {
		d.Parallel = true
	}
}

// convolved are the types of the layers of an LFM2 by the list of those with attention.
func (c modelConfig) convolved(d *Description) []string {
	var whole []int
	if !c.Get(&whole, "full_attn_idxs") {
		return nil
	}
	types := make([]string, len(eachLayer(d.Layers)))
	for i := range types {
		types[i] = "conv"
		if slices.Contains(whole, i) {
			types[i] = "full_attention"
		}
	}
	return types
}

// mpt reads what an MPT has in an object of its own.
func (c modelConfig) mpt(d *Description) error {
	p := c.Part("attn_config")
	alibi, norms, scale := true, false, 0.0
	p.Get(&alibi, "alibi")
	p.Get(&norms, "qk_ln")
	p.Get(&d.SlopeBound, "alibi_bias_max")
	p.Get(&d.Clip, "clip_qkv")
	if p.Get(&scale, "softmax_scale"); scale != 0 {
		d.AttentionScale = scale
	}
	if !alibi || norms {
		return fmt.Errorf("an mpt with alibi=%t and qk_ln=%t is not known; they must be true and false", alibi, norms)
	}
	return nil
}
