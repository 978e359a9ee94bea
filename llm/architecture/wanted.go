package architecture

import (
	"slices"
)

// wanted are the weights that all layers of an architecture have, beside those that any network needs. A weight that
// only layers with experts can have, or only layers without, is wanted of these layers alone.
var wanted = map[string][]string{
	"qwen2":    {"attn_q.bias", "attn_k.bias", "attn_v.bias"},
	"qwen2moe": {"ffn_gate_inp_shexp.weight"},
	"qwen3":    {"attn_q_norm.weight", "attn_k_norm.weight"},
	"qwen3moe": {"attn_q_norm.weight", "attn_k_norm.weight"},
	"gemma2":   {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight", "post_ffw_norm.weight"},
	"gemma3":   {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
	"gemma4": {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight",
		"layer_output_scale.weight"},
	"exaone-moe": {"attn_q_norm.weight", "attn_k_norm.weight", "exp_probs_b.bias"},
	"hy_v3":      {"attn_q_norm.weight", "attn_k_norm.weight", "exp_probs_b.bias"},
	"afmoe": {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight",
		"attn_gate.weight", "exp_probs_b.bias"},
	"hunyuan-dense":   {"attn_q_norm.weight", "attn_k_norm.weight"},
	"apertus":         {"attn_q_norm.weight", "attn_k_norm.weight"},
	"olmoe":           {"attn_q_norm.weight", "attn_k_norm.weight"},
	"dots1":           {"attn_q_norm.weight", "attn_k_norm.weight", "exp_probs_b.bias"},
	"glm4moe":         {"exp_probs_b.bias"},
	"ernie4_5-moe":    {"exp_probs_b.bias"},
	"olmo2":           {"post_attention_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
	"granite_swa":     {"attn_sinks.weight"},
	"gpt-oss":         {"attn_sinks.weight", "ffn_gate_inp.bias", "ffn_gate_up_exps.bias", "ffn_down_exps.bias"},
	"gpt2":            {"attn_norm.bias", "attn_qkv.bias", "attn_output.bias", "ffn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
	"starcoder2":      {"attn_norm.bias", "ffn_norm.bias"},
	"phi2":            {"attn_norm.bias", "attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "ffn_up.bias", "ffn_down.bias"},
	"nemotron":        {"attn_norm.bias", "ffn_norm.bias"},
	"stablelm":        {"attn_norm.bias"},
	"gptneox":         {"attn_norm.bias", "ffn_norm.weight", "ffn_norm.bias"},
	"falcon":          {"attn_norm.bias"},
	"jais2":           {"attn_norm.bias", "ffn_norm.bias"},
	"minimax-m2":      {"attn_q_norm.weight", "attn_k_norm.weight", "exp_probs_b.bias"},
	"solar-open":      {"exp_probs_b.bias"},
	"hunyuan-moe":     {"attn_q_norm.weight", "attn_k_norm.weight"},
	"exaone4":         {"post_attention_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
	"qwen2vl":         {"attn_q.bias", "attn_k.bias", "attn_v.bias"},
	"qwen3vl":         {"attn_q_norm.weight", "attn_k_norm.weight"},
	"qwen3vlmoe":      {"attn_q_norm.weight", "attn_k_norm.weight"},
	"gemma-embedding": {"attn_norm.weight", "post_attention_norm.weight", "ffn_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
	"opt":             {"attn_norm.bias", "ffn_norm.bias"},
	"gptj":            {"attn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
	"gptneo":          {"attn_norm.bias", "ffn_norm.bias", "attn_output.bias", "ffn_up.bias", "ffn_down.bias"},
	"starcoder":       {"attn_norm.bias", "attn_qkv.bias", "attn_output.bias", "ffn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
	"bloom":           {"attn_norm.bias", "attn_qkv.bias", "attn_output.bias", "ffn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
	"lfm2":            {"attn_q_norm.weight", "attn_k_norm.weight"},
	"lfm2moe":         {"attn_q_norm.weight", "attn_k_norm.weight"},
	"qwen3next":       {"attn_q_norm.weight", "attn_k_norm.weight", "ffn_gate_inp_shexp.weight"},
	"qwen35":          {"attn_q_norm.weight", "attn_k_norm.weight"},
	"qwen35moe":       {"attn_q_norm.weight", "attn_k_norm.weight", "ffn_gate_inp_shexp.weight"},
	"bert":            encoderBiases, "distilbert": encoderBiases, "jina-bert-v3": slices.Concat([]string{"attn_qkv.bias"}, encoderBiases[3:]),
	"bert-prenorm": slices.Concat([]string{"attn_norm.bias", "ffn_norm.bias"}, attentionBiases, plainBiases),
	"nomic-bert":   {"attn_output_norm.bias", "layer_output_norm.bias", "ffn_gate.weight"},
	"mellum":       {"attn_q_norm.weight", "attn_k_norm.weight"},
	"flex-olmo":    {"post_attention_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
	"persimmon":    {"attn_norm.bias", "attn_qkv.bias", "attn_output.bias", "ffn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
	"biogpt":       {"attn_norm.bias", "attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "ffn_norm.bias", "ffn_up.bias", "ffn_down.bias"},
}

// encoderBiases are the biases of BERT's layers.
var encoderBiases = []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "attn_output_norm.bias", "ffn_up.bias", "ffn_down.bias",
	"layer_output_norm.bias"}

// Unbiased are architectures whose layer norms have no bias.
var Unbiased = []string{"command-r", "cohere2", "cohere2moe", "mpt", "modern-bert", "olmo"}

// asking is a key of config.json that asks for weights if it is true.
type asking struct {
	key      string
	standard bool // what a file without the key means
	weights  []string
}

var (
	attentionBiases = []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias"}
	headNorms       = []string{"attn_q_norm.weight", "attn_k_norm.weight"}
	plainBiases     = []string{"ffn_up.bias", "ffn_down.bias"}
	gatedBiases     = []string{"ffn_gate.bias", "ffn_up.bias", "ffn_down.bias"}

	biasedAttention = asking{"attention_bias", false, attentionBiases}
	biasedPlain     = asking{"mlp_bias", false, plainBiases}
	biasedGated     = asking{"mlp_bias", false, gatedBiases}
	mambaBiases     = []asking{{"mamba_conv_bias", true, []string{"ssm_conv1d.bias"}},
		{"mamba_proj_bias", false, []string{"ssm_in.bias", "ssm_out.bias"}}}
)

// asked are the keys of config.json that ask for weights, by architecture.
var asked = map[string][]asking{
	"gptneox":    {{"attention_bias", true, []string{"attn_qkv.bias", "attn_output.bias"}}},
	"falcon":     {{"bias", false, []string{"attn_qkv.bias", "attn_output.bias", "ffn_up.bias", "ffn_down.bias"}}},
	"jais2":      {{"attention_bias", true, attentionBiases}, {"mlp_bias", true, plainBiases}},
	"qwen2moe":   {{"qkv_bias", true, attentionBiases[:3]}},
	"starcoder2": {{"use_bias", true, slices.Concat(attentionBiases, plainBiases)}},
	"phi2":       {{"qk_layernorm", false, append([]string{"attn_q_norm.bias", "attn_k_norm.bias"}, headNorms...)}},
	"opt":        {{"enable_bias", true, slices.Concat(attentionBiases, plainBiases)}},
	"lfm2":       {{"conv_bias", false, []string{"shortconv.in_proj.bias", "shortconv.conv.bias", "shortconv.out_proj.bias"}}},
	"lfm2moe": {{"conv_bias", false, []string{"shortconv.in_proj.bias", "shortconv.conv.bias", "shortconv.out_proj.bias"}},
		{"use_expert_bias", true, []string{"exp_probs_b.bias"}}},
	"bamba":         append([]asking{biasedGated, biasedAttention}, mambaBiases...),
	"granitehybrid": append([]asking{biasedAttention}, mambaBiases...),
	"nemotron_h": {biasedPlain, {"use_conv_bias", true, []string{"ssm_conv1d.bias"}},
		{"use_bias", false, []string{"ssm_in.bias", "ssm_out.bias"}}},
	"modern-bert":  {{"attention_bias", false, []string{"attn_qkv.bias", "attn_output.bias"}}, biasedPlain},
	"deepseek2":    {{"attention_bias", false, []string{"attn_kv_a_mqa.bias", "attn_output.bias"}}},
	"mistral4":     {{"attention_bias", false, []string{"attn_kv_a_mqa.bias", "attn_output.bias"}}},
	"youtu":        {{"attention_bias", false, []string{"attn_q_a.bias", "attn_kv_a_mqa.bias", "attn_output.bias"}}},
	"hyperclovax":  {biasedAttention, biasedGated, {"use_post_norm", true, []string{"post_attention_norm.weight", "post_ffw_norm.weight"}}},
	"persimmon":    {{"qk_layernorm", true, append([]string{"attn_q_norm.bias", "attn_k_norm.bias"}, headNorms...)}},
	"stablelm":     {{"use_qkv_bias", false, attentionBiases[:3]}, {"qk_layernorm", false, headNorms}},
	"glm4moe":      {{"use_qk_norm", false, headNorms}, {"attention_bias", false, attentionBiases[:3]}},
	"solar-open":   {{"attention_bias", false, attentionBiases[:3]}},
	"ernie4_5-moe": {{"use_bias", false, attentionBiases}},
	"command-r":    {{"use_qk_norm", false, headNorms}, biasedAttention},
	"gpt-oss":      {{"attention_bias", true, attentionBiases}},
	"arcee":        {biasedAttention, biasedPlain}, "nemotron": {biasedAttention, biasedPlain},
	"llama": {biasedAttention, biasedGated}, "granite": {biasedAttention, biasedGated},
	"smollm3": {biasedAttention, biasedGated}, "eurobert": {biasedAttention, biasedGated},
}

func init() {
	for _, name := range []string{"qwen3", "qwen3moe", "qwen3next", "qwen35", "qwen35moe", "qwen3vl", "qwen3vlmoe", "llama4", "gemma", "gemma2",
		"gemma3", "gemma4", "gemma-embedding", "vaultgemma", "olmo", "olmo2", "olmoe", "cohere2", "cohere2moe", "exaone-moe", "hy_v3", "afmoe",
		"dots1", "mellum", "flex-olmo", "apertus", "hunyuan-dense", "hunyuan-moe", "helium", "granitemoe"} {
		asked[name] = []asking{biasedAttention}
	}
}

// wanted returns the weights that every layer of a model has: those of its architecture and those that config.json asks
// for.
func (c modelConfig) wanted(d *Description) []string {
	list := slices.Clone(wanted[d.Architecture])
	if e := d.Experts; e != nil && e.SharedHidden > 0 {
		// Granite keeps gates in the matrix of the others.
		if d.Gated && d.Architecture != "granitemoe" && d.Architecture != "granitehybrid" {
			list = append(list, "ffn_gate_shexp.weight")
		}
		list = append(list, "ffn_up_shexp.weight", "ffn_down_shexp.weight")
	}
	for _, a := range asked[d.Architecture] {
		given := a.standard
		if c.Get(&given, a.key); given {
			list = append(list, a.weights...)
		}
	}
	return append(list, c.wantedBeside(d)...)
}

// wantedBeside returns the weights that depend on more than one key of config.json.
func (c modelConfig) wantedBeside(d *Description) (list []string) {
	switch d.Architecture {
	case "falcon":
		if grouped := false; c.Get(&grouped, "new_decoder_architecture") && grouped {
			list = c.falconNorm()
		}
	case "nemotron_h":
		list = []string{"exp_probs_b.bias"}
	case "deepseek2", "mistral4", "youtu":
		list = []string{"attn_kv_a_norm.weight"}
		if d.Experts != nil && d.Experts.Score == "sigmoid" {
			list = append(list, "exp_probs_b.bias")
		}
	case "stablelm":
		if !d.Parallel {
			list = []string{"ffn_norm.bias"}
		}
	}
	return list
}

// falconNorm is the second norm of a layer whose parts read the same rows, unless there is one for both.
func (c modelConfig) falconNorm() []string {
	if norms := 2; c.Get(&norms, "num_ln_in_parallel_attn") && norms == 1 {
		return nil
	}
	return []string{"ffn_norm.weight", "ffn_norm.bias"}
}
