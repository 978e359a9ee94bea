package architecture

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/config"
)

// activations are the functions by the names in config.json.
var activations = map[string]string{"silu": "silu", "swish": "silu", "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh",
	"gelu_fast": "gelu_tanh", "relu": "relu", "relu2": "relu2", "xielu": "xielu"}

// FromConfig reads config.json. A missing key has the value that transformers gives to it, if it gives one. A
// model_type that this package does not know is an error, and so is an entry that is missing without such a value, of
// another kind, or of a value that the network does not have.
func FromConfig(data []byte) (*Description, *Kind, error) {
	c, err := readConfig(data)
	if err != nil {
		return nil, nil, err
	}
	kind := c.Text("model_type")
	if kind == "mistral" && config.TypeOf(c.Value("layer_types")) == "list" { // so transformers reads the file
		kind = "ministral"
	}
	name, a, ok := ofType(kind)
	if !ok {
		if _, ok := kinds[strings.ReplaceAll(kind, "_", "-")]; ok {
			return nil, nil, fmt.Errorf("config.json: folders of the model_type %q are not read, files of GGUF are; convert_hf_to_gguf.py of llama.cpp makes one", kind)
		}
		return nil, nil, unknown("config.json: the model_type", kind, modelTypes())
	}
	if kind == "hunyuan_v1_moe" {
		c.alike("moe_topk", "num_experts", "num_shared_expert", "moe_intermediate_size")
	}
	if err := c.complete(kind); err != nil {
		return nil, nil, err
	}
	d := a.base
	d.Architecture = name
	c.sizes(&d)
	if err := c.family(kind, &d, &a); err != nil {
		return nil, nil, fmt.Errorf("config.json: %w", err)
	}
	c.Get(&d.Epsilon, "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps")
	if err := c.activation(&d); err != nil {
		return nil, nil, err
	}
	c.Get(&d.Taps, "conv_L_cache")
	c.Get(&d.Guessing, "num_nextn_predict_layers")
	c.Get(&d.Clip, "clip_qkv")
	c.recurrence(&d)
	c.Get(&d.Parallel, "use_parallel_residual")
	if err := c.encoder(kind, &d); err != nil {
		return nil, nil, err
	}
	if err := c.windows(&d, &a); err != nil {
		return nil, nil, err
	}
	if d.LocalHeads != nil && len(d.Windows) > 0 { // whatever the file says, as in transformers
		d.Windows[len(d.Windows)-1] = false
	}
	c.scales(&d, &a)
	c.latent(&d)
	if err := c.rotary(&d, &a); err != nil {
		return nil, nil, err
	}
	c.experts(&d, &a)
	if err := d.check(); err != nil {
		return nil, nil, fmt.Errorf("config.json: %w", err)
	}
	if err := c.refuse(kind, &d); err != nil {
		return nil, nil, err
	}
	a.Wanted = c.wanted(&d)
	return &d, &a, nil
}

// sizes reads the numbers of layers, heads, numbers of a row and tokens of the vocabulary.
func (c modelConfig) sizes(d *Description) {
	c.Get(&d.Layers, "num_hidden_layers", "n_layer", "n_layers", "num_layers")
	c.Get(&d.Width, "hidden_size", "n_embd", "dim", "d_model")
	c.Get(&d.Vocabulary, "vocab_size")
	c.Get(&d.Context, "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length")
	c.Get(&d.Heads, "num_attention_heads", "n_head", "n_heads", "num_heads")
	d.KVHeads = d.Heads
	c.Get(&d.KVHeads, "num_key_value_heads")
	if d.Heads > 0 {
		d.HeadWidth = d.Width / d.Heads
	}
	c.Get(&d.HeadWidth, "head_dim")
	d.ValueWidth = d.HeadWidth
	d.Hidden = 4 * d.Width
	c.Get(&d.Hidden, "intermediate_size_mlp", "intermediate_size", "n_inner", "hidden_dim", "ffn_dim")
}

// activation reads the function of the hidden rows.
func (c modelConfig) activation(d *Description) error {
	name := c.Text("hidden_activation", "hidden_act", "activation_function", "activation", "mlp_hidden_act")
	if name == "" || d.Activation == "clamped" {
		return nil
	}
	known, ok := activations[name]
	if !ok {
		return fmt.Errorf("config.json: the activation %q is not known", name)
	}
	d.Activation = known
	return nil
}

// encoder reads whether tokens see those behind them, and where the positions of an encoder begin.
func (c modelConfig) encoder(kind string, d *Description) error {
	if slices.Contains([]string{"roberta", "xlm-roberta", "camembert", "data2vec-text", "roberta-prelayernorm", "xlm-roberta-xl"}, kind) {
		pad := 1
		c.Get(&pad, "pad_token_id")
		d.FirstRow = pad + 1
		d.Context -= d.FirstRow
	}
	bidirectional := false
	if c.Get(&bidirectional, "use_bidirectional_attention"); bidirectional && d.Architecture == "gemma3" {
		d.Encoder, d.Architecture = true, "gemma-embedding"
	}
	if p := c.Text("position_embedding_type"); d.Encoder && p != "" && p != "absolute" {
		return fmt.Errorf("config.json: positions of the type %q are not known", p)
	}
	return nil
}

// windows reads which layers have a window, and which have no rotary positions.
func (c modelConfig) windows(d *Description, a *Kind) error {
	use := true
	c.Get(&use, "use_sliding_window")
	d.Window = 0
	switch given := c.Get(&d.Window, "sliding_window", "attention_chunk_size", "window_size"); {
	case !use:
		d.Window = 0
	case given && d.Window == 0:
		return errors.New("config.json: a window of 0 tokens is not known; null stands for none")
	}
	var rotary []int
	if c.Get(&rotary, "no_rope_layers") && len(rotary) == d.Layers {
		d.Unturned = make([]bool, d.Layers)
		for i, r := range rotary {
			d.Unturned[i] = r == 0
		}
	} else if d.RotaryEvery != 0 {
		c.Get(&d.RotaryEvery, "no_rope_layer_interval")
	}
	pattern := *a
	if a.pattern != 0 {
		c.Get(&pattern.pattern, "sliding_window_pattern", "_sliding_window_pattern")
	}
	if d.Windows == nil {
		d.Windows = pattern.windows(d.Layers)
	}
	if half := 0; c.Get(&half, "local_attention") { // of a window to both sides
		d.Window = half/2 + 1
	} else if d.Encoder && d.Window > 0 {
		d.Window = d.Window/2 + 1
	}
	var types []string
	if !c.Get(&types, "layer_types") && a.base.Taps > 0 { // as older files say it
		types = c.convolved(d)
	}
	if types != nil {
		return d.windowsByType(types)
	}
	if d.RotaryEvery != 0 { // layers with a window are those with rotary positions, or those without
		d.Windows = eachLayer(d.Layers)
		for i := range d.Windows {
			d.Windows[i] = d.Turned(i) == d.Chunked
		}
	} else if from := 0; a.windowsFrom && c.Get(&from, "max_window_layers") && d.Window > 0 {
		d.Windows = eachLayer(d.Layers)
		for i := range d.Windows {
			d.Windows[i] = i >= from
		}
	}
	return nil
}

// windowsByType reads which layers have a window from the type of each.
func (d *Description) windowsByType(types []string) error {
	if len(types) != d.Layers {
		return fmt.Errorf("config.json: layer_types has %d types of %d layers", len(types), d.Layers)
	}
	d.Windows = eachLayer(d.Layers)
	for i := range d.Windows {
		switch t := types[i]; t {
		case "sliding_attention", "chunked_attention":
			d.Windows[i] = true
		case "full_attention", "attention":
		default:
			if (t == "linear_attention" || t == "mamba") && d.Recurrence != nil {
				d.Recurrence.Layers[i] = true
				continue
			}
			if t == "conv" && d.Taps > 0 {
				if d.Convolved == nil {
					d.Convolved = eachLayer(d.Layers)
				}
				d.Convolved[i] = true
				continue
			}
			return fmt.Errorf("config.json: layer %d is of the type %q, which is not known", i, t)
		}
	}
	return nil
}

// scales reads what parts are multiplied by, and bounded by.
func (c modelConfig) scales(d *Description, a *Kind) {
	if a.sqrt {
		d.EmbeddingScale = math.Sqrt(float64(d.Width))
	}
	var v float64
	if c.Get(&v, "query_pre_attn_scalar") && v > 0 {
		d.AttentionScale = 1 / math.Sqrt(v)
	}
	scaled := true
	if c.Get(&scaled, "scale_attn_weights"); !scaled {
		d.AttentionScale = 1
	}
	c.Get(&d.AttentionScale, "attention_multiplier")
	c.Get(&d.EmbeddingScale, "embedding_multiplier")
	c.Get(&d.ResidualScale, "residual_multiplier")
	c.Get(&d.LogitScale, "logit_scale")
	if v = 0; c.Get(&v, "logits_scaling") && v != 0 {
		d.LogitScale = 1 / v
	}
	d.ScoreCap, d.LogitCap = 0, 0
	if d.LocalRotary == nil { // Gemma 3 has the key, and no such bound
		c.Get(&d.ScoreCap, "attn_logit_softcapping")
	}
	c.Get(&d.LogitCap, "final_logit_softcapping")
	if d.Temperature != 0 {
		tune := true
		c.Get(&tune, "attn_temperature_tuning")
		c.Get(&d.Temperature, "attn_scale")
		c.Get(&d.TemperatureLen, "floor_scale")
		if !tune {
			d.Temperature = 0
		}
		c.Get(&d.UnitHeadNorm, "use_qk_norm")
	}
}

// latent reads the widths of DeepSeek's attention.
func (c modelConfig) latent(d *Description) {
	if d.Latent == nil {
		return
	}
	l := *d.Latent
	c.Get(&l.QueryRank, "q_lora_rank")
	c.Get(&l.Rank, "kv_lora_rank")
	c.Get(&l.Plain, "qk_nope_head_dim")
	c.Get(&l.Turned, "qk_rope_head_dim")
	c.Get(&l.Values, "v_head_dim")
	l.Epsilon = 1e-6 // whatever rms_norm_eps is, as in transformers
	d.HeadWidth, d.ValueWidth, d.KVHeads = l.Plain+l.Turned, l.Values, d.Heads
	d.Latent = &l
}

// rotary reads how positions turn heads: rope_parameters, or rope_theta and rope_scaling of older files.
func (c modelConfig) rotary(d *Description, a *Kind) error {
	pairs := a.turnPairs
	c.Get(&pairs, "rope_interleave")
	d.Rotary = Rotary{Theta: 1e4, Width: d.HeadWidth, Pairs: pairs, Original: d.Context}
	c.Get(&d.Rotary.Theta, "rope_theta", "rotary_emb_base")
	share := 1.0
	if width := 0; c.Get(&width, "rotary_dim") && d.HeadWidth > 0 {
		share = float64(width) / float64(d.HeadWidth)
	}
	c.Get(&share, "partial_rotary_factor", "rotary_pct")
	p := c.Part("rope_parameters")
	if p == nil {
		p = c.Part("rope_scaling")
	}
	if p == nil && a.base.FirstUnnormed { // ModernBERT says it apart
		c.Get(&d.Rotary.Theta, "global_rope_theta")
	}
	local := p.Part("sliding_attention")
	if full := p.Part("full_attention"); full != nil {
		p = full
	}
	p.Get(&share, "partial_rotary_factor")
	d.Rotary.Width = int(float64(d.HeadWidth) * share)
	if d.Latent != nil {
		d.Rotary.Width = d.Latent.Turned
	}
	if d.LocalRotary != nil {
		r := Rotary{Theta: 1e4, Width: d.Rotary.Width, Pairs: a.turnPairs}
		if d.LocalHeads != nil {
			r.Width = d.LocalHeads.Width
		}
		c.Get(&r.Theta, "rope_local_base_freq", "local_rope_theta")
		local.Get(&r.Theta, "rope_theta")
		if kind := local.Text("rope_type", "type"); kind != "" && kind != "default" {
			return fmt.Errorf("config.json: positions of layers with a window are scaled in the way %q, which is not known for them", kind)
		}
		d.LocalRotary = &r
	}
	if err := c.scaling(d, &d.Rotary, p); err != nil {
		return err
	}
	if d.TemperatureAll {
		p.Get(&d.Temperature, "llama_4_scaling_beta")
		d.TemperatureLen = d.Rotary.Original
	}
	return nil
}

// experts reads how tokens choose among experts.
func (c modelConfig) experts(d *Description, a *Kind) {
	if d.Experts == nil {
		return
	}
	e := *d.Experts
	d.Experts = &e
	if c.Get(&e.Count, "num_local_experts") && e.Count == 0 { // Granite 4 without experts
		d.Experts = nil
		c.Get(&d.Hidden, "shared_intermediate_size")
		return
	}
	c.Get(&e.Count, "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
	c.Get(&e.Chosen, "num_experts_per_tok", "moe_k", "moe_topk", "top_k_experts")
	e.Hidden = d.Hidden
	if !c.Get(&e.Hidden, "moe_intermediate_size") {
		c.Get(&e.Hidden, "intermediate_size")
	}
	c.Get(&e.Normalise, "norm_topk_prob")
	c.Get(&e.Scale, "routed_scaling_factor", "router_scaling_factor", "route_scale")
	shared := 0
	if c.Get(&shared, "n_shared_experts", "moe_num_shared_experts", "num_shared_experts"); shared > 0 {
		e.SharedHidden = shared * e.Hidden
	}
	if a.shared {
		e.SharedHidden = e.Hidden
	}
	c.Get(&e.SharedHidden, "shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size")
	c.Get(&e.Width, "moe_latent_size")
	if kind := c.Text("model_type"); kind == "deepseek_v3" || kind == "glm4_moe_lite" {
		e.Score = "sigmoid"
	}
	if method := c.Text("topk_method"); method != "greedy" {
		c.Get(&e.Groups, "n_group")
		c.Get(&e.ChosenGroups, "topk_group")
	}
	dense := eachLayer(d.Layers)
	first, step, every := 0, 1, 1
	c.Get(&first, "first_k_dense_replace", "moe_layer_start_index", "num_dense_layers")
	c.Get(&step, "decoder_sparse_step", "moe_layer_freq", "moe_layer_interval")
	last := -1
	if c.Get(&last, "moe_layer_end_index"); last < 0 {
		last = d.Layers - 1
	}
	c.Get(&every, "interleave_moe_layer_step")
	var only, some []int
	c.Get(&only, "mlp_only_layers")
	chosen := c.Get(&some, "moe_layers")
	var kinds []string
	if kind := c.Text("model_type"); !c.Get(&kinds, "mlp_layer_types") && (kind == "glm4_moe_lite" || kind == "hy_v3") {
		first = 1
	}
	for i := range dense {
		dense[i] = i < first || i > last || step > 1 && (i+1)%step != 0 || every > 1 && (i+1)%every != 0 || slices.Contains(only, i) ||
			chosen && !slices.Contains(some, i) || len(kinds) == d.Layers && kinds[i] == "dense"
	}
	if d.Feeds == nil && slices.Contains(dense, true) {
		e.Dense = dense
	}
}
