# record.py > architectures.json: small models of transformers, one an architecture, whose weights follow from a formula, with the
# logits that transformers computes for them. The test makes the same weights.
import json, os, sys, tempfile, zlib, warnings
import numpy as np, torch, transformers
from safetensors.numpy import load_file, save_file
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForImageTextToText
warnings.filterwarnings("ignore")
result, sys.stdout = sys.stdout, sys.stderr # transformers prints of its own
transformers.logging.set_verbosity_error()

def formula(name, shape):
    n = int(np.prod(shape)) if shape else 1
    v = (np.arange(n, dtype=np.uint64) + zlib.crc32(name.encode())).astype(np.uint32)
    v ^= v >> np.uint32(16); v *= np.uint32(0x7feb352d); v ^= v >> np.uint32(15); v *= np.uint32(0x846ca68b); v ^= v >> np.uint32(16)
    w = (v >> np.uint32(8)).astype(np.float64) / 2**24 - 0.5
    w = w * (4 / np.sqrt(shape[-1])) if len(shape) > 1 else w + (1 if "norm" in name.lower() or "ln_" in name else 0)
    return w.astype(np.float32).reshape(shape)

base = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=64, bos_token_id=1, eos_token_id=2, pad_token_id=0, attn_implementation="eager")
def c(kind, **more): return AutoConfig.for_model(kind, **{**base, **more})
cases = {
 "llama": c("llama", rms_norm_eps=1e-5),
 "llama-3": c("llama", head_dim=16, tie_word_embeddings=True, rope_parameters=dict(rope_type="llama3", rope_theta=5e5, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)),
 "llama-linear": c("llama", attention_bias=True, mlp_bias=True, rope_parameters=dict(rope_type="linear", rope_theta=1e4, factor=2.0)),
 "llama-yarn": c("llama", rope_parameters=dict(rope_type="yarn", rope_theta=1e4, factor=4.0, original_max_position_embeddings=16)),
 "mistral": c("mistral", head_dim=8, sliding_window=6),
 "ministral3": c("ministral3", head_dim=16, rope_parameters=dict(rope_type="yarn", rope_theta=1e6, factor=4.0, beta_fast=32.0, beta_slow=1.0, mscale=1.0,
    mscale_all_dim=1.0, llama_4_scaling_beta=0.5, original_max_position_embeddings=4)),
 "mixtral": c("mixtral", num_local_experts=4, num_experts_per_tok=2),
 "qwen2": c("qwen2"),
 "qwen2_moe": c("qwen2_moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=24, decoder_sparse_step=1, norm_topk_prob=False),
 "qwen3": c("qwen3", head_dim=16, tie_word_embeddings=True),
 "qwen3_moe": c("qwen3_moe", head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, norm_topk_prob=True, mlp_only_layers=[1]),
 "gemma": c("gemma", head_dim=16),
 "gemma2": c("gemma2", head_dim=16, sliding_window=6, query_pre_attn_scalar=12, attn_logit_softcapping=5.0, final_logit_softcapping=3.0),
 "gemma3_text": c("gemma3_text", head_dim=16, sliding_window=6, num_hidden_layers=7, query_pre_attn_scalar=12),
 "phi": c("phi", num_key_value_heads=4, partial_rotary_factor=0.5),
 "phi-tied": c("phi", num_key_value_heads=1, tie_word_embeddings=True),
 "mistral-types": c("mistral", sliding_window=5, layer_types=["full_attention", "sliding_attention"]),
 "phi3": c("phi3", num_key_value_heads=2, sliding_window=7),
 "phi3-long": c("phi3", max_position_embeddings=64, original_max_position_embeddings=8, rope_parameters=dict(rope_type="longrope", rope_theta=1e4, short_factor=[1.0,1.1,1.2,1.3], long_factor=[1.0,2.0,3.0,4.0], original_max_position_embeddings=8)),
 "smollm3": c("smollm3", num_hidden_layers=4, no_rope_layers=[1,1,1,0]),
 "gpt_oss": c("gpt_oss", head_dim=16, sliding_window=6, num_local_experts=4, num_experts_per_tok=2, intermediate_size=24,
    rope_parameters=dict(rope_type="yarn", rope_theta=1.5e5, factor=4.0, beta_fast=32.0, beta_slow=1.0, truncate=False, original_max_position_embeddings=16)),
 "deepseek_v2": c("deepseek_v2", num_key_value_heads=4, q_lora_rank=None, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=12, head_dim=4,
    n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1, first_k_dense_replace=1, routed_scaling_factor=1.5, topk_method="greedy", n_group=None, topk_group=None, norm_topk_prob=False),
 "deepseek_v3": c("deepseek_v3", num_key_value_heads=4, q_lora_rank=12, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=12, head_dim=4,
    n_routed_experts=8, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1, first_k_dense_replace=1, routed_scaling_factor=2.5, n_group=4, topk_group=2, norm_topk_prob=True,
    rope_parameters=dict(rope_type="yarn", rope_theta=1e4, factor=4.0, mscale=1.0, mscale_all_dim=1.0, original_max_position_embeddings=16)),
 "llama4_text": c("llama4_text", head_dim=8, num_hidden_layers=4, num_local_experts=4, num_experts_per_tok=1, intermediate_size=16, intermediate_size_mlp=48, interleave_moe_layer_step=2,
    attention_chunk_size=6, use_qk_norm=True, attn_temperature_tuning=True, floor_scale=4, attn_scale=0.1, no_rope_layers=[1,1,1,0], rope_parameters=dict(rope_type="default", rope_theta=1e4)),
 "gpt2": AutoConfig.for_model("gpt2", vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=2, attn_implementation="eager"),
 "gpt_oss-paged": c("gpt_oss", head_dim=16, sliding_window=40, num_local_experts=4, num_experts_per_tok=2, intermediate_size=24, max_position_embeddings=160,
    rope_parameters=dict(rope_type="default", rope_theta=1.5e5)),
 "llama4_text-paged": c("llama4_text", head_dim=8, num_hidden_layers=4, num_local_experts=4, num_experts_per_tok=1, intermediate_size=16, intermediate_size_mlp=48, interleave_moe_layer_step=2,
    attention_chunk_size=40, max_position_embeddings=160, rope_parameters=dict(rope_type="default", rope_theta=1e4)),
 "starcoder2": c("starcoder2", sliding_window=None, use_bias=True),
 "olmo2": c("olmo2"),
 "olmo3": c("olmo3", num_hidden_layers=4, sliding_window=6),
 "ernie4_5": c("ernie4_5", head_dim=8),
 "seed_oss": c("seed_oss", head_dim=16, attention_bias=True),
 "glm": c("glm", head_dim=16),
 "glm4": c("glm4", head_dim=16),
 "granite": c("granite", embedding_multiplier=3.0, residual_multiplier=0.5, attention_multiplier=0.2, logits_scaling=2.0),
 "arcee": c("arcee", head_dim=8),
 "nemotron": c("nemotron", head_dim=16, partial_rotary_factor=0.5, attention_bias=True),
 "stablelm": c("stablelm", head_dim=8, partial_rotary_factor=0.25, use_qkv_bias=True),
 "stablelm-parallel": c("stablelm", head_dim=8, partial_rotary_factor=0.5, use_parallel_residual=True),
 "cohere": c("cohere", logit_scale=0.25),
 "stablelm-heads": c("stablelm", head_dim=8, partial_rotary_factor=0.5, qk_layernorm=True),
 "cohere-heads": c("cohere", use_qk_norm=True, logit_scale=0.5),
 "cohere2": c("cohere2", num_hidden_layers=4, head_dim=8, sliding_window=6, logit_scale=0.25),
 "exaone4": c("exaone4", num_hidden_layers=4, sliding_window=6),
 "exaone4-whole": c("exaone4", sliding_window=None, layer_types=["full_attention"] * 2),
 "glm4_moe": c("glm4_moe", head_dim=16, n_routed_experts=8, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1, first_k_dense_replace=1,
    routed_scaling_factor=1.5, n_group=1, topk_group=1, norm_topk_prob=True, use_qk_norm=True, attention_bias=True),
 "glm4_moe-groups": c("glm4_moe", head_dim=16, n_routed_experts=8, num_experts_per_tok=3, moe_intermediate_size=16, n_shared_experts=2, first_k_dense_replace=1,
    n_group=4, topk_group=2, norm_topk_prob=False),
 "dots1": c("dots1", head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=2, first_k_dense_replace=1, n_group=1, topk_group=1,
    norm_topk_prob=True, routed_scaling_factor=2.5),
 "olmoe": c("olmoe", num_experts=4, num_experts_per_tok=2, intermediate_size=16),
 "granitemoe": c("granitemoe", num_local_experts=4, num_experts_per_tok=2, intermediate_size=16, embedding_multiplier=3.0, residual_multiplier=0.5, attention_multiplier=0.2,
    logits_scaling=2.0),
 "granitemoeshared": c("granitemoeshared", num_local_experts=4, num_experts_per_tok=2, intermediate_size=16, shared_intermediate_size=24),
 "ernie4_5_moe": c("ernie4_5_moe", moe_num_experts=4, moe_k=2, moe_intermediate_size=16, moe_num_shared_experts=2, moe_layer_start_index=1, num_hidden_layers=3,
    moe_layer_end_index=1),
 "hunyuan_v1_dense": c("hunyuan_v1_dense", head_dim=16, rope_parameters=dict(rope_type="dynamic", rope_theta=1e4, alpha=1000.0, factor=1.0)),
 "apertus": c("apertus", head_dim=8),
 "cwm": c("cwm", head_dim=8, num_hidden_layers=4, sliding_window=6),
 "gpt_neox": c("gpt_neox"),
 "gpt_neox-serial": c("gpt_neox", use_parallel_residual=False, attention_bias=False),
 "falcon": c("falcon", new_decoder_architecture=True, num_kv_heads=2),
 "falcon-one-norm": c("falcon", new_decoder_architecture=True, num_kv_heads=2, num_ln_in_parallel_attn=1, bias=True),
 "falcon-one-key": c("falcon"),
 "falcon-serial": c("falcon", multi_query=False, parallel_attn=False, bias=True),
 "minimax_m2": c("minimax_m2", head_dim=16, num_local_experts=4, num_experts_per_tok=2, intermediate_size=16, rope_parameters=dict(rope_type="default", rope_theta=5e6, partial_rotary_factor=0.5)),
 "hunyuan_v1_moe": c("hunyuan_v1_moe", head_dim=8, num_experts=4, moe_topk=2),
 "helium": c("helium", head_dim=8),
 "vaultgemma": c("vaultgemma", head_dim=16, sliding_window=6, query_pre_attn_scalar=12, attn_logit_softcapping=5.0, final_logit_softcapping=3.0),
 "solar_open": c("solar_open", head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, routed_scaling_factor=1.5),
 "jais2": c("jais2", head_dim=8),
 "camembert": c("camembert", type_vocab_size=1, num_key_value_heads=None, pad_token_id=1, max_position_embeddings=66),
 "distilbert": AutoConfig.for_model("distilbert", vocab_size=64, dim=32, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=64, pad_token_id=0, attn_implementation="eager"),
 "bert": c("bert", type_vocab_size=2, num_key_value_heads=None),
 "electra": c("electra", embedding_size=32),
 "data2vec-text-roberta": c("data2vec-text", type_vocab_size=1, pad_token_id=1, max_position_embeddings=66),
 "roberta-prelayernorm": c("roberta-prelayernorm", type_vocab_size=1, pad_token_id=1, max_position_embeddings=66),
 "xlm-roberta-xl": c("xlm-roberta-xl", type_vocab_size=1, pad_token_id=1, max_position_embeddings=66),
 "megatron-bert": c("megatron-bert"),
 "nomic_bert": c("nomic_bert", num_key_value_heads=None),
 "jina_embeddings_v3": c("jina_embeddings_v3", num_key_value_heads=None),
 "mellum": c("mellum", head_dim=8, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, sliding_window=6, layer_types=["full_attention", "sliding_attention"],
    rope_parameters=dict(full_attention=dict(rope_type="yarn", rope_theta=5e5, factor=4.0, original_max_position_embeddings=16), sliding_attention=dict(rope_type="default", rope_theta=1e4))),
 "youtu": c("youtu", tie_word_embeddings=False, num_key_value_heads=4, q_lora_rank=12, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=12),
 "flex_olmo": c("flex_olmo", num_experts=4, num_experts_per_tok=2),
 "hyperclovax": c("hyperclovax", embedding_multiplier=3.0, residual_multiplier=0.5, attention_multiplier=0.2, logits_scaling=2.0),
 "persimmon": c("persimmon"),
 "biogpt": c("biogpt"),
 "roberta": c("roberta", type_vocab_size=1, num_key_value_heads=None, pad_token_id=1, max_position_embeddings=66),
}
of = AutoConfig.for_model
small = dict(vocab_size=64, bos_token_id=1, eos_token_id=2, pad_token_id=0, attn_implementation="eager")
mamba = dict(mamba_n_heads=4, mamba_d_head=16) # which layers of attention do not read
narrow = dict(num_key_value_heads=4, q_lora_rank=12, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=12, n_routed_experts=8,
    num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1)
def sees(kind, **more): # the text of a model that sees as well
    text = {**base, "rope_parameters": dict(rope_type="default", rope_theta=1e6, mrope_section=[1, 1, 2]), **more}
    del text["attn_implementation"]
    sight = dict(depth=1, hidden_size=16, intermediate_size=16, num_heads=2, patch_size=4, out_hidden_size=32)
    sight |= dict(fullatt_block_indexes=[0]) if kind == "qwen2_5_vl" else dict(deepstack_visual_indexes=[0], num_position_embeddings=16)
    return of(kind, text_config=text, vision_config=sight, image_token_id=61, video_token_id=62, vision_start_token_id=63, vision_end_token_id=63,
              tie_word_embeddings=kind == "qwen2_5_vl")
cases |= {
 "olmo": c("olmo", clip_qkv=0.5, attention_bias=True, tie_word_embeddings=False),
 "olmoe-clip": c("olmoe", num_experts=4, num_experts_per_tok=2, intermediate_size=16, clip_qkv=0.5),
 "opt": of("opt", hidden_size=32, num_hidden_layers=2, ffn_dim=48, num_attention_heads=4, word_embed_proj_dim=32, max_position_embeddings=64, **small),
 "gptj": of("gptj", n_embd=32, n_layer=2, n_head=4, rotary_dim=4, n_positions=64, **small),
 "gpt_neo": of("gpt_neo", hidden_size=32, num_layers=4, num_heads=4, attention_types=[[["global", "local"], 2]], window_size=6, max_position_embeddings=64, **small),
 "gpt_bigcode": of("gpt_bigcode", n_embd=32, n_layer=2, n_head=4, n_positions=64, **small),
 "gpt_bigcode-heads": of("gpt_bigcode", n_embd=32, n_layer=2, n_head=4, n_positions=64, multi_query=False, n_inner=40, scale_attn_weights=False, **small),
 "bloom": of("bloom", hidden_size=48, n_layer=2, n_head=6, **small),
 "mpt": of("mpt", d_model=48, n_heads=6, n_layers=2, max_seq_len=64, attn_config=dict(clip_qkv=0.5, softmax_scale=0.2), **small),
 "granitemoehybrid": c("granitemoehybrid", num_local_experts=0, shared_intermediate_size=40, layer_types=["attention"] * 2, position_embedding_type="rope",
    embedding_multiplier=3.0, residual_multiplier=0.5, attention_multiplier=0.2, logits_scaling=2.0, **mamba),
 "granitemoehybrid-experts": c("granitemoehybrid", num_local_experts=4, num_experts_per_tok=2, shared_intermediate_size=40, intermediate_size=16,
    layer_types=["attention"] * 2, attention_multiplier=0.2, **mamba),
 "glm4_moe_lite": c("glm4_moe_lite", routed_scaling_factor=2.5, norm_topk_prob=False, mlp_layer_types=["sparse", "dense"], **narrow),
 "lfm2": c("lfm2", num_hidden_layers=4, conv_L_cache=4, conv_bias=True, layer_types=["conv", "full_attention", "conv", "conv"], block_auto_adjust_ff_dim=False),
 "lfm2_moe": c("lfm2_moe", num_hidden_layers=4, conv_L_cache=3, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, num_dense_layers=1,
    layer_types=["conv", "full_attention", "conv", "full_attention"]),
 "lfm2-paged": c("lfm2", num_hidden_layers=2, conv_L_cache=3, layer_types=["conv", "full_attention"], block_multiple_of=8, max_position_embeddings=160),
 "modernbert": c("modernbert", num_hidden_layers=4, local_attention=6),
 "qwen2_5_vl": sees("qwen2_5_vl"),
 "qwen3_vl": sees("qwen3_vl", head_dim=8),
 "qwen3_vl_moe": sees("qwen3_vl_moe", head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16),
}
linear = dict(num_hidden_layers=3, head_dim=16, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=8, linear_value_head_dim=12, linear_conv_kernel_dim=4)
chosen = dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=24)
turns = ["linear_attention", "full_attention", "linear_attention"]
ssd = dict(num_hidden_layers=3, mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8, mamba_n_groups=2, mamba_d_conv=4, mamba_expand=2, layer_types=["mamba", "attention", "mamba"])
cases |= {
 "qwen3_next": c("qwen3_next", layer_types=turns, **linear, **chosen),
 "qwen3_next-paged": c("qwen3_next", layer_types=turns, **linear, **chosen, mlp_only_layers=[0], max_position_embeddings=160),
 "qwen3_5_text": c("qwen3_5_text", layer_types=turns, **linear),
 "qwen3_5_text-paged": c("qwen3_5_text", layer_types=turns, **linear, max_position_embeddings=160),
 "qwen3_5_moe_text": c("qwen3_5_moe_text", layer_types=turns, **linear, **chosen),
 "granitemoehybrid-mamba": c("granitemoehybrid", num_local_experts=4, num_experts_per_tok=2, shared_intermediate_size=40, intermediate_size=16, attention_multiplier=0.2,
    residual_multiplier=0.5, logits_scaling=2.0, **ssd),
 "granitemoehybrid-mamba-paged": c("granitemoehybrid", num_local_experts=0, shared_intermediate_size=40, mamba_proj_bias=True, max_position_embeddings=160, **{**ssd, "mamba_n_groups": 1}),
}
whole = dict(partial_rotary_factor=1.0, rope_parameters=dict(rope_type="default", rope_theta=1e4, partial_rotary_factor=1.0)) # transformers 5.12 turns whole heads whatever it says
cases |= {
 "bamba": c("bamba", **{k: v for k, v in ssd.items() if k != "layer_types"}, attn_layer_indices=[1], **whole),
 "bamba-paged": c("bamba", **{k: v for k, v in ssd.items() if k != "layer_types"}, attn_layer_indices=[1], mamba_proj_bias=True, **{**whole, "max_position_embeddings": 160}),
 "eurobert": c("eurobert", head_dim=8),
 "mistral3": of("mistral3", text_config={**base, "model_type": "mistral", "head_dim": 8}, vision_config=dict(model_type="pixtral", hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=16, image_size=8, patch_size=4), image_token_index=61),
}
scan = dict(mamba_num_heads=4, mamba_head_dim=16, ssm_state_size=8, n_groups=2, conv_kernel=4, head_dim=8)
apart = dict(n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, moe_shared_expert_intermediate_size=24, routed_scaling_factor=2.5)
cases |= {
 "nemotron_h": c("nemotron_h", layers_block_type=["mamba", "mlp", "attention", "mlp", "mamba"], **scan),
 "nemotron_h-moe": c("nemotron_h", layers_block_type=["mamba", "moe", "attention", "moe", "mlp"], **scan, **apart),
 "nemotron_h-paged": c("nemotron_h", layers_block_type=["mamba", "attention", "moe"], moe_latent_size=12, use_bias=True, use_conv_bias=False, **scan, **apart, max_position_embeddings=160),
}
turned = dict(sliding_attention=dict(rope_type="default", rope_theta=1e4), full_attention=dict(rope_type="proportional", rope_theta=1e6, partial_rotary_factor=0.25))
four = dict(head_dim=8, global_head_dim=16, sliding_window=6, rope_parameters=turned, hidden_size_per_layer_input=0)
kinds = ["sliding_attention", "sliding_attention", "full_attention"]
def beside(**more): return {**four, "num_hidden_layers": 6, "layer_types": kinds * 2, "hidden_size_per_layer_input": 12, "vocab_size_per_layer_input": 64, "num_kv_shared_layers": 3, **more}
cases |= {
 "gemma4_text": c("gemma4_text", num_hidden_layers=3, layer_types=kinds, attention_k_eq_v=True, num_global_key_value_heads=1, final_logit_softcapping=3.0, **four),
 "gemma4_text-layers": c("gemma4_text", use_double_wide_mlp=True, **beside()),
 "gemma4_text-experts": c("gemma4_text", num_hidden_layers=3, layer_types=kinds, enable_moe_block=True, num_experts=4, top_k_experts=2, moe_intermediate_size=16, **four),
 "gemma4_unified_text": c("gemma4_unified_text", use_bidirectional_attention=None, num_hidden_layers=3, layer_types=kinds, attention_k_eq_v=True, num_global_key_value_heads=1, **{k: v for k, v in four.items() if "layer" not in k}),
 "gemma4_text-paged": c("gemma4_text", **{**beside(sliding_window=40), "max_position_embeddings": 160}),
}
routed = dict(head_dim=8, moe_intermediate_size=16, num_experts=4, num_experts_per_tok=2, num_shared_experts=2)
local = ["sliding_attention", "sliding_attention", "full_attention"]
cases |= {
 "exaone_moe": c("exaone_moe", num_hidden_layers=3, layer_types=local, sliding_window=6, first_k_dense_replace=1, routed_scaling_factor=2.5, **routed),
 "hy_v3": c("hy_v3", router_scaling_factor=2.5, **routed),
 "afmoe": c("afmoe", num_hidden_layers=3, layer_types=local, sliding_window=6, num_dense_layers=1, route_scale=2.5, mup_enabled=True, **routed),
 "mistral4": c("mistral4", **narrow, norm_topk_prob=True, routed_scaling_factor=1.5, first_k_dense_replace=1, rope_parameters=dict(rope_type="yarn", rope_theta=1e4, factor=4.0,
    original_max_position_embeddings=4, mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.5)),
 "cohere2_moe": c("cohere2_moe", num_hidden_layers=4, head_dim=8, intermediate_size=16, num_experts=4, num_experts_per_tok=2, num_shared_experts=2, sliding_window=6, logit_scale=0.25,
    expert_selection_fn="sigmoid", prefix_dense_intermediate_size=48, layer_types=["full_attention"] + local, mlp_layer_types=["dense", "sparse", "sparse", "sparse"]),
 "cohere2_moe-sum": c("cohere2_moe", head_dim=8, intermediate_size=16, num_experts=4, num_experts_per_tok=2, num_shared_experts=1, sliding_window=6, logit_scale=0.25,
    shared_expert_combination_strategy="sum", rms_norm_eps=1e-5, tie_word_embeddings=False, layer_types=["full_attention", "sliding_attention"], prefix_dense_sliding_window_pattern=2),
}
cases |= { # keys that count for some parts of a network alone
 "glm4_moe_lite-epsilon": c("glm4_moe_lite", rms_norm_eps=0.05, mlp_layer_types=["dense", "sparse"], **narrow),
 "nemotron_h-window": c("nemotron_h", layers_block_type=["mamba", "attention"], sliding_window=2, **scan),
 "solar_open-biases": c("solar_open", attention_bias=True, head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16),
}
# What config.json leaves out, and what older files have instead.
experts = dict(moe_intermediate_size=16, num_experts_per_tok=2, head_dim=8)
rope = ["rope_parameters"]
edits = {
 "phi3-outside": (c("phi3", max_position_embeddings=64, original_max_position_embeddings=8, rope_parameters=dict(rope_type="longrope", rope_theta=1e4, short_factor=[1.0,1.1,1.2,1.3], long_factor=[1.0,2.0,3.0,4.0], original_max_position_embeddings=8)), [], {"original_max_position_embeddings": 4}),
 "llama-yarn-zeros": (c("llama", rope_parameters=dict(rope_type="yarn", rope_theta=1e4, factor=4.0, original_max_position_embeddings=16)), rope,
    {"rope_parameters": dict(rope_type="yarn", rope_theta=1e4, factor=4.0, original_max_position_embeddings=16, beta_fast=0, beta_slow=0)}),
 "ministral3-left-out": (c("ministral3", head_dim=16, rope_parameters=dict(rope_type="default")), rope, {"rope_parameters": {"rope_type": "default", "llama_4_scaling_beta": 0.1, "original_max_position_embeddings": 64}}),
 "gpt_neox-older": (c("gpt_neox"), rope + ["attention_bias"], {"rotary_pct": 0.5, "rotary_emb_base": 20000}),
 "hunyuan_v1_moe-lists": (c("hunyuan_v1_moe", head_dim=8, num_experts=4, moe_topk=2), [], {"moe_topk": [2, 2], "num_shared_expert": [1, 1]}),
 "falcon-left-out": (c("falcon"), rope + ["multi_query", "parallel_attn", "new_decoder_architecture", "ffn_hidden_size", "activation", "num_kv_heads", "bias", "alibi"], {}),
 "smollm3-left-out": (c("smollm3", num_hidden_layers=4, num_key_value_heads=4), rope + ["no_rope_layers", "no_rope_layer_interval", "layer_types", "num_key_value_heads"], {}),
 "smollm3-window": (c("smollm3", num_hidden_layers=4, no_rope_layer_interval=2, use_sliding_window=True, sliding_window=6), ["no_rope_layers", "layer_types"], {}),
 "phi-left-out": (c("phi", num_key_value_heads=4), rope + ["partial_rotary_factor", "layer_norm_eps", "hidden_act"], {}),
 "granite-left-out": (c("granite"), rope + ["attention_multiplier", "embedding_multiplier", "residual_multiplier", "logits_scaling"], {}),
 "qwen3_moe-left-out": (c("qwen3_moe", **{**experts, "num_experts": 10, "num_experts_per_tok": 8}), rope + ["norm_topk_prob", "num_experts_per_tok", "decoder_sparse_step"], {}),
 "qwen3_moe-window": (c("qwen3_moe", num_experts=4, use_sliding_window=True, sliding_window=6, **experts), [], {"max_window_layers": 1}),
 "gemma3_text-left-out": (c("gemma3_text", head_dim=256, num_attention_heads=8, num_key_value_heads=4, num_hidden_layers=7),
    rope + ["layer_types", "head_dim", "num_attention_heads", "num_key_value_heads", "query_pre_attn_scalar", "rms_norm_eps", "sliding_window", "hidden_activation"], {"sliding_window": 6}),
 "gemma3_text-pattern": (c("gemma3_text", head_dim=16, sliding_window=6, num_hidden_layers=4, attn_logit_softcapping=2.0),
    rope + ["layer_types"], {"sliding_window_pattern": 3, "rope_theta": 1e6, "rope_local_base_freq": 5e3, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}),
 "gemma2-left-out": (c("gemma2", head_dim=256, num_attention_heads=8, num_key_value_heads=4, sliding_window=6),
    rope + ["layer_types", "head_dim", "num_attention_heads", "num_key_value_heads", "query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping"], {}),
 "gpt_oss-left-out": (c("gpt_oss", head_dim=64, num_key_value_heads=4, num_local_experts=6, num_experts_per_tok=4, intermediate_size=24),
    rope + ["layer_types", "head_dim", "num_experts_per_tok", "rms_norm_eps", "sliding_window"], {}),
 "deepseek_v3-halves": (c("deepseek_v3", num_key_value_heads=4, q_lora_rank=12, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=12, head_dim=4,
    n_routed_experts=8, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1, first_k_dense_replace=1, n_group=4, topk_group=2, rope_interleave=False), [], {}),
 "llama4_text-interval": (c("llama4_text", head_dim=8, num_hidden_layers=4, num_local_experts=4, num_experts_per_tok=1, intermediate_size=16, intermediate_size_mlp=48,
    interleave_moe_layer_step=2, attention_chunk_size=6, no_rope_layer_interval=2, rope_parameters=dict(rope_type="default", rope_theta=1e4)), ["layer_types", "moe_layers"], {"no_rope_layers": []}),
 "llama-longrope": (c("llama", rope_parameters=dict(rope_type="longrope", rope_theta=1e4, short_factor=[1.0,1.1,1.2,1.3], long_factor=[1.0,2.0,3.0,4.0], original_max_position_embeddings=8, factor=3.0)), [], {}),
 "cohere-left-out": (c("cohere"), rope + ["logit_scale", "layer_norm_eps", "use_qk_norm"], {}),
 "nemotron-left-out": (c("nemotron", head_dim=16), rope + ["partial_rotary_factor", "norm_eps", "hidden_act", "attention_bias"], {}),
 "stablelm-left-out": (c("stablelm", head_dim=8), rope + ["partial_rotary_factor", "layer_norm_eps", "use_parallel_residual"], {}),
 "cohere2-left-out": (c("cohere2", num_hidden_layers=4, head_dim=8, sliding_window=6), rope + ["layer_types"], {}),
 "dots1-window": (c("dots1", head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1, first_k_dense_replace=1, n_group=1,
    topk_group=1, sliding_window=6), ["layer_types"], {"max_window_layers": 1}),
 "olmoe-left-out": (c("olmoe", num_experts=10, num_experts_per_tok=8, intermediate_size=16), rope + ["num_experts_per_tok", "norm_topk_prob", "rms_norm_eps", "clip_qkv"], {}),
 "granitemoe-left-out": (c("granitemoe", num_local_experts=8, num_experts_per_tok=2, intermediate_size=16),
    rope + ["num_local_experts", "num_experts_per_tok", "attention_multiplier", "embedding_multiplier", "residual_multiplier", "logits_scaling"], {}),
 "apertus-left-out": (c("apertus"), rope + ["hidden_act", "rms_norm_eps"], {}),
 "gpt2-unscaled": (AutoConfig.for_model("gpt2", vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=2, scale_attn_weights=False, attn_implementation="eager"), [], {}),
}
edits |= {
 "qwen3_5_text-left-out": (c("qwen3_5_text", **{**linear, "num_hidden_layers": 5, "head_dim": 256}), rope + ["layer_types", "head_dim", "linear_conv_kernel_dim"], {}),
 "lfm2-older": (c("lfm2", num_hidden_layers=4, conv_L_cache=3, full_attn_idxs=[1, 3], block_multiple_of=8, block_ffn_dim_multiplier=1.5), ["layer_types"], {}),
 "modernbert-older": (c("modernbert", num_hidden_layers=4, local_attention=8, norm_bias=True, attention_bias=True, mlp_bias=True), rope + ["layer_types"],
    {"global_attn_every_n_layers": 2, "global_rope_theta": 5000.0, "local_rope_theta": 300.0}),
 "embeddinggemma": (c("gemma3_text", head_dim=16, sliding_window=8, num_hidden_layers=7, query_pre_attn_scalar=12, use_bidirectional_attention=True), [],
    {"sliding_window": 8}), # transformers writes the window of one side, and halves it when it reads the file
 "glm4_moe_lite-left-out": (c("glm4_moe_lite", routed_scaling_factor=1.8, **narrow), ["mlp_layer_types", "routed_scaling_factor"], {}),
}
edits["gemma4_text-left-out"] = (c("gemma4_text", head_dim=8, global_head_dim=16, num_attention_heads=8, num_key_value_heads=4, num_hidden_layers=2, sliding_window=6, vocab_size_per_layer_input=64, hidden_size_per_layer_input=12),
    rope + ["layer_types", "num_attention_heads", "num_key_value_heads", "hidden_activation", "rms_norm_eps"], {})
edits["nemotron_h-letters"] = (c("nemotron_h", layers_block_type=["mamba", "moe", "attention", "mlp"], **scan, **{**apart, "moe_intermediate_size": 20}), ["layers_block_type", "conv_kernel", "use_conv_bias", "mlp_hidden_act"],
    {"hybrid_override_pattern": "ME*-", "num_hidden_layers": 4}) # as NVIDIA's files have it
cases.update({name: cfg for name, (cfg, _, _) in edits.items()})
tokens = [1, 17, 5, 44, 23, 9, 60, 31, 31, 12, 50, 3]
short = tokens
only = sys.argv[1:]
out = {}
for name, cfg in cases.items():
    if only and name not in only: continue
    enc = cfg.model_type in ("electra", "data2vec-text", "jina_embeddings_v3") or "bert" in cfg.model_type or getattr(cfg, "use_bidirectional_attention", False)
    if name.endswith("-paged"): # longer than pages of a cache, and than a window
        plain = [(7 * i * i + 3 * i) % 61 + 3 for i in range(150)]
    else:
        plain = short
    tokens = [0] + plain[1:] if "roberta" in name or name == "camembert" else plain # its padding is 1, and has no position
    try:
        torch.manual_seed(0)
        cls = AutoModel if enc else AutoModelForImageTextToText if cfg.model_type.startswith("qwen") and "_vl" in cfg.model_type or cfg.model_type == "mistral3" else AutoModelForCausalLM
        if cfg.model_type == "mistral4": cls = transformers.Mistral4ForCausalLM # which transformers 5.12 finds by no other name
        kw = dict(add_pooling_layer=False) if "bert" in cfg.model_type and cfg.model_type not in ("distilbert", "modernbert", "eurobert", "nomic_bert") else {}
        m = (cls._from_config if cfg.model_type == "mistral4" else cls.from_config)(cfg, attn_implementation="eager", **kw)
        with tempfile.TemporaryDirectory() as d:
            m.save_pretrained(d)
            path = os.path.join(d, "model.safetensors")
            old = load_file(path)
            new = {k: formula(k, v.shape) for k, v in old.items()}
            save_file(new, path, metadata={"format": "pt"})
            if name in edits:
                config = json.load(open(os.path.join(d, "config.json")))
                config = {**{k: v for k, v in config.items() if k not in edits[name][1]}, **edits[name][2]}
                json.dump(config, open(os.path.join(d, "config.json"), "w"))
            m = cls.from_pretrained(d, attn_implementation="eager", dtype=torch.float32, **kw).eval()
            config = json.load(open(os.path.join(d, "config.json")))
        with torch.no_grad():
            r = m(torch.tensor([tokens]))
        v = (r.last_hidden_state if enc else r.logits)[0].double().numpy()
        rows = [len(tokens) // 2 if name.endswith("-paged") else 3, len(tokens) - 1]
        out[name] = {"config": config, "weights": {k: list(w.shape) for k, w in new.items()}, "tokens": tokens, "rows": rows,
                     "values": [[float("%.6g" % x) for x in v[i]] for i in rows]}
        print(name, len(new), file=sys.stderr)
    except Exception as e:
        print(name, "FAILED", type(e).__name__, str(e)[:300], file=sys.stderr)
json.dump(out, result, separators=(",", ":"))
