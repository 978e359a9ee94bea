# defaults.py > ../architecture/defaults.json: what the configurations of transformers hold for a key that config.json leaves out.
import dataclasses, json
from transformers import AutoConfig

kinds = """llama mistral ministral ministral3 smollm mixtral smollm3 llama4_text qwen2 qwen2_moe qwen3 qwen3_moe gemma gemma2 gemma3_text phi phi3
gpt_oss deepseek_v2 deepseek_v3 gpt2 starcoder2 olmo2 olmo3 ernie4_5 seed_oss glm glm4 granite arcee nemotron stablelm cohere cohere2 exaone4
glm4_moe dots1 olmoe granitemoe granitemoeshared ernie4_5_moe hunyuan_v1_dense apertus bert roberta xlm-roberta cwm gpt_neox falcon minimax_m2 hunyuan_v1_moe helium
vaultgemma solar_open jais2 camembert distilbert qwen2_vl_text qwen2_5_vl_text qwen3_vl_text qwen3_vl_moe_text
granitemoehybrid glm4_moe_lite olmo opt gptj gpt_neo gpt_bigcode bloom mpt lfm2 lfm2_moe modernbert qwen3_next qwen3_5_text qwen3_5_moe_text
electra ernie data2vec-text roberta-prelayernorm xlm-roberta-xl megatron-bert nomic_bert jina_embeddings_v3 mellum youtu flex_olmo hyperclovax persimmon biogpt
bamba eurobert nemotron_h gemma4_text gemma4_unified_text exaone_moe hy_v3 afmoe mistral4 cohere2_moe""".split()
keys = """num_hidden_layers n_layer hidden_size n_embd vocab_size max_position_embeddings n_positions num_attention_heads n_head
num_key_value_heads head_dim intermediate_size intermediate_size_mlp rms_norm_eps layer_norm_eps layer_norm_epsilon norm_epsilon
hidden_act hidden_activation activation_function pad_token_id sliding_window attention_chunk_size max_window_layers use_sliding_window
no_rope_layer_interval query_pre_attn_scalar attention_multiplier embedding_multiplier residual_multiplier logits_scaling
attn_logit_softcapping final_logit_softcapping attn_temperature_tuning attn_scale floor_scale use_qk_norm q_lora_rank kv_lora_rank
qk_nope_head_dim qk_rope_head_dim v_head_dim num_local_experts num_experts n_routed_experts num_experts_per_tok moe_intermediate_size
norm_topk_prob routed_scaling_factor n_shared_experts shared_expert_intermediate_size topk_method n_group topk_group
first_k_dense_replace decoder_sparse_step interleave_moe_layer_step rope_interleave partial_rotary_factor original_max_position_embeddings norm_eps logit_scale use_parallel_residual
shared_intermediate_size moe_num_experts moe_k moe_num_shared_experts moe_layer_start_index moe_layer_end_index moe_layer_interval
num_layers num_heads ffn_dim d_model max_seq_len expansion_ratio window_size local_attention rotary_dim n_inner use_expert_bias num_dense_layers
block_auto_adjust_ff_dim block_ffn_dim_multiplier block_multiple_of clip_qkv layer_types attention_bias mlp_bias num_kv_heads multi_query parallel_attn new_decoder_architecture alibi ffn_hidden_size activation moe_topk dim n_layers n_heads hidden_dim linear_conv_kernel_dim
linear_key_head_dim linear_value_head_dim linear_num_key_heads linear_num_value_heads mamba_d_conv mamba_n_groups mamba_n_heads mamba_d_state
mamba_conv_bias mamba_proj_bias mlp_hidden_act ssm_state_size mamba_num_heads mamba_head_dim conv_kernel use_conv_bias n_groups
moe_shared_expert_intermediate_size global_head_dim hidden_size_per_layer_input num_kv_shared_layers attention_k_eq_v use_double_wide_mlp
enable_moe_block router_scaling_factor route_scale num_shared_experts global_attn_every_n_layers mup_enabled expert_selection_fn prefix_dense_intermediate_size
embedding_size shared_expert_combination_strategy prefix_dense_sliding_window_pattern""".split()
owned = "sliding_window layer_types num_key_value_heads query_pre_attn_scalar attention_multiplier logit_scale attn_logit_softcapping final_logit_softcapping clip_qkv".split() # which count for no other family
out = {}
for kind in kinds:
    try: made = type(AutoConfig.for_model(kind))
    except Exception: continue
    fields = {f.name: f.default for f in dataclasses.fields(made)}
    d = {k: fields[k] for k in keys if k in fields and (isinstance(fields[k], (bool, int, float, str)) or fields[k] is None and k in owned)}
    whole = AutoConfig.for_model(kind).to_dict()
    rope = whole.get("rope_parameters") or {}
    rope = rope.get("full_attention", rope)
    if "rope_theta" in rope: d["rope_theta"] = rope["rope_theta"]
    if "partial_rotary_factor" in rope: d["partial_rotary_factor"] = rope["partial_rotary_factor"]
    if rope.get("rope_type", "default") != "default": d["rope_parameters"], d["rope_theta"] = rope, made.default_theta
    out[kind] = d
print("{" + ",\n".join(json.dumps(k) + ": " + json.dumps(v) for k, v in out.items()) + "}")
