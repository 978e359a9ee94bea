package architecture

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/llm/config"
)

// scalingKeys are what ways of scaling positions need.
var scalingKeys = map[string][]string{"linear": {"factor"}, "yarn": {"factor"}, "llama3": {"factor", "low_freq_factor", "high_freq_factor"},
	"longrope": {"short_factor", "long_factor"}, "su": {"short_factor", "long_factor"}}

// scaling reads how positions beyond the context of the training are made to fit.
func (c modelConfig) scaling(d *Description, r *Rotary, p config.Object) error {
	factor := 1.0
	p.Get(&r.Theta, "rope_theta")
	p.Get(&factor, "factor")
	if !c.Get(&r.Original, "original_max_position_embeddings") {
		p.Get(&r.Original, "original_max_position_embeddings")
	}
	p.Get(&r.Scale, "attention_factor")
	kind := p.Text("rope_type", "type")
	if alpha := 0.0; kind == "dynamic" && p.Get(&alpha, "alpha") && alpha > 0 && r.Width > 2 { // Hunyuan's
		r.Theta *= math.Pow(alpha, float64(r.Width)/float64(r.Width-2))
	}
	for _, key := range scalingKeys[kind] {
		if raw, ok := p[key]; !ok || string(raw) == "null" {
			return fmt.Errorf("config.json: positions are scaled in the way %q, and there is no %s", kind, key)
		}
	}
	switch kind {
	case "", "default", "mrope", "dynamic": // the last changes nothing within the context
	case "proportional":
		r.proportional(d.HeadWidth, factor, p)
	case "linear":
		r.Linear = factor
	case "llama3":
		low, high := 1.0, 4.0
		p.Get(&low, "low_freq_factor")
		p.Get(&high, "high_freq_factor")
		if r.Width >= 2 && r.Width < 1<<16 {
			r.Factors = llama3(r, factor, low, high, r.Original)
		}
	case "longrope", "su":
		r.long(d.Context, p)
	case "yarn":
		r.yarn(d, factor, p)
	default:
		return fmt.Errorf("config.json: positions are scaled in the way %q, which is not known", kind)
	}
	return nil
}

// proportional turns a share of the pairs of whole heads, and leaves the pairs behind.
func (r *Rotary) proportional(head int, factor float64, p config.Object) {
	share := 1.0
	p.Get(&share, "partial_rotary_factor")
	r.Width = head
	r.Factors = make([]float64, max(min(r.Width, 1<<16), 0)/2)
	for i := range r.Factors {
		if r.Factors[i] = factor; i >= int(share*float64(r.Width)/2) {
			r.Factors[i] = math.Inf(1)
		}
	}
}

// long reads two lists of factors, for texts within the context of the training and beyond.
func (r *Rotary) long(context int, p config.Object) {
	p.Get(&r.Factors, "short_factor")
	p.Get(&r.Long, "long_factor")
	if r.Scale == 0 && r.Original > 1 {
		share := float64(context) / float64(r.Original)
		if p.Get(&share, "factor"); share > 1 {
			r.Scale = math.Sqrt(1 + math.Log(share)/math.Log(float64(r.Original)))
		}
	}
}

// yarn reads which frequencies are interpolated, and what that does to scores.
func (r *Rotary) yarn(d *Description, factor float64, p config.Object) {
	r.Yarn = &Yarn{Factor: factor, Original: r.Original, Truncate: true}
	p.Get(&r.Yarn.Fast, "beta_fast")
	p.Get(&r.Yarn.Slow, "beta_slow")
	if r.Yarn.Fast == 0 {
		r.Yarn.Fast = 32
	}
	if r.Yarn.Slow == 0 {
		r.Yarn.Slow = 1
	}
	p.Get(&r.Yarn.Truncate, "truncate")
	grow := func(by float64) float64 {
		if factor <= 1 {
			return 1
		}
		return 0.1*by*math.Log(factor) + 1
	}
	var one, all float64
	p.Get(&one, "mscale")
	p.Get(&all, "mscale_all_dim")
	if r.Scale == 0 {
		r.Scale = grow(1)
		if one != 0 && all != 0 {
			r.Scale = grow(one) / grow(all)
		}
	}
	if d.Latent != nil && all != 0 && !d.TemperatureAll { // Mistral 4 scales queries by their position alone
		d.AttentionScale = grow(all) * grow(all) / math.Sqrt(float64(d.HeadWidth))
	}
}
