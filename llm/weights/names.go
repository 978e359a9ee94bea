package weights

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/go-acap/acap/llm/architecture"
)

// source is where the folder of a model has a weight: one tensor, or one for each expert, and how it is changed.
type source struct {
	tensors []string
	change  change
}

// change turns a weight of a folder into the form that GGUF files have.
type change uint8

const (
	asItIs      change = iota
	transposed         // inputs by outputs
	swapped            // the last two of three extents change places
	alternating        // rows of gates and of the others alternate; behind swapped
	plusOne            // what is added to one
	negatedExp         // x in the file stands for -exp(x)
	grouped            // rows of queries, of a key and of a value, in turn
)

// topNames are the weights outside of layers, without their prefix.
var topNames = map[string]string{"embed_tokens": "token_embd", "embeddings": "token_embd", "embedding": "token_embd", "wte": "token_embd", "embeddings.word_embeddings": "token_embd",
	"wpe": "position_embd", "embeddings.position_embeddings": "position_embd", "embeddings.token_type_embeddings": "token_types",
	"embeddings.LayerNorm": "token_embd_norm", "emb_ln": "token_embd_norm", "LayerNorm": "output_norm", "encoder.LayerNorm": "output_norm",
	"encoder.ln": "output_norm", "layer_norm": "output_norm", "output_projection": "output", "norm": "output_norm", "ln_f": "output_norm", "final_layernorm": "output_norm", "lm_head": "output",
	"embed_tokens_per_layer": "per_layer_token_embd", "per_layer_model_projection": "per_layer_model_proj", "per_layer_projection_norm": "per_layer_proj_norm",
	"embed_in": "token_embd", "word_embeddings": "token_embd", "final_layer_norm": "output_norm", "embed_out": "output",
	"embed_positions": "position_embd", "word_embeddings_layernorm": "token_embd_norm", "norm_f": "output_norm", "embedding_norm": "output_norm",
	"embeddings.tok_embeddings": "token_embd", "embeddings.norm": "token_embd_norm", "final_norm": "output_norm"}

// layerNames are the weights of layers.
var layerNames = map[string]string{
	"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
	"self_attn.dense": "attn_output", "self_attn.query_key_value": "attn_qkv", "self_attn.qkv_proj": "attn_qkv", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output",
	"attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v", "attention.output.dense": "attn_output",
	"attention.output.LayerNorm": "attn_output_norm", "output.LayerNorm": "layer_output_norm",
	"self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "self_attn.q_layernorm": "attn_q_norm", "self_attn.k_layernorm": "attn_k_norm",
	"self_attn.sinks": "attn_sinks", "input_layernorm": "attn_norm", "ln_1": "attn_norm", "ln_2": "ffn_norm",
	"self_attn.gate_proj": "attn_gate", "pre_mlp_layernorm": "ffn_norm", "mlp.router.gate": "ffn_gate_inp", "mlp.expert": "exp_probs_b", "mlp.e_score_correction": "exp_probs_b",
	"post_self_attn_layernorm": "post_attention_norm", "post_mlp_layernorm": "post_ffw_norm",
	"post_attention_layernorm": "ffn_norm", "pre_feedforward_layernorm": "ffn_norm", "pre_ff_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm",
	"mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "mlp.gate_up_proj": "ffn_up",
	"feed_forward.gate_proj": "ffn_gate", "feed_forward.up_proj": "ffn_up", "feed_forward.down_proj": "ffn_down",
	"mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down", "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down", "intermediate.dense": "ffn_up", "output.dense": "ffn_down",
	"mlp.gate": "ffn_gate_inp", "mlp.router": "ffn_gate_inp", "block_sparse_moe.gate": "ffn_gate_inp", "feed_forward.router": "ffn_gate_inp",
	"mlp.shared_expert.gate_proj": "ffn_gate_shexp", "mlp.shared_expert.up_proj": "ffn_up_shexp", "mlp.shared_expert.down_proj": "ffn_down_shexp",
	"mlp.shared_experts.gate_proj": "ffn_gate_shexp", "mlp.shared_experts.up_proj": "ffn_up_shexp", "mlp.shared_experts.down_proj": "ffn_down_shexp",
	"feed_forward.shared_expert.gate_proj": "ffn_gate_shexp", "feed_forward.shared_expert.up_proj": "ffn_up_shexp",
	"feed_forward.shared_expert.down_proj": "ffn_down_shexp", "mlp.shared_expert_gate": "ffn_gate_inp_shexp",
	"mlp.gate.e_score_correction": "exp_probs_b", "mlp.moe_statics.e_score_correction": "exp_probs_b",
	"block_sparse_moe.router.layer": "ffn_gate_inp", "block_sparse_moe.input_linear": "ffn_gate_up_exps", "block_sparse_moe.output_linear": "ffn_down_exps",
	"shared_mlp.input_linear": "ffn_up_shexp", "shared_mlp.output_linear": "ffn_down_shexp",
	"self_attn.query_layernorm": "attn_q_norm", "self_attn.key_layernorm": "attn_k_norm",
	"attention_layernorm": "attn_norm", "feedforward_layernorm": "ffn_norm", "self_attn.q_a_proj": "attn_q_a", "self_attn.q_a_layernorm": "attn_q_a_norm",
	"self_attn.q_b_proj": "attn_q_b", "self_attn.kv_a_proj_with_mqa": "attn_kv_a_mqa", "self_attn.kv_a_layernorm": "attn_kv_a_norm",
	"self_attn.kv_b_proj": "attn_kv_b", "attention.query_key_value": "attn_qkv", "self_attention.query_key_value": "attn_qkv",
	"attention.dense": "attn_output", "self_attention.dense": "attn_output", "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down",
	"ln_attn": "attn_norm", "ln_mlp": "ffn_norm", "mlp.gate.wg": "ffn_gate_inp", "mlp.shared_mlp.gate_proj": "ffn_gate_shexp",
	"mlp.shared_mlp.up_proj": "ffn_up_shexp", "mlp.shared_mlp.down_proj": "ffn_down_shexp", "block_sparse_moe.e_score_correction": "exp_probs_b",
	"attention.q_lin": "attn_q", "attention.k_lin": "attn_k", "attention.v_lin": "attn_v", "attention.out_lin": "attn_output",
	"self_attn.out_proj": "attn_output", "self_attn_layer_norm": "attn_norm", "fc1": "ffn_up", "fc2": "ffn_down", "final_layer_norm": "ffn_norm",
	"attn.q_proj": "attn_q", "attn.k_proj": "attn_k", "attn.v_proj": "attn_v", "attn.out_proj": "attn_output", "mlp.fc_in": "ffn_up", "mlp.fc_out": "ffn_down",
	"attn.attention.q_proj": "attn_q", "attn.attention.k_proj": "attn_k", "attn.attention.v_proj": "attn_v", "attn.attention.out_proj": "attn_output",
	"norm_1": "attn_norm", "norm_2": "ffn_norm", "attn.Wqkv": "attn_qkv", "attn.Wo": "attn_output", "ffn.up_proj": "ffn_up", "ffn.down_proj": "ffn_down",
	"attn_norm": "attn_norm", "ffn_norm": "ffn_norm", "mlp_norm": "ffn_norm", "mlp.Wi": "ffn_up", "mlp.Wo": "ffn_down",
	"operator_norm": "attn_norm", "conv.conv": "shortconv.conv", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj",
	"feed_forward.w1": "ffn_gate", "feed_forward.w3": "ffn_up", "feed_forward.w2": "ffn_down", "feed_forward.gate": "ffn_gate_inp", "feed_forward.expert": "exp_probs_b",
	"linear_attn.in_proj_qkvz": "ssm_in", "linear_attn.in_proj_qkv": "attn_qkv", "linear_attn.in_proj_z": "attn_gate", "linear_attn.in_proj_ba": "ssm_ba",
	"linear_attn.in_proj_b": "ssm_beta", "linear_attn.in_proj_a": "ssm_alpha", "linear_attn.conv1d": "ssm_conv1d", "linear_attn.dt": "ssm_dt", "linear_attn.A_log": "ssm_a",
	"linear_attn.norm": "ssm_norm", "linear_attn.out_proj": "ssm_out",
	"mamba.in_proj": "ssm_in", "mamba.conv1d": "ssm_conv1d", "mamba.dt": "ssm_dt", "mamba.A_log": "ssm_a", "mamba.D": "ssm_d", "mamba.norm": "ssm_norm",
	"mamba.out_proj": "ssm_out",
	"mixer.in_proj":  "ssm_in", "mixer.conv1d": "ssm_conv1d", "mixer.dt": "ssm_dt", "mixer.A_log": "ssm_a", "mixer.D": "ssm_d", "mixer.norm": "ssm_norm",
	"mixer.out_proj": "ssm_out", "mixer.q_proj": "attn_q", "mixer.k_proj": "attn_k", "mixer.v_proj": "attn_v", "mixer.o_proj": "attn_output",
	"mixer.up_proj": "ffn_up", "mixer.down_proj": "ffn_down", "mixer.gate": "ffn_gate_inp", "mixer.gate.e_score_correction": "exp_probs_b", "norm": "attn_norm",
	"mixer.shared_experts.up_proj": "ffn_up_shexp", "mixer.shared_experts.down_proj": "ffn_down_shexp", "mixer.fc1_latent_proj": "ffn_latent_down",
	"mixer.fc2_latent_proj": "ffn_latent_up",
	"per_layer_input_gate":  "inp_gate", "per_layer_projection": "proj", "post_per_layer_input_norm": "post_norm", "layer_scalar": "layer_output_scale",
	"router.proj": "ffn_gate_inp", "router.scale": "ffn_gate_inp_scale", "router.per_expert_scale": "ffn_down_exps_scale",
	"post_feedforward_layernorm_1": "post_ffw_norm_1", "post_feedforward_layernorm_2": "post_ffw_norm_2", "pre_feedforward_layernorm_2": "pre_ffw_norm_2",
	"norm1": "attn_output_norm", "norm2": "layer_output_norm", "mlp.fc11": "ffn_up", "mlp.fc12": "ffn_gate", "mixer.Wqkv": "attn_qkv",
	"attention.LayerNorm": "attn_norm", "attention.ln": "attn_norm", "attention.self_attn_layer_norm": "attn_norm",
	"intermediate.LayerNorm": "ffn_norm", "ln": "ffn_norm", "LayerNorm": "ffn_norm",
	"post_norm1": "post_attention_norm", "post_norm2": "post_ffw_norm",
	"sa_layer_norm": "attn_output_norm", "ffn.lin1": "ffn_up", "ffn.lin2": "ffn_down", "output_layer_norm": "layer_output_norm",
}

// expertNames are the weights of one expert, and of all experts in one tensor.
var expertNames = map[string]string{"gate_proj": "ffn_gate_exps", "up_proj": "ffn_up_exps", "down_proj": "ffn_down_exps", "w1": "ffn_gate_exps",
	"w3": "ffn_up_exps", "w2": "ffn_down_exps", "gate_up_proj": "ffn_gate_up_exps"}

var (
	inLayer   = regexp.MustCompile(`^(?:(?:model|backbone|transformer|gpt_neox|language_model|text_model|bert|roberta|distilbert|electra|ernie|data2vec_text|roberta_prelayernorm|nomic_bert|biogpt|encoder|decoder)\.)*(?:layers|layer|h|blocks)\.(\d{1,4})\.(.+)$`)
	ofExpert  = regexp.MustCompile(`^(?:(?:mlp|block_sparse_moe|feed_forward|mixer)\.)?experts\.(?:(\d{1,4})\.)?(\w+?)$`)
	ofHead    = regexp.MustCompile(`^(self_attn\.[qk]_layernorm)\.norms\.(\d{1,4})$`)
	topPrefix = regexp.MustCompile(`^(?:(?:model|backbone|transformer|gpt_neox|language_model|text_model|bert|roberta|distilbert|electra|ernie|data2vec_text|roberta_prelayernorm|nomic_bert|biogpt|decoder)\.)+`)
)

// folderSources finds the weights of a folder by the names that GGUF has. unread refuses tensors of the text model with
// other names.
func folderSources(names []string, a *architecture.Kind, experts int) map[string]source {
	out := map[string]source{}
	for _, name := range names {
		base, kind := name, ".weight"
		for _, end := range []string{".weight", ".bias", "_bias"} {
			if rest, ok := strings.CutSuffix(name, end); ok {
				base = rest
				if end != ".weight" {
					kind = ".bias"
				}
				break
			}
		}
		if strings.Contains(base, "vision") || strings.Contains(base, "visual") {
			continue
		}
		m := inLayer.FindStringSubmatch(base)
		if m == nil {
			if to, ok := topNames[topPrefix.ReplaceAllString(base, "")]; ok {
				out[to+kind] = source{[]string{name}, changeOf(a, to, kind)}
			}
			continue
		}
		layer, _ := strconv.Atoi(m[1])
		if e := ofExpert.FindStringSubmatch(m[2]); e != nil {
			to, ok := expertNames[e[2]]
			if !ok {
				continue
			}
			key := architecture.WeightName(layer, to) + kind
			if e[1] == "" {
				out[key] = source{[]string{name}, stackedChange(a, to, kind)}
				continue
			}
			s := out[key]
			if s.tensors == nil {
				s.tensors = make([]string, experts)
			}
			if i, _ := strconv.Atoi(e[1]); i < experts {
				s.tensors[i] = name
			}
			out[key] = s
			continue
		}
		if h := ofHead.FindStringSubmatch(m[2]); h != nil {
			key := architecture.WeightName(layer, layerNames[h[1]]) + kind
			list := out[key].tensors
			i, _ := strconv.Atoi(h[2])
			list = append(list, make([]string, max(i+1-len(list), 0))...)
			list[i] = name
			out[key] = source{tensors: list}
			continue
		}
		if to, ok := layerNames[m[2]]; ok {
			if experts == 0 { // what all tokens take is the whole part (Granite 4)
				to = strings.TrimSuffix(to, "_shexp")
			}
			if !a.Recurs() && m[2] == "mixer.out_proj" {
				to = "attn_output"
			}
			if a.Behind && m[2] == "post_attention_layernorm" {
				to = "post_attention_norm"
			}
			out[architecture.WeightName(layer, to)+kind] = source{[]string{name}, changeOf(a, to, kind)}
		}
	}
	return out
}

// NameOf is the name that GGUF has for a weight of a folder, "" where no weight that is known has the name.
func NameOf(name string, a *architecture.Kind, experts int) string {
	for to := range folderSources([]string{name}, a, experts) {
		return to
	}
	return ""
}

// changeOf is how a weight of a folder differs.
func changeOf(a *architecture.Kind, to, kind string) change {
	switch {
	case to == "ssm_a":
		return negatedExp
	case to == "ssm_norm":
	case a.UnitNorm && kind == ".weight" && strings.HasSuffix(to, "norm"):
		return plusOne
	case a.Grouped && to == "attn_qkv":
		return grouped
	case a.Columns && kind == ".weight" && (strings.HasPrefix(to, "attn_qkv") || strings.HasPrefix(to, "attn_output") || strings.HasPrefix(to, "ffn_up") || strings.HasPrefix(to, "ffn_down")):
		return transposed
	}
	return asItIs
}

// stackedChange is how the weights of all experts in one tensor differ.
func stackedChange(a *architecture.Kind, to, kind string) change {
	switch {
	case !a.Swapped:
		return asItIs
	case a.Alternates && to == "ffn_gate_up_exps":
		return alternating
	case kind == ".weight":
		return swapped
	}
	return asItIs
}
