package architecture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
)

// Parts are the weights that a layer may have, with their shapes by the description; 0 stands for any extent, and no
// shape for any.
func (d *Description) Parts(layer int) map[string][]int {
	w := d.Width
	var parts map[string][]int
	switch {
	case d.Recurs(layer):
		parts = d.Recurrence.parts(w)
	case d.IsConvolved(layer):
		parts = map[string][]int{"attn_norm": {w}, "ffn_norm": {w}, "shortconv.in_proj": {3 * w, w}, "shortconv.conv": nil, "shortconv.out_proj": {w, w}}
	default:
		parts = d.attentionParts(layer)
	}
	if d.Feeds != nil {
		if !d.Mixes(layer) {
			clear(parts)
		}
		for _, norm := range []string{"post_attention_norm", "ffn_norm", "post_ffw_norm"} {
			delete(parts, norm)
		}
		parts["attn_norm"] = []int{w}
	}
	if d.FeedsForward(layer) {
		dense := d.Dense(layer)
		if !dense {
			maps.Copy(parts, d.Experts.parts(w))
		}
		if dense || d.Experts.Beside || d.Experts.DenseHybrid {
			parts["ffn_up"], parts["ffn_gate"], parts["ffn_down"] = []int{0, w}, []int{0, w}, []int{w, d.hidden(layer)}
		}
	}
	return parts
}

// attentionParts are the weights of attention and of the norms beside it.
func (d *Description) attentionParts(layer int) map[string][]int {
	q, k, v, w := d.Heads*d.HeadWidthAt(layer), d.KVHeadsAt(layer)*d.HeadWidthAt(layer), d.KVHeadsAt(layer)*d.ValueWidthAt(layer), d.Width
	parts := map[string][]int{"attn_q": {q, w}, "attn_k": {k, w}, "attn_v": {v, w}, "attn_qkv": {q + k + v, w}, "attn_gate": {q, w},
		"attn_output": {w, d.Heads * d.ValueWidthAt(layer)}, "attn_norm": {w}, "attn_q_norm": {0}, "attn_k_norm": {0},
		"post_attention_norm": {w}, "ffn_norm": {w}, "post_ffw_norm": {w}, "attn_sub_norm": {0}, "attn_sinks": {d.Heads},
		"attn_output_norm": {w}, "layer_output_norm": {w}, "layer_output_scale": {1}}
	if d.LayerWidth > 0 {
		parts["inp_gate"], parts["proj"], parts["post_norm"] = []int{d.LayerWidth, w}, []int{w, d.LayerWidth}, []int{w}
	}
	if d.ValuesAreKeys(layer) || d.KVSource(layer) != layer {
		delete(parts, "attn_v")
		delete(parts, "attn_qkv")
	}
	if d.KVSource(layer) != layer {
		delete(parts, "attn_k")
		delete(parts, "attn_k_norm")
	}
	if l := d.Latent; l != nil {
		parts["attn_q_a"], parts["attn_q_a_norm"], parts["attn_q_b"] = []int{l.QueryRank, w}, []int{l.QueryRank}, []int{q, l.QueryRank}
		parts["attn_kv_a_mqa"], parts["attn_kv_a_norm"] = []int{l.Rank + l.Turned, w}, []int{l.Rank}
		parts["attn_kv_b"] = []int{d.Heads * (l.Plain + l.Values), l.Rank}
		parts["attn_k_b"], parts["attn_v_b"] = []int{d.Heads, l.Rank, l.Plain}, []int{d.Heads, l.Values, l.Rank}
	}
	if d.HeadGate {
		parts["attn_gate"] = []int{d.Heads, w}
	}
	if d.Gate {
		parts["attn_q"] = []int{2 * q, w}
	}
	return parts
}

// parts are the weights of a layer that keeps a state, between rows of the width w.
func (r *Recurrence) parts(w int) map[string][]int {
	parts := map[string][]int{"attn_norm": {w}, "post_attention_norm": {w}, "ffn_norm": {w}, "ssm_a": {r.Heads}, "ssm_d": {r.Heads}, "ssm_dt": {r.Heads},
		"ssm_conv1d": {r.Channels(), r.Taps}, "ssm_norm": {r.Inner()}, "ssm_out": {w, r.Inner()}, "ssm_in": {r.Inner() + r.Channels() + r.Heads, w}}
	if r.Delta {
		parts["ssm_norm"], parts["ssm_in"], parts["ssm_ba"] = []int{r.Width}, []int{r.Inner() + r.Channels(), w}, []int{2 * r.Heads, w}
		parts["attn_qkv"], parts["attn_gate"] = []int{r.Channels(), w}, []int{r.Inner(), w}
		parts["ssm_beta"], parts["ssm_alpha"] = []int{r.Heads, w}, []int{r.Heads, w}
	}
	return parts
}

// parts are the weights of experts and of what stands beside them, between rows of the width w.
func (e *Experts) parts(w int) map[string][]int {
	parts := map[string][]int{"ffn_gate_inp": {e.Count, w}, "exp_probs_b": {e.Count}}
	each := w
	if e.Width > 0 {
		each = e.Width
		parts["ffn_latent_down"], parts["ffn_latent_up"] = []int{each, w}, []int{w, each}
	}
	parts["ffn_gate_exps"], parts["ffn_up_exps"] = []int{e.Count, e.Hidden, each}, []int{e.Count, e.Hidden, each}
	parts["ffn_gate_up_exps"], parts["ffn_down_exps"] = []int{e.Count, 2 * e.Hidden, each}, []int{e.Count, each, e.Hidden}
	if e.DenseHybrid {
		parts["ffn_norm_exps"] = []int{w}
	}
	if e.Beside {
		for _, name := range []string{"ffn_gate_inp_scale", "pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"} {
			parts[name] = []int{w}
		}
		parts["ffn_down_exps_scale"] = []int{e.Count}
		return parts
	}
	parts["ffn_gate_shexp"], parts["ffn_up_shexp"] = []int{e.SharedHidden, w}, []int{0, w} // gates may be in the second
	parts["ffn_down_shexp"], parts["ffn_gate_inp_shexp"] = []int{w, e.SharedHidden}, nil
	return parts
}

// eachHead is the shape of a norm that has a row of weights for each head, or for each part that is normed apart, and
// nil for other parts.
func (d *Description) eachHead(part string) []int {
	switch {
	case d.Stateful() && part == "ssm_norm":
		return []int{d.Recurrence.NormGroups, d.Recurrence.Inner() / d.Recurrence.NormGroups}
	case d.HeadNormWhole:
		return nil
	}
	switch part {
	case "attn_q_norm":
		return []int{d.Heads, d.HeadWidth}
	case "attn_k_norm":
		return []int{d.KVHeads, d.HeadWidth}
	}
	return nil
}

// needs returns the alternatives of each need: a layer must have all weights of one alternative.
func (d *Description) needs(layer int) [][][]string {
	needs := [][][]string{{{"attn_output"}}}
	if d.After {
		needs = append(needs, [][]string{{"attn_output_norm"}}, [][]string{{"layer_output_norm"}})
	} else {
		needs = append(needs, [][]string{{"attn_norm"}, {"post_attention_norm"}})
		if !d.Parallel {
			needs = append(needs, [][]string{{"ffn_norm"}, {"post_ffw_norm"}, {"post_attention_norm"}})
		}
	}
	if d.Unweighted {
		needs = needs[:1]
	} else if layer == 0 && d.FirstUnnormed {
		needs = [][][]string{{{"attn_output"}}, {{"ffn_norm"}}}
	}
	if d.Feeds != nil {
		needs = needs[:2] // the norm in front
	}
	if !d.Mixes(layer) {
		needs = needs[1:]
	} else if d.Recurs(layer) {
		needs = append(needs[1:], [][]string{{"ssm_out", "ssm_conv1d", "ssm_norm", "ssm_a"}}, [][]string{{"ssm_in"}, {"attn_qkv", "attn_gate"}}, [][]string{{"ssm_dt.bias"}})
		if d.Recurrence.Delta {
			needs = append(needs, [][]string{{"ssm_ba"}, {"ssm_beta", "ssm_alpha"}})
		} else {
			needs = append(needs, [][]string{{"ssm_d"}})
		}
	} else if d.IsConvolved(layer) {
		needs = append(needs[1:], [][]string{{"shortconv.in_proj", "shortconv.conv", "shortconv.out_proj"}})
	} else if d.Latent != nil {
		needs = append(needs, [][]string{{"attn_q"}, {"attn_q_a", "attn_q_a_norm", "attn_q_b"}}, [][]string{{"attn_kv_a_mqa"}},
			[][]string{{"attn_kv_b"}, {"attn_k_b", "attn_v_b"}})
	} else if d.KVSource(layer) != layer {
		needs = append(needs, [][]string{{"attn_q"}})
	} else if d.ValuesAreKeys(layer) {
		needs = append(needs, [][]string{{"attn_q", "attn_k"}})
	} else {
		needs = append(needs, [][]string{{"attn_q", "attn_k", "attn_v"}, {"attn_qkv"}})
	}
	if d.HeadGate {
		needs = append(needs, [][]string{{"attn_gate"}})
	}
	if d.LayerWidth > 0 {
		needs = append(needs, [][]string{{"inp_gate", "proj", "post_norm"}})
	}
	if !d.FeedsForward(layer) {
		return needs
	}
	if d.Dense(layer) {
		return append(needs, [][]string{{"ffn_up"}}, [][]string{{"ffn_down"}})
	}
	up := [][]string{{"ffn_up_exps"}}
	if d.Gated {
		up = [][]string{{"ffn_gate_exps", "ffn_up_exps"}, {"ffn_gate_up_exps"}}
	}
	if d.Experts.Beside {
		needs = append(needs, [][]string{{"ffn_up", "ffn_gate", "ffn_down", "ffn_gate_inp_scale", "ffn_down_exps_scale", "pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"}})
	}
	if d.Experts.DenseHybrid {
		needs = append(needs, [][]string{{"ffn_up", "ffn_gate", "ffn_down", "ffn_norm_exps"}})
	}
	if d.Experts.Width > 0 {
		needs = append(needs, [][]string{{"ffn_latent_down", "ffn_latent_up"}})
	}
	return append(needs, [][]string{{"ffn_gate_inp"}}, up, [][]string{{"ffn_down_exps"}})
}

// Members are the names of the weights in files that a model of the description takes. It says which one is missing or
// has another shape. The error names the first weight that is missing or has another shape.
func (d *Description) Members(shapeOf func(name string) []int) ([]string, error) {
	top, err := d.topParts(shapeOf)
	if err != nil {
		return nil, err
	}
	names, err := d.found(shapeOf, top, "")
	if err != nil {
		return nil, err
	}
	first := map[[7]bool][]string{} // weights of the first layer of each kind
	for i := range d.Layers {
		list, err := d.found(shapeOf, d.Parts(i), WeightName(i, ""))
		if err != nil {
			return nil, err
		}
		names = append(names, list...)
		kind := [7]bool{d.Dense(i) || !d.FeedsForward(i), d.IsConvolved(i), d.Recurs(i), !d.Mixes(i), i == 0 && d.FirstUnnormed, d.local(i), d.KVSource(i) != i}
		have := make([]string, len(list))
		for k := range list {
			have[k] = strings.TrimPrefix(list[k], WeightName(i, ""))
		}
		if first[kind] == nil {
			first[kind] = have
		}
		if err := same(i, have, first[kind]); err != nil {
			return nil, err
		}
		if err := d.enough(shapeOf, i); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// topParts are the weights outside of layers, with their shapes. Those that every model of the description has must be
// in the files.
func (d *Description) topParts(shapeOf func(name string) []int) (map[string][]int, error) {
	for _, name := range []string{"token_embd", "position_embd", "token_types"} {
		if s := shapeOf(name + ".weight"); name != "token_types" && s == nil && (name == "token_embd" || d.Positions == "learned") {
			return nil, fmt.Errorf("there is no weight %s.weight", name)
		} else if s != nil && (len(s) != 2 || s[1] != d.Width) {
			return nil, fmt.Errorf("%s.weight has the shape %s; rows of %d are wanted", name, shape.String(s), d.Width)
		}
	}
	last := d.TopNorm()
	if shapeOf(last+".weight") == nil && !d.Unweighted {
		return nil, fmt.Errorf("there is no weight %s.weight", last)
	}
	top := map[string][]int{"output_norm": {d.Width}, "output": {d.Vocabulary, d.Width}, "token_embd_norm": {d.Width}}
	if !d.Encoder && shapeOf("output.weight") == nil {
		top["token_embd"] = []int{d.Vocabulary, d.Width} // is the head as well
	}
	if n := d.Layers * d.LayerWidth; n > 0 {
		top["per_layer_model_proj"], top["per_layer_proj_norm"] = []int{n, d.Width}, []int{d.LayerWidth}
		wanted := map[string][]int{"per_layer_token_embd": {0, n}, "per_layer_model_proj": {n, d.Width}, "per_layer_proj_norm": {d.LayerWidth}}
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			want := wanted[name]
			if have := shapeOf(name + ".weight"); have == nil || !fits(have, want) {
				return nil, fmt.Errorf("%s.weight has the shape %s, not %s", name, shape.String(have), shape.String(want))
			}
		}
	}
	return top, nil
}

// found are the names, behind a prefix, of those parts that files have, weights and biases. It says which weight has
// another shape.
func (d *Description) found(shapeOf func(name string) []int, parts map[string][]int, prefix string) (names []string, err error) {
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		for _, kind := range []string{".weight", ".bias"} {
			name := prefix + part + kind
			have := shapeOf(name)
			if have == nil {
				continue
			}
			if strings.HasPrefix(part, "ssm_") { // files differ in extents of 1
				have = slices.DeleteFunc(slices.Clone(have), func(n int) bool { return n == 1 })
			}
			if want := parts[part]; kind == ".weight" && !fits(have, want) && (len(have) == 0 || !slices.Equal(have, d.eachHead(part))) {
				return nil, fmt.Errorf("%s has the shape %s, not %s", name, shape.String(have), shape.String(want))
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// same says in which weight a layer differs from another one of its kind.
func same(layer int, have, other []string) error {
	for _, part := range other {
		if !slices.Contains(have, part) {
			return fmt.Errorf("there is no weight %s, which another layer has", WeightName(layer, part))
		}
	}
	for _, part := range have {
		if !slices.Contains(other, part) {
			return fmt.Errorf("layer %d has a weight %s and another layer has none", layer, part)
		}
	}
	return nil
}

// enough says which weight a layer lacks.
func (d *Description) enough(shapeOf func(name string) []int, layer int) error {
	missing := func(part string) bool { return shapeOf(weightNamed(WeightName(layer, part))) == nil }
	for _, alternatives := range d.needs(layer) {
		if !slices.ContainsFunc(alternatives, func(list []string) bool { return !slices.ContainsFunc(list, missing) }) {
			return fmt.Errorf("there is no weight %s", weightNamed(WeightName(layer, alternatives[0][0])))
		}
	}
	return nil
}

// weightNamed is the name of the weight of a part, unless the part names a bias.
func weightNamed(part string) string {
	if strings.HasSuffix(part, ".bias") {
		return part
	}
	return part + ".weight"
}

// fits reports whether a weight has the shape that is wanted: 0 stands for any extent, and nil for any shape.
func fits(have, want []int) bool {
	if want == nil {
		return true
	}
	return slices.EqualFunc(have, want, func(h, w int) bool { return w == 0 || h == w })
}

// WeightName is the name that GGUF gives a weight, or a part of it, of a layer.
func WeightName(layer int, part string) string { return fmt.Sprintf("blk.%d.%s", layer, part) }
