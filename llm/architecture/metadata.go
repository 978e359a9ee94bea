package architecture

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/tensor/gguf"
)

// architectureMetadata is the entries of a GGUF file that belong to its architecture.
type architectureMetadata struct{ *config.Metadata }

// FromGGUF reads what a GGUF file says of its model. An architecture that this package does not know is an error, and
// so is metadata that is missing or of a value that the network does not have.
func FromGGUF(f *gguf.File) (*Description, error) {
	name, a, err := architectureOf(f)
	if err != nil {
		return nil, err
	}
	m := architectureMetadata{&config.Metadata{File: f, Prefix: name + "."}}
	d := a.base
	d.Architecture = name
	err = m.describe(&d, &a)
	if wrong := m.Err(); wrong != nil {
		err = wrong
	}
	if err != nil {
		return nil, err
	}
	return &d, d.check()
}

// describe reads all that a file says of its network.
func (m architectureMetadata) describe(d *Description, a *Kind) error {
	m.sizes(d)
	if err := m.heads(d); err != nil {
		return err
	}
	if len(m.File.Tensors()) > 0 && d.Vocabulary == 0 {
		return errors.New("there is no weight token_embd.weight with a row for each token")
	}
	m.layers(d, a)
	m.recurrence(d, a)
	m.scales(d, a)
	m.windows(d, a)
	if err := m.localHeads(d); err != nil {
		return err
	}
	if d.Latent != nil {
		m.latent(d)
	}
	if err := m.rotary(d, a); err != nil {
		return err
	}
	if err := m.experts(d); err != nil {
		return err
	}
	if d.Activation == "xielu" {
		if err := d.SetXIELU(func(name string) []float64 { return m.File.Numbers("xielu." + name) }); err != nil {
			return err
		}
	}
	return m.encoder(d)
}

// architectureOf returns the architecture of a file by its name, and by the keys that tell apart architectures of one
// name.
func architectureOf(f *gguf.File) (name string, a Kind, err error) {
	if parts, _ := f.Metadata["split.count"].(uint64); parts > 1 {
		return "", a, fmt.Errorf("the file is one of %d parts of a model; open the first one, beside which the others lie", parts)
	}
	name, _ = f.Metadata["general.architecture"].(string)
	a, known := kinds[name]
	if !known || a.within != "" || a.folder {
		return "", a, unknown("the architecture", name, architectureNames())
	}
	m := architectureMetadata{&config.Metadata{File: f, Prefix: name + "."}}
	for kind, key := range map[string]string{"mixtral": "expert_count", "olmo3": "attention.sliding_window"} {
		if v, ok := m.Number(key); ok && v > 0 && kinds[kind].within == name {
			a = kinds[kind]
		}
	}
	return name, a, m.Err()
}

// sizes reads the numbers of layers, numbers of a row, tokens of the vocabulary, and what norms add.
func (m architectureMetadata) sizes(d *Description) {
	m.Set("block_count", &d.Layers)
	m.Set("nextn_predict_layers", &d.Guessing)
	if d.Guessing > 0 {
		d.Layers -= d.Guessing
	}
	m.Set("embedding_length", &d.Width)
	m.Set("context_length", &d.Context)
	for _, info := range m.File.Tensors() {
		if info.Name == "token_embd.weight" && len(info.Shape) == 2 {
			d.Vocabulary = info.Shape[0]
		}
	}
	m.Set("attention.layer_norm_epsilon", &d.Epsilon)
	m.Set("attention.layer_norm_rms_epsilon", &d.Epsilon)
	if d.Recurrence != nil {
		r := *d.Recurrence
		r.Layers = eachLayer(d.Layers)
		d.Recurrence = &r
	}
}

// layers reads what is in a layer beside heads.
func (m architectureMetadata) layers(d *Description, a *Kind) {
	list := m.Numbers("feed_forward_length")
	if len(list) > 0 {
		d.Hidden = config.Whole(slices.Max(list))
	} else {
		m.Set("feed_forward_length", &d.Hidden)
	}
	if len(list) == d.Layers && len(list) > 0 && d.Feeds == nil && slices.Min(list) != slices.Max(list) {
		for _, n := range list {
			d.LayerHidden = append(d.LayerHidden, config.Whole(n))
		}
	}
	m.Set("embedding_length_per_layer_input", &d.LayerWidth)
	m.Set("attention.shared_kv_layers", &d.Sharing)
	if d.Feeds != nil { // layers with neither heads of keys nor products keep a state
		d.Feeds = eachLayer(d.Layers)
		for i := range min(len(list), len(d.Feeds)) {
			d.Feeds[i] = config.Whole(list[i]) > 0
			d.Recurrence.Layers[i] = d.Recurrence.Layers[i] && !d.Feeds[i]
		}
	}
	if a.doubled {
		d.Hidden /= 2
	}
	m.Set("use_parallel_residual", &d.Parallel)
	m.Set("shortconv.l_cache", &d.Taps)
}

// scales reads what scores, rows and the logarithms of probabilities are multiplied by, and their bounds.
func (m architectureMetadata) scales(d *Description, a *Kind) {
	if a.bySize != nil {
		a.bySize(d)
	}
	m.Set("attention.clamp_kqv", &d.Clip)
	m.Set("attention.max_alibi_bias", &d.SlopeBound)
	m.Set("attention.scale", &d.AttentionScale)
	m.Set("attention.output_scale", &d.AttentionScale) // of Grok, whose scores are multiplied by it
	m.Set("attn_logit_softcapping", &d.ScoreCap)
	m.Set("final_logit_softcapping", &d.LogitCap)
	m.Set("embedding_scale", &d.EmbeddingScale)
	m.Set("residual_scale", &d.ResidualScale)
	m.Set("logit_scale", &d.LogitScale)
	if d.LogitScale != 0 && a.divided {
		d.LogitScale = 1 / d.LogitScale
	}
	m.Set("attention.temperature_scale", &d.Temperature)
	m.Set("attention.temperature_length", &d.TemperatureLen)
	if a.sqrt {
		d.EmbeddingScale = math.Sqrt(float64(d.Width))
	}
}

// windows reads how many tokens a token sees, and in which layers.
func (m architectureMetadata) windows(d *Description, a *Kind) {
	m.Set("attention.sliding_window", &d.Window)
	m.Set("attention.chunk_size", &d.Window)
	list := m.Numbers("attention.sliding_window_pattern")
	if len(list) == 0 {
		m.Set("attention.sliding_window_pattern", &a.pattern)
	}
	d.Windows = a.windows(d.Layers)
	if len(list) == d.Layers {
		d.Windows = make([]bool, d.Layers)
		for i, v := range list {
			d.Windows[i] = v != 0
		}
	}
	if d.Encoder && d.Window > 0 { // to both sides
		d.Window = d.Window/2 + 1
	}
	if a.base.FirstUnnormed {
		d.Windows = behindFirst(d.Layers, 3)
	}
}

// ranking are models that generate and may score pairs of texts.
var ranking = []string{"qwen3", "qwen3vl"}

// encoder reads how the rows of a text become one vector, and refuses attention to other sides than the architecture
// has.
func (m architectureMetadata) encoder(d *Description) error {
	if v, ok := m.Number("pooling_type"); ok {
		if d.Pooling = map[float64]string{0: "none", 1: "mean", 2: "cls", 3: "last", 4: "rank"}[v]; d.Pooling == "" || v == 4 && !d.Encoder && !slices.Contains(ranking, d.Architecture) {
			return fmt.Errorf("%s: pooling_type is %g; there are 0 (none), 1 (mean), 2 (cls) and 3 (last), and 4 (rank) of encoders and Qwen 3", d.Architecture, v)
		}
		switch {
		case !d.Encoder:
			d.ScoredRow = "last"
		case d.Architecture == "modern-bert":
			d.ScoredRow = "mean"
		default:
			d.ScoredRow = "cls"
		}
	}
	if causal, ok := m.Number("attention.causal"); ok && d.Encoder == (causal != 0) {
		return fmt.Errorf("attention.causal is %t, which no %s that is known has", causal != 0, d.Architecture)
	}
	return nil
}

// heads reads the numbers and widths of heads.
func (m architectureMetadata) heads(d *Description) error {
	if list := m.Numbers("attention.head_count"); len(list) > 0 {
		d.Heads = config.Whole(list[0])
	} else {
		m.Set("attention.head_count", &d.Heads)
	}
	d.KVHeads = d.Heads
	if list := m.Numbers("attention.head_count_kv"); len(list) == 0 {
		m.Set("attention.head_count_kv", &d.KVHeads)
	} else {
		d.KVHeads = config.Whole(list[0])
		for i, v := range list {
			n := config.Whole(v)
			if n == 0 && d.Taps > 0 && i < mostLayers { // a layer with a short convolution
				if d.Convolved == nil {
					d.Convolved = make([]bool, len(list))
				}
				d.Convolved[i] = true
				continue
			}
			if n == 0 && d.Recurrence != nil && i < len(d.Recurrence.Layers) {
				d.Recurrence.Layers[i] = true
				continue
			}
			d.KVHeads = n
			d.LayerKVHeads = append(d.LayerKVHeads, n)
		}
	}
	if d.Heads < 1 || d.KVHeads < 1 {
		return fmt.Errorf("%s: %d heads, and %d of keys and values", d.Architecture, d.Heads, d.KVHeads)
	}
	d.HeadWidth = d.Width / d.Heads
	m.Set("attention.key_length", &d.HeadWidth)
	d.ValueWidth = d.HeadWidth
	m.Set("attention.value_length", &d.ValueWidth)
	return nil
}

// localHeads reads the heads of layers with a window, and whether the other layers have no projection of values.
func (m architectureMetadata) localHeads(d *Description) error {
	if d.LocalHeads == nil {
		return nil
	}
	h := LocalHeads{d.KVHeads, d.HeadWidth}
	m.Set("attention.key_length_swa", &h.Width)
	list := d.LayerKVHeads
	d.LocalHeads, d.LayerKVHeads = &h, nil
	for i, n := range list {
		if d.Windowed(i) {
			h.KVHeads = n
		} else {
			d.KVHeads = n
		}
	}
	for i, n := range list {
		if n != d.KVHeadsAt(i) {
			return fmt.Errorf("%s: layer %d has %d heads of keys, and another one of its kind %d", d.Architecture, i, n, d.KVHeadsAt(i))
		}
	}
	names := map[string]bool{}
	for _, info := range m.File.Tensors() {
		names[info.Name] = true
	}
	d.KeyValues = true
	for i := range min(d.Layers, mostLayers) {
		d.KeyValues = d.KeyValues && (d.Windowed(i) || !names[WeightName(i, "attn_v.weight")])
	}
	return nil
}

// recurrence reads the sizes of states, and which layers keep one where heads do not say so.
func (m architectureMetadata) recurrence(d *Description, a *Kind) {
	r := d.Recurrence
	if r == nil {
		return
	}
	inner, every := 0, 4
	m.Set("ssm.conv_kernel", &r.Taps)
	m.Set("ssm.state_size", &r.KeyWidth)
	m.Set("ssm.group_count", &r.Keys)
	m.Set("ssm.time_step_rank", &r.Heads)
	m.Set("ssm.inner_size", &inner)
	m.Set("full_attention_interval", &every)
	if r.Heads > 0 {
		r.Width = inner / r.Heads
	}
	r.Turns = a.tiled
	if d.Feeds != nil {
		r.NormGroups = r.Keys
	}
	if r.Delta {
		r.between(every)
	}
}

// latent reads the widths of DeepSeek's attention.
func (m architectureMetadata) latent(d *Description) {
	l := *d.Latent
	m.Set("attention.q_lora_rank", &l.QueryRank)
	m.Set("attention.kv_lora_rank", &l.Rank)
	m.Set("rope.dimension_count", &l.Turned)
	// Files for attention over the narrow rows themselves say the widths of heads apart.
	m.Set("attention.key_length_mla", &d.HeadWidth)
	m.Set("attention.value_length_mla", &d.ValueWidth)
	l.Plain, l.Values = d.HeadWidth-l.Turned, d.ValueWidth
	d.KVHeads, d.LayerKVHeads, d.Latent = d.Heads, nil, &l
}

// rotary reads how positions turn heads.
func (m architectureMetadata) rotary(d *Description, a *Kind) error {
	if turned := true; a.turned {
		if m.Set("rope.scaling.finetuned", &turned); turned {
			d.Positions = "rotary"
		}
	}
	r := &d.Rotary
	r.Theta, r.Width, r.Pairs = 1e4, d.HeadWidth, a.pairs
	m.Set("rope.freq_base", &r.Theta)
	m.Set("rope.dimension_count", &r.Width)
	if err := m.scaling(d, a); err != nil {
		return err
	}
	for _, l := range []struct {
		name string
		to   *[]float64
	}{{"rope_freqs.weight", &r.Factors}, {"rope_factors_short.weight", &r.Factors}, {"rope_factors_long.weight", &r.Long}} {
		if err := m.factors(l.name, l.to); err != nil {
			return err
		}
	}
	if a.unscaled {
		d.LocalRotary = &Rotary{Theta: r.Theta}
	}
	if d.LocalRotary != nil {
		local := *d.LocalRotary
		local.Width, local.Pairs = r.Width, r.Pairs
		if d.LocalHeads != nil {
			local.Width = d.LocalHeads.Width
			m.Set("rope.dimension_count_swa", &local.Width)
		}
		m.Set("rope.freq_base_swa", &local.Theta)
		d.LocalRotary = &local
	}
	return nil
}

// factors reads the factors of frequencies from a tensor, of the file or of its first layer. Without one nothing
// changes.
func (m architectureMetadata) factors(name string, to *[]float64) error {
	for _, name := range []string{name, "blk.0." + name} {
		b, err := m.File.Tensor(name)
		if err != nil {
			continue
		}
		values, err := config.Floats(b)
		if err != nil {
			return err
		}
		*to = make([]float64, len(values))
		for i, v := range values {
			(*to)[i] = float64(v)
		}
	}
	return nil
}

// scaling reads how positions beyond the context of the training are scaled.
func (m architectureMetadata) scaling(d *Description, a *Kind) error {
	r, factor, original := &d.Rotary, 1.0, d.Context
	m.Set("rope.scaling.factor", &factor)
	m.Set("rope.scaling.original_context_length", &original)
	m.Set("rope.scaling.attn_factor", &r.Scale)
	r.Original = original
	if d.TemperatureAll && d.TemperatureLen == 0 {
		d.TemperatureLen = original
	}
	kind, text := m.File.Metadata[m.Prefix+"rope.scaling.type"].(string)
	switch {
	case !text && m.File.Has(m.Prefix+"rope.scaling.type"):
		return fmt.Errorf("%srope.scaling.type is no text", m.Prefix)
	case !slices.Contains([]string{"", "none", "linear", "yarn", "longrope", "su"}, kind):
		return fmt.Errorf("%s: positions are scaled in the way %q, which is not known", d.Architecture, kind)
	case factor == 0 || factor == 1:
	case kind == "yarn":
		r.Yarn = &Yarn{Factor: factor, Fast: 32, Slow: 1, Original: original, Truncate: !a.unrounded}
		m.Set("rope.scaling.yarn_beta_fast", &r.Yarn.Fast)
		m.Set("rope.scaling.yarn_beta_slow", &r.Yarn.Slow)
		scale := 0.1*math.Log(factor) + 1
		var log float64
		m.Set("rope.scaling.yarn_log_multiplier", &log)
		if log != 0 && d.Latent != nil { // the scale of cosines cancels; the scale of scores stays
			all := log*math.Log(factor) + 1
			d.AttentionScale, scale = all*all/math.Sqrt(float64(d.HeadWidth)), 1
		}
		if r.Scale == 0 || r.Scale == 1 {
			r.Scale = scale
		}
	case kind == "linear" || kind == "":
		r.Linear = factor
	}
	return nil
}

// experts reads how tokens choose among experts.
func (m architectureMetadata) experts(d *Description) error {
	if d.Experts == nil {
		return nil
	}
	e := *d.Experts
	d.Experts = nil
	if m.Set("expert_count", &e.Count); e.Count == 0 {
		return nil
	}
	m.Set("expert_used_count", &e.Chosen)
	e.Hidden = d.Hidden
	m.Set("expert_feed_forward_length", &e.Hidden)
	m.Set("expert_shared_feed_forward_length", &e.SharedHidden)
	shared := 0
	if m.Set("expert_shared_count", &shared); shared > 0 && e.SharedHidden == 0 {
		e.SharedHidden = shared * e.Hidden
	}
	m.Set("moe_latent_size", &e.Width)
	if list := m.Numbers("swiglu_clamp_exp"); e.Bound == 0 || len(list) == 0 {
	} else if e.Bound = list[0]; slices.Min(list) != slices.Max(list) {
		return fmt.Errorf("%s: experts of layers have bounds from %g to %g; they must be alike", d.Architecture, slices.Min(list), slices.Max(list))
	}
	m.Set("expert_weights_scale", &e.Scale)
	m.Set("expert_weights_norm", &e.Normalise)
	m.Set("expert_group_count", &e.Groups)
	m.Set("expert_group_used_count", &e.ChosenGroups)
	if v, ok := m.Number("expert_gating_func"); ok {
		if name := map[float64]string{1: "softmax", 2: "sigmoid", 3: "chosen"}[v]; name != "" {
			e.Score = name
		}
	}
	lead, step := 0, 1
	m.Set("leading_dense_block_count", &lead)
	m.Set("interleave_moe_layer_step", &step)
	m.Set("moe_every_n_layers", &step)
	if lead > 0 || step > 1 {
		e.Dense = eachLayer(d.Layers)
		for i := range e.Dense {
			e.Dense[i] = i < lead || step > 1 && (i+1)%step != 0
		}
	}
	if e.DenseHybrid {
		d.Hidden = d.Width
	}
	d.Experts = &e
	return nil
}
