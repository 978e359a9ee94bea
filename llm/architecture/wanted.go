package architecture

import (
	"slices"
)

// wanted are the weights that all layers of an architecture have, beside those that any network needs. A weight that only layers with experts
// can have, or only layers without, is wanted of these layers alone.
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
	"bert":            encoderBiases, "distilbert": encoderBiases,
}

// encoderBiases are the biases of BERT's layers.
var encoderBiases = []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "attn_output_norm.bias", "ffn_up.bias", "ffn_down.bias",
	"layer_output_norm.bias"}

// Unbiased are architectures whose layer norms have no bias.
var Unbiased = []string{"command-r", "cohere2", "cohere2moe", "mpt", "modern-bert", "olmo"}

// wanted adds those that config.json asks for.
func (c modelConfig) wanted(d *Description) []string {
	list := slices.Clone(wanted[d.Architecture])
	ask := func(key string, standard bool, names ...string) {
		if c.Get(&standard, key); standard {
			list = append(list, names...)
		}
	}
	attention := []string{"attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias"}
	if shared := []string{"ffn_gate_shexp.weight", "ffn_up_shexp.weight", "ffn_down_shexp.weight"}; d.Experts != nil && d.Experts.SharedHidden > 0 {
		if d.Architecture == "granitemoe" || d.Architecture == "granitehybrid" || !d.Gated { // gates are in the matrix of the others, or there are none
			shared = shared[1:]
		}
		list = append(list, shared...)
	}
	switch d.Architecture {
	case "gptneox":
		ask("attention_bias", true, "attn_qkv.bias", "attn_output.bias")
	case "falcon":
		ask("bias", false, "attn_qkv.bias", "attn_output.bias", "ffn_up.bias", "ffn_down.bias")
		ask("new_decoder_architecture", false, c.falconNorm()...)
	case "jais2":
		ask("attention_bias", true, attention...)
		ask("mlp_bias", true, "ffn_up.bias", "ffn_down.bias")
	case "qwen2moe":
		ask("qkv_bias", true, attention[:3]...)
	case "starcoder2":
		ask("use_bias", true, append(attention, "ffn_up.bias", "ffn_down.bias")...)
	case "phi2":
		ask("qk_layernorm", false, "attn_q_norm.weight", "attn_k_norm.weight", "attn_q_norm.bias", "attn_k_norm.bias")
	case "opt":
		ask("enable_bias", true, append(attention, "ffn_up.bias", "ffn_down.bias")...)
	case "lfm2", "lfm2moe":
		ask("conv_bias", false, "shortconv.in_proj.bias", "shortconv.conv.bias", "shortconv.out_proj.bias")
		if d.Experts != nil {
			ask("use_expert_bias", true, "exp_probs_b.bias")
		}
	case "bamba":
		ask("mlp_bias", false, "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias")
		fallthrough
	case "granitehybrid":
		ask("attention_bias", false, attention...)
		ask("mamba_conv_bias", true, "ssm_conv1d.bias")
		ask("mamba_proj_bias", false, "ssm_in.bias", "ssm_out.bias")
	case "nemotron_h":
		list = append(list, "exp_probs_b.bias")
		ask("mlp_bias", false, "ffn_up.bias", "ffn_down.bias")
		ask("use_conv_bias", true, "ssm_conv1d.bias")
		ask("use_bias", false, "ssm_in.bias", "ssm_out.bias")
	case "modern-bert":
		ask("attention_bias", false, "attn_qkv.bias", "attn_output.bias")
		ask("mlp_bias", false, "ffn_up.bias", "ffn_down.bias")
	case "deepseek2", "mistral4":
		ask("attention_bias", false, "attn_kv_a_mqa.bias", "attn_output.bias")
		list = append(list, "attn_kv_a_norm.weight")
		if d.Experts.Score == "sigmoid" {
			list = append(list, "exp_probs_b.bias")
		}
	case "stablelm":
		ask("use_qkv_bias", false, attention[:3]...)
		ask("qk_layernorm", false, "attn_q_norm.weight", "attn_k_norm.weight")
		if !d.Parallel {
			list = append(list, "ffn_norm.bias")
		}
	case "glm4moe":
		ask("use_qk_norm", false, "attn_q_norm.weight", "attn_k_norm.weight")
		ask("attention_bias", false, attention[:3]...)
	case "ernie4_5-moe":
		ask("use_bias", false, attention...)
	case "command-r":
		ask("use_qk_norm", false, "attn_q_norm.weight", "attn_k_norm.weight")
		ask("attention_bias", false, attention...)
	case "qwen3", "qwen3moe", "llama4", "gemma", "gemma2", "gemma3", "gemma4", "olmo2", "cohere2", "cohere2moe", "exaone-moe", "hy_v3", "afmoe", "dots1", "olmoe", "apertus", "hunyuan-dense", "hunyuan-moe", "vaultgemma", "helium", "solar-open", "granitemoe",
		"olmo", "qwen3next", "qwen35", "qwen35moe", "qwen3vl", "qwen3vlmoe", "gemma-embedding":
		ask("attention_bias", false, attention...)
	case "gpt-oss":
		ask("attention_bias", true, attention...)
	case "arcee", "nemotron":
		ask("attention_bias", false, attention...)
		ask("mlp_bias", false, "ffn_up.bias", "ffn_down.bias")
	case "llama", "granite", "smollm3", "eurobert":
		ask("attention_bias", false, attention...)
		ask("mlp_bias", false, "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias")
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
