# recordgguf.py DIRECTORY > gguf.json: small GGUF files, whose weights follow from a formula, with the logarithms of probabilities that
# llama.cpp's llama-server, which must be on the path, computes for them. The test makes the same files: of each, what is in front of the
# weights is recorded. Keys and values are kept as f32.
import base64, json, os, subprocess, sys, time, urllib.request, zlib
import numpy as np, gguf

WIDTH, HEADS, KV, HEAD, HIDDEN, VOCABULARY = 32, 4, 2, 8, 48, 64

def formula(name, shape): # as record.py has it
    v = (np.arange(int(np.prod(shape)), dtype=np.uint64) + zlib.crc32(name.encode())).astype(np.uint32)
    v ^= v >> np.uint32(16); v *= np.uint32(0x7feb352d); v ^= v >> np.uint32(15); v *= np.uint32(0x846ca68b); v ^= v >> np.uint32(16)
    w = (v >> np.uint32(8)).astype(np.float64) / 2**24 - 0.5
    w = w * (4 / np.sqrt(shape[-1])) if len(shape) > 1 else w + (1 if "norm" in name.lower() or "ln_" in name else 0)
    if name.endswith("ssm_a"): w -= 3 # states decay
    if name == "rope_freqs.weight": w += 1
    return w.astype(np.float32).reshape(shape)

def norms(*names, bias=False): return {n + k: (WIDTH,) for n in names for k in ([".weight", ".bias"] if bias else [".weight"])}
q, k = HEADS * HEAD, KV * HEAD
attention = {"attn_q.weight": (q, WIDTH), "attn_k.weight": (k, WIDTH), "attn_v.weight": (k, WIDTH), "attn_output.weight": (WIDTH, q)}
biases = {"attn_q.bias": (q,), "attn_k.bias": (k,), "attn_v.bias": (k,)}
gated = {"ffn_gate.weight": (HIDDEN, WIDTH), "ffn_up.weight": (HIDDEN, WIDTH), "ffn_down.weight": (WIDTH, HIDDEN)}
plain = {n: s for n, s in gated.items() if n != "ffn_gate.weight"}
joined = {"ffn_up.weight": (2 * HIDDEN, WIDTH), "ffn_down.weight": (WIDTH, HIDDEN)}
behind = norms("post_attention_norm", "post_ffw_norm")
whole = {"attn_q_norm.weight": (q,), "attn_k_norm.weight": (k,)}
each = {"attn_q_norm.weight": (HEADS, HEAD), "attn_k_norm.weight": (KV, HEAD)}
alike = {"attn_q_norm.weight": (HEAD,), "attn_k_norm.weight": (HEAD,)}
many = {"ffn_gate_inp.weight": (4, WIDTH), "ffn_gate_exps.weight": (4, 16, WIDTH), "ffn_up_exps.weight": (4, 16, WIDTH), "ffn_down_exps.weight": (4, WIDTH, 16)}
shared = {"ffn_gate_shexp.weight": (16, WIDTH), "ffn_up_shexp.weight": (16, WIDTH), "ffn_down_shexp.weight": (WIDTH, 16)}
chosen = {"expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 16}
evenly = attention | {"attn_k.weight": (q, WIDTH), "attn_v.weight": (q, WIDTH)} # as many heads of keys as of queries
ranked = {"exp_probs_b.bias": (4,)}

# name: architecture, the weights of a layer, layers, what is beside that
cases = {
 "command-r": ("command-r", norms("attn_norm") | attention | gated, 2, dict(centred=True, tied=True, keys={"logit_scale": 0.25})),
 "cohere2": ("cohere2", norms("attn_norm") | attention | gated, 4, dict(centred=True, tied=True, keys={"logit_scale": 0.25, "attention.sliding_window": 6})),
 "cohere2-period": ("cohere2", norms("attn_norm") | attention | gated, 4, dict(centred=True, tied=True,
    keys={"logit_scale": 0.25, "attention.sliding_window": 6, "attention.sliding_window_pattern": 2})),
 "nemotron": ("nemotron", norms("attn_norm", "ffn_norm", bias=True) | attention | plain, 2, dict(centred=True, bias=True, turned=4)),
 "stablelm": ("stablelm", norms("attn_norm", "ffn_norm", bias=True) | attention | biases | gated, 2, dict(centred=True, bias=True, turned=4)),
 "stablelm-heads": ("stablelm", norms("attn_norm", bias=True) | attention | each | gated, 2, dict(centred=True, bias=True, turned=4, keys={"use_parallel_residual": True})),
 "exaone4": ("exaone4", behind | attention | alike | gated, 2, {}),
 "arcee": ("arcee", norms("attn_norm", "ffn_norm") | attention | plain, 2, {}),
 "olmo2": ("olmo2", behind | attention | whole | gated, 2, {}),
 "olmo2-window": ("olmo2", behind | attention | whole | gated, 4, dict(keys={"attention.sliding_window": 6})),
 "olmo2-yarn": ("olmo2", behind | attention | whole | gated, 4, dict(keys={"attention.sliding_window": 6, "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
    "rope.scaling.original_context_length": 16})),
 "glm4": ("glm4", norms("attn_norm", "ffn_norm") | behind | attention | biases | joined, 2, dict(turned=4)),
 "ernie4_5": ("ernie4_5", norms("attn_norm", "ffn_norm") | attention | biases | gated, 2, {}),
 "mistral3": ("mistral3", norms("attn_norm", "ffn_norm") | attention | gated, 2, dict(keys={"attention.temperature_scale": 0.5, "rope.scaling.type": "yarn",
    "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 4})),
 "glm4moe": ("glm4moe", norms("attn_norm", "post_attention_norm") | attention | biases | alike, 2, dict(turned=4, first=gated, rest=many | shared | ranked,
    keys=chosen | {"leading_dense_block_count": 1, "expert_shared_count": 1, "expert_weights_norm": True, "expert_weights_scale": 1.5, "expert_gating_func": 2})),
 "dots1": ("dots1", norms("attn_norm", "ffn_norm") | evenly | alike, 2, dict(kv=HEADS, first=gated, rest=many | shared | ranked,
    keys=chosen | {"leading_dense_block_count": 1, "expert_shared_count": 1, "expert_weights_norm": True, "expert_weights_scale": 2.5, "expert_gating_func": 2})),
 "olmoe": ("olmoe", norms("attn_norm", "ffn_norm") | evenly | whole | {"attn_k_norm.weight": (q,)} | many, 2, dict(keys=chosen, kv=HEADS, hidden=16)),
 "granitemoe": ("granitemoe", norms("attn_norm", "ffn_norm") | attention | many, 2, dict(hidden=16, keys={"expert_count": 4, "expert_used_count": 2, "embedding_scale": 3.0,
    "residual_scale": 0.5, "attention.scale": 0.2, "logit_scale": 2.0})),
 "granitemoe-shared": ("granitemoe", norms("attn_norm", "ffn_norm") | attention | many | shared, 2, dict(hidden=16, keys={"expert_count": 4, "expert_used_count": 2,
    "expert_shared_feed_forward_length": 16, "embedding_scale": 3.0, "residual_scale": 0.5, "attention.scale": 0.2, "logit_scale": 2.0})),
 "ernie4_5-moe": ("ernie4_5-moe", norms("attn_norm", "ffn_norm") | attention, 2, dict(first=gated, rest=many | shared | ranked,
    keys=chosen | {"leading_dense_block_count": 1, "interleave_moe_layer_step": 1, "expert_shared_feed_forward_length": 16, "expert_shared_count": 1})),
 "hunyuan-dense": ("hunyuan-dense", norms("attn_norm", "ffn_norm") | attention | alike | gated, 2, dict(keys={"rope.freq_base": 2.7e7})),
 "apertus": ("apertus", norms("attn_norm", "ffn_norm") | attention | alike | plain, 2, dict(keys={"/xielu.alpha_p": [0.3, -0.2], "/xielu.alpha_n": [-0.1, 0.4],
    "/xielu.beta": [0.5, 0.5], "/xielu.eps": [-1e-6, -1e-6]})),
 "seed_oss": ("seed_oss", norms("attn_norm", "post_attention_norm") | attention | biases | gated, 2, {}),
 "minimax-m2": ("minimax-m2", norms("attn_norm", "ffn_norm") | attention | whole | many | ranked, 2, dict(turned=4, hidden=16, keys=chosen | {"expert_gating_func": 2})),
 "hunyuan-moe": ("hunyuan-moe", norms("attn_norm", "ffn_norm") | attention | alike | many | shared, 2, dict(hidden=16, keys=chosen | {"expert_shared_feed_forward_length": 16})),
 "jais2": ("jais2", norms("attn_norm", "ffn_norm", bias=True) | attention | biases | {"attn_output.bias": (WIDTH,)} | plain | {"ffn_up.bias": (HIDDEN,), "ffn_down.bias": (WIDTH,)}, 2,
    dict(bias=True, centred=True)),
}
gelu = {"ffn_up.bias": (HIDDEN,), "ffn_down.bias": (WIDTH,)}
fused, one = {"attn_qkv.weight": (3 * q, WIDTH), "attn_output.weight": (WIDTH, q)}, {"attn_qkv.weight": (q + 2 * HEAD, WIDTH), "attn_output.weight": (WIDTH, q)}
fusedbias = {"attn_qkv.bias": (3 * q,), "attn_output.bias": (WIDTH,)}
both = norms("attn_norm", "ffn_norm")
biased = norms("attn_norm", "ffn_norm", bias=True)
convolved = {"shortconv.conv.weight": (WIDTH, 3), "shortconv.in_proj.weight": (3 * WIDTH, WIDTH), "shortconv.out_proj.weight": (WIDTH, WIDTH)}
mixed = {"attention.head_count_kv": [0, KV, 0, KV], "shortconv.l_cache": 3}
cases |= {
 "olmo": ("olmo", attention | gated, 2, dict(centred=True, tied=True, last=False, keys={"attention.clamp_kqv": 0.5})),
 "starcoder": ("starcoder", biased | one | {"attn_qkv.bias": (q + 2 * HEAD,), "attn_output.bias": (WIDTH,)} | plain | gelu, 2, dict(centred=True, bias=True, kv=1,
    extra={"position_embd.weight": (64, WIDTH)})),
 "bloom": ("bloom", biased | fused | fusedbias | plain | gelu, 2, dict(centred=True, bias=True, kv=HEADS, extra=norms("token_embd_norm", bias=True), tied=True)),
 "mpt": ("mpt", both | fused | plain, 2, dict(centred=True, kv=HEADS, keys={"attention.max_alibi_bias": 16.0, "attention.clamp_kqv": 0.5}, tied=True)),
 "qwen2vl": ("qwen2vl", both | attention | biases | gated, 2, dict(like="qwen2", keys={"rope.dimension_sections": [1, 1, 2, 0]})),
 "qwen3vl": ("qwen3vl", both | attention | alike | gated, 2, dict(keys={"rope.dimension_sections": [2, 1, 1, 0]})),
 "qwen3vlmoe": ("qwen3vlmoe", both | attention | alike | many, 2, dict(keys=chosen | {"rope.dimension_sections": [2, 1, 1, 0]})),
 "lfm2": ("lfm2", both, 4, dict(last=False, tied=True, extra=norms("token_embd_norm"), keys=mixed,
    each=[convolved | gated, attention | alike | gated] * 2)),
 "lfm2moe": ("lfm2moe", both, 4, dict(last=False, tied=True, extra=norms("token_embd_norm"), keys=mixed | chosen | {"leading_dense_block_count": 1, "expert_gating_func": 2},
    each=[convolved | gated, attention | alike | many | ranked, convolved | many | ranked, attention | alike | many | ranked])),
 "internlm2": ("internlm2", both | attention | gated, 2, {}),
 "minicpm": ("minicpm", both | attention | gated, 2, dict(keys={"embedding_scale": 3.0, "residual_scale": 0.5, "logit_scale": 2.0})),
 "minicpm-older": ("minicpm", both | attention | gated, 2, {}),
 "exaone": ("exaone", both | attention | gated, 2, {}),
 "xverse": ("xverse", both | attention | gated, 2, {}),
 "orion": ("orion", biased | attention | gated, 2, dict(centred=True, bias=True)),
 "deepseek": ("deepseek", both | attention, 2, dict(first=gated, rest=many | shared, keys=chosen | {"leading_dense_block_count": 1, "expert_shared_count": 1,
    "expert_weights_scale": 1.5})),
 "gptneox": ("gptneox", biased | fused | fusedbias | plain | gelu, 2, dict(centred=True, bias=True, kv=HEADS, turned=4, keys={"use_parallel_residual": True})),
 "gptneox-serial": ("gptneox", biased | fused | fusedbias | plain | gelu, 2, dict(centred=True, bias=True, kv=HEADS, keys={"use_parallel_residual": False})),
 "falcon": ("falcon", norms("attn_norm", bias=True) | one | plain, 2, dict(centred=True, bias=True, kv=1)),
 "falcon-two-norms": ("falcon", norms("attn_norm", "attn_norm_2", bias=True) | {"attn_qkv.weight": (q + 2 * k, WIDTH), "attn_output.weight": (WIDTH, q)} | plain, 2,
    dict(centred=True, bias=True)),
 "gemma-embedding": ("gemma-embedding", both | behind | attention | alike | gated, 7, dict(tied=True, keys={"attention.sliding_window": 6, "pooling_type": 0})),
 "gemma-embedding-dense": ("gemma-embedding", both | behind | attention | alike | gated, 7, dict(tied=True, extra={"dense_2.weight": (48, WIDTH), "dense_3.weight": (WIDTH, 48)},
    keys={"attention.sliding_window": 6, "pooling_type": 1, "dense_2_feat_in": WIDTH, "dense_2_feat_out": 48, "dense_3_feat_in": 48, "dense_3_feat_out": WIDTH})),
 "modern-bert": ("modern-bert", norms("ffn_norm") | fused | joined, 4, dict(centred=True, tied=True, kv=HEADS, extra=norms("token_embd_norm"), rest=norms("attn_norm"),
    keys={"attention.sliding_window": 6, "attention.sliding_window_pattern": 3, "rope.freq_base_swa": 300.0, "attention.causal": False, "pooling_type": 0})),
}

state = {"ssm_a": (4,), "ssm_dt.bias": (4,), "ssm_norm.weight": (8,), "ssm_out.weight": (WIDTH, 32), "ssm_conv1d.weight": (64, 4), "attn_qkv.weight": (64, WIDTH), "attn_gate.weight": (32, WIDTH)}
apart = {"ssm_beta.weight": (4, WIDTH), "ssm_alpha.weight": (4, WIDTH)}
sizes = {"ssm.conv_kernel": 4, "ssm.state_size": 8, "ssm.group_count": 2, "ssm.time_step_rank": 4, "ssm.inner_size": 32, "full_attention_interval": 2}
wide = attention | alike | {"attn_q.weight": (2 * q, WIDTH)}
part = shared | {"ffn_gate_inp_shexp.weight": (WIDTH,)}
experts = chosen | {"expert_shared_feed_forward_length": 16}
turned = {"rope.dimension_sections": [1, 1, 0, 0]}
first = norms("attn_norm", "post_attention_norm")
ssd = {"ssm_a": (4, 1), "ssm_d": (4, 1), "ssm_dt.bias": (4,), "ssm_norm.weight": (1, 64), "ssm_out.weight": (WIDTH, 64), "ssm_conv1d.weight": (80, 4), "ssm_conv1d.bias": (80,), "ssm_in.weight": (148, WIDTH)}
scanned = {"attention.head_count_kv": [0, KV, 0], "ssm.conv_kernel": 4, "ssm.state_size": 8, "ssm.group_count": 1, "ssm.time_step_rank": 4, "ssm.inner_size": 64,
    "attention.scale": 0.2, "residual_scale": 0.5, "logit_scale": 2.0, "embedding_scale": 3.0}
cases |= {
 "qwen3next": ("qwen3next", first | many | part, 4, dict(turned=4, each=[state | {"ssm_ba.weight": (8, WIDTH)}, wide] * 2, keys=experts | sizes)),
 "qwen35": ("qwen35", first | gated, 4, dict(turned=4, each=[state | apart, wide] * 2, keys=sizes | turned)),
 "qwen35moe": ("qwen35moe", first | many | part, 4, dict(turned=4, each=[state | apart, wide] * 2, keys=experts | sizes | turned)),
 "granitehybrid": ("granitehybrid", both | gated, 3, dict(each=[ssd, attention, ssd], keys=scanned)),
 "granitehybrid-unturned": ("granitehybrid", both | gated, 3, dict(each=[ssd, attention, ssd], keys=scanned | {"rope.scaling.finetuned": False})),
}

turnedones = {"attn_output_norm.weight": (WIDTH,), "attn_output_norm.bias": (WIDTH,), "layer_output_norm.weight": (WIDTH,), "layer_output_norm.bias": (WIDTH,)}
seeing = {"attention.causal": False, "pooling_type": 0}
cases |= {
 "chatglm": ("chatglm", both | {"attn_qkv.weight": (q + 2 * k, WIDTH), "attn_qkv.bias": (q + 2 * k,), "attn_output.weight": (WIDTH, q)} | joined, 2, dict(turned=4)),
 "jina-bert-v2": ("jina-bert-v2", turnedones | evenly | biases | {"attn_k.bias": (q,), "attn_v.bias": (q,), "attn_output.bias": (WIDTH,)} | gated | {"ffn_down.bias": (WIDTH,)}, 2,
    dict(centred=True, tied=True, last=False, kv=HEADS, extra=norms("token_embd_norm", bias=True) | {"token_types.weight": (2, WIDTH)}, keys=seeing | {"/tokenizer.ggml.token_type_count": 2})),
 "nomic-bert-moe": ("nomic-bert-moe", turnedones | fused | fusedbias, 4, dict(centred=True, tied=True, last=False, kv=HEADS,
    extra=norms("token_embd_norm", bias=True) | {"token_types.weight": (1, WIDTH)},
    each=[plain | gelu, {"ffn_gate_inp.weight": (4, WIDTH), "ffn_up_exps.weight": (4, HIDDEN, WIDTH), "ffn_down_exps.weight": (4, WIDTH, HIDDEN)}] * 2,
    keys=seeing | {"expert_count": 4, "expert_used_count": 2, "moe_every_n_layers": 2, "/tokenizer.ggml.token_type_count": 1})),
 "llama-embed": ("llama-embed", both | attention | gated, 2, dict(tied=True, keys=seeing)),
 "eurobert": ("eurobert", both | attention | gated, 2, dict(tied=True, keys=seeing)),
}
scan = {"ssm_a": (4, 1), "ssm_d": (4, 1), "ssm_dt.bias": (4,), "ssm_norm.weight": (2, 32), "ssm_out.weight": (WIDTH, 64), "ssm_conv1d.weight": (96, 4), "ssm_conv1d.bias": (96,), "ssm_in.weight": (164, WIDTH)}
ungated = {n: s for n, s in (many | shared | ranked).items() if "_gate_exps" not in n and "_gate_shexp" not in n}
narrow = {"ffn_up_exps.weight": (4, 16, 12), "ffn_down_exps.weight": (4, 12, 16), "ffn_latent_down.weight": (12, WIDTH), "ffn_latent_up.weight": (WIDTH, 12)}
alone = {"attention.layer_norm_epsilon": 1e-5, "attention.head_count_kv": [0, 0, KV, 0], "ssm.conv_kernel": 4, "ssm.state_size": 8, "ssm.group_count": 2, "ssm.time_step_rank": 4, "ssm.inner_size": 64}
routed = alone | chosen | {"expert_shared_feed_forward_length": 16, "expert_shared_count": 1, "expert_weights_norm": True, "expert_weights_scale": 2.5, "expert_gating_func": 2}
cases |= {
 "nemotron_h": ("nemotron_h", norms("attn_norm"), 4, dict(hidden=[0, HIDDEN, 0, HIDDEN], each=[scan, plain, attention, plain], keys=alone)),
 "nemotron_h_moe": ("nemotron_h_moe", norms("attn_norm"), 4, dict(hidden=[0, 16, 0, 16], each=[scan, ungated, attention, ungated], keys=routed)),
 "nemotron_h_moe-narrow": ("nemotron_h_moe", norms("attn_norm"), 4, dict(hidden=[0, 16, 0, 16], each=[scan, ungated | narrow, attention, ungated | narrow], keys=routed | {"moe_latent_size": 12})),
}
def seeing_all(kv, own=True): # the weights of attention in a layer without a window, whose heads are twice as wide
    keys = {"attn_k.weight": (kv * 2 * HEAD, WIDTH), "attn_k_norm.weight": (2 * HEAD,)}
    return {"attn_q.weight": (2 * q, WIDTH), "attn_output.weight": (WIDTH, 2 * q), "attn_q_norm.weight": (2 * HEAD,)} | (keys if own else {})
def sharing(layer): return {n: s for n, s in layer.items() if "attn_k" not in n and "attn_v" not in n}
local, valued = attention | alike, {"attn_v.weight": (KV * 2 * HEAD, WIDTH)}
four = {"attention.key_length": 16, "attention.value_length": 16, "attention.key_length_swa": HEAD, "attention.value_length_swa": HEAD, "attention.sliding_window": 6,
    "rope.dimension_count_swa": HEAD, "rope.freq_base": 1e6, "rope.freq_base_swa": 1e4, "attention.sliding_window_pattern": [True, True, False], "attention.shared_kv_layers": 0,
    "embedding_length_per_layer_input": 0}
gemma4 = norms("attn_norm", "ffn_norm", "post_attention_norm", "post_ffw_norm") | {"layer_output_scale.weight": (1,)}
layered = {"inp_gate.weight": (12, WIDTH), "proj.weight": (WIDTH, 12), "post_norm.weight": (WIDTH,)}
wide = {"ffn_gate.weight": (2 * HIDDEN, WIDTH), "ffn_up.weight": (2 * HIDDEN, WIDTH), "ffn_down.weight": (WIDTH, 2 * HIDDEN)}
besides = norms("pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2") | {"ffn_gate_inp.weight": (4, WIDTH), "ffn_gate_inp.scale": (WIDTH,),
    "ffn_gate_up_exps.weight": (4, 32, WIDTH), "ffn_down_exps.weight": (4, WIDTH, 16), "ffn_down_exps.scale": (4,)}
freqs = {"rope_freqs.weight": (HEAD,)}
whole4 = seeing_all(KV) | valued
cases |= {
 "gemma4": ("gemma4", gemma4 | gated, 3, dict(turned=16, tied=True, extra=freqs, each=[local, local, seeing_all(1)], keys=four | {"attention.head_count_kv": [KV, KV, 1],
    "final_logit_softcapping": 3.0})),
 "gemma4-layers": ("gemma4", gemma4 | layered, 6, dict(turned=16, tied=True, hidden=[HIDDEN] * 3 + [2 * HIDDEN] * 3, each=[l | gated for l in [local, local, whole4]] +
    [sharing(l) | wide for l in [local, local, whole4]], extra=freqs | {"per_layer_token_embd.weight": (VOCABULARY, 72), "per_layer_model_proj.weight": (72, WIDTH),
    "per_layer_proj_norm.weight": (12,)}, keys=four | {"attention.sliding_window_pattern": [True, True, False] * 2, "attention.shared_kv_layers": 3,
    "embedding_length_per_layer_input": 12})),
 "gemma4-experts": ("gemma4", gemma4 | gated | besides, 3, dict(turned=16, tied=True, extra=freqs, each=[local, local, whole4], keys=four | chosen)),
}
both_weights = {"blk.1.attn_q": (q, WIDTH), "blk.0.ffn_down": (WIDTH, HIDDEN), "output": (VOCABULARY, WIDTH)}
scored = chosen | {"leading_dense_block_count": 1, "expert_shared_feed_forward_length": 16, "expert_shared_count": 1, "expert_weights_norm": True, "expert_weights_scale": 2.5, "expert_gating_func": 2}
lean = {"attn_q_a.weight": (12, WIDTH), "attn_q_a_norm.weight": (12,), "attn_q_b.weight": (HEADS * 12, 12), "attn_kv_a_mqa.weight": (20, WIDTH), "attn_kv_a_norm.weight": (16,),
    "attn_output.weight": (WIDTH, HEADS * 12)}
split = both | lean | {"attn_k_b.weight": (HEADS, 16, 8), "attn_v_b.weight": (HEADS, 12, 16)} # of attn_kv_b
tempered = scored | {"attention.key_length": 20, "attention.value_length": 16, "attention.key_length_mla": 12, "attention.value_length_mla": 12, "attention.q_lora_rank": 12,
    "attention.kv_lora_rank": 16, "expert_gating_func": 1, "attention.temperature_scale": 0.5, "attention.temperature_length": 4}
leaned = {"attention.key_length": 12, "attention.value_length": 12, "attention.q_lora_rank": 12, "attention.kv_lora_rank": 16}
cases |= {
 "qwen": ("qwen", both | {"attn_qkv.weight": (3 * q, WIDTH), "attn_qkv.bias": (3 * q,), "attn_output.weight": (WIDTH, q)} | gated, 2, dict(hidden=2 * HIDDEN, kv=HEADS)),
 "baichuan": ("baichuan", both | attention | gated, 32, {}), # llama.cpp knows the two models by their layers
 "baichuan-slopes": ("baichuan", both | attention | gated, 40, {}),
 "minicpm3": ("minicpm3", both | lean | {"attn_kv_b.weight": (HEADS * 20, 16)} | gated, 2, dict(turned=4, kv=HEADS, keys=leaned)),
 "bailingmoe": ("bailingmoe", both | attention | many | shared, 2, dict(keys=chosen | {"expert_shared_count": 1, "expert_weights_scale": 1.0, "leading_dense_block_count": 0, "expert_weights_norm": True})),
 "bailingmoe2": ("bailingmoe2", both | {"attn_qkv.weight": (q + 2 * k, WIDTH), "attn_output.weight": (WIDTH, q)} | alike, 2, dict(turned=4, first=gated, rest=many | shared | ranked, keys=scored)),
 "afmoe": ("afmoe", both | behind | attention | alike | {"attn_gate.weight": (q, WIDTH)}, 4, dict(first=gated, rest=many | shared | ranked, keys=scored | {"attention.sliding_window": 6})),
 "exaone-moe": ("exaone-moe", both | attention | alike, 4, dict(first=gated, rest=many | shared | ranked, keys=scored | {"attention.sliding_window": 6})),
 "hy_v3": ("hy_v3", both | attention | alike, 2, dict(first=gated, rest=many | shared | {"exp_probs_b": (4,)}, keys=scored)),
 "granite_swa": ("granite_swa", both | attention | {"attn_sinks.weight": (HEADS,)} | gated, 4, dict(keys={"attention.sliding_window": 6, "attention.sliding_window_pattern": [False, True, True, False],
    "embedding_scale": 3.0, "residual_scale": 0.5, "attention.scale": 0.2, "logit_scale": 2.0})),
 "mistral4": ("mistral4", split, 2, dict(turned=4, kv=1, first=gated, rest=many | shared, keys=tempered)),
 "mistral4-yarn": ("mistral4", split, 2, dict(turned=4, kv=1, first=gated, rest=many | shared, keys=tempered | {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
    "rope.scaling.original_context_length": 16, "rope.scaling.yarn_log_multiplier": 0.1})),
 "cohere2moe": ("cohere2moe", norms("attn_norm") | attention, 4, dict(centred=True, tied=True, first=gated, rest=many | shared,
    keys=scored | {"logit_scale": 0.25, "attention.sliding_window": 6, "attention.sliding_window_pattern": [False, True, True, False]})),
}
windowed = {"attention.sliding_window": 6}
fusedheads = {"attn_qkv.weight": (q + 2 * k, WIDTH), "attn_output.weight": (WIDTH, q)}
cases |= {
 "jina-bert-v3": ("jina-bert-v3", turnedones | fused | fusedbias | plain | gelu, 2, dict(centred=True, tied=True, last=False, kv=HEADS,
    extra=norms("token_embd_norm", bias=True) | {"token_types.weight": (1, WIDTH)}, keys=seeing | {"/tokenizer.ggml.token_type_count": 1})),
 "neo-bert": ("neo-bert", both | fused | joined, 2, dict(tied=True, last=False, kv=HEADS, extra=norms("enc.output_norm"), keys=seeing)),
 "refact": ("refact", both | attention | gated, 2, {}),
 "codeshell": ("codeshell", biased | attention | biases | {"attn_output.bias": (WIDTH,)} | plain | gelu, 2, dict(centred=True, bias=True)),
 "jais": ("jais", biased | fused | fusedbias | gated | gelu | {"ffn_gate.bias": (HIDDEN,)}, 2, dict(centred=True, bias=True, kv=HEADS, keys={"attention.max_alibi_bias": 8.0})),
 "plamo": ("plamo", norms("attn_norm") | attention | gated, 2, {}),
 "plamo3": ("plamo3", both | {n[:-7]: s for n, s in behind.items()} | fusedheads | alike | joined, 8, dict(keys=windowed | {"rope.freq_base_swa": 300.0})),
 "maincoder": ("maincoder", both | attention | alike | gated, 2, {}),
 "hunyuan_vl": ("hunyuan_vl", both | attention | alike | gated, 2, dict(like="hunyuan-dense", keys={"rope.dimension_sections": [1, 1, 2, 0]})),
 "paddleocr": ("paddleocr", both | attention | biases | gated, 2, dict(like="qwen2", keys={"rope.dimension_sections": [1, 1, 2, 0]})),
 "pangu-embedded": ("pangu-embedded", both | attention | biases | {"attn_output.bias": (WIDTH,)} | gated, 2, {}),
 "plm": ("plm", both | {n: s for n, s in lean.items() if "_q_" not in n} | {"attn_q.weight": (HEADS * 12, WIDTH), "attn_kv_b.weight": (HEADS * 20, 16)} | plain, 2,
    dict(turned=4, tied=True, kv=HEADS, keys={"attention.key_length": 12, "attention.value_length": 12, "attention.kv_lora_rank": 16})),
 "spark2_5": ("spark2_5", both | fusedheads | {"attn_gate.weight": (HEADS, WIDTH)} | gated, 4, dict(keys=windowed | {"attention.sliding_window_pattern": [False, True, True, False],
    "rope.freq_base_swa": 300.0})),
 "mellum": ("mellum", both | attention | alike | many, 4, dict(keys=chosen | windowed | {"rope.freq_base_swa": 300.0})),
 "maple": ("maple", both | attention | alike | many, 4, dict(keys=chosen | windowed | {"attention.sliding_window_pattern": [False, True, True, False],
    "swiglu_clamp_exp": [0.3] * 4})),
 "maion-coder": ("maion-coder", both | behind | attention | alike, 4, dict(each=[gated, many | {"ffn_gate_exps.weight": (4, 16, 12)} | narrow] * 2,
    keys=chosen | windowed | {"attention.sliding_window_pattern": [False, True, True, False], "interleave_moe_layer_step": 2, "moe_latent_size": 12})),
 "dbrx": ("dbrx", norms("attn_norm", "attn_output_norm") | fusedheads | many, 2, dict(centred=True, hidden=16, keys={"expert_count": 4, "expert_used_count": 2,
    "attention.clamp_kqv": 0.5})),
 "arctic": ("arctic", norms("attn_norm", "ffn_norm", "ffn_norm_exps") | attention | {n: (WIDTH, WIDTH) for n in gated} | many, 2, dict(hidden=16,
    keys={"expert_count": 4, "expert_used_count": 2})),
 "smallthinker": ("smallthinker", both | attention | many, 5, dict(keys=chosen | {"expert_gating_func": 2, "attention.sliding_window": 4096})), # which llama.cpp takes in any case
 "smallthinker-whole": ("smallthinker", both | attention | many, 2, dict(keys=chosen | {"expert_gating_func": 1})),
 "grok": ("grok", norms("attn_norm", "attn_output_norm", "ffn_norm", "layer_output_norm") | attention | many, 2, dict(keys=chosen)),
 "grok-beside": ("grok", norms("attn_norm", "attn_output_norm", "ffn_norm") | norms("post_ffw_norm") | attention | gated | many, 2, dict(keys=chosen | {"embedding_scale": 3.0,
    "logit_scale": 0.25, "attention.output_scale": 0.5, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0})),
}
cases |= { # with adapters
 "llama-adapter": ("llama", both | attention | gated, 2, dict(adapter=dict(weights=both_weights, rank=4, alpha=6.0))),
 "gptneox-adapter": ("gptneox", biased | fused | fusedbias | plain | gelu, 2, dict(centred=True, bias=True, kv=HEADS, turned=4, keys={"use_parallel_residual": True},
    adapter=dict(weights={"blk.0.attn_qkv": (3 * q, WIDTH), "blk.1.ffn_up": (HIDDEN, WIDTH)}, rank=2, half=True))),
 "granitehybrid-adapter": ("granitehybrid", both | gated, 3, dict(each=[ssd, attention, ssd], keys=scanned,
    adapter=dict(weights={"blk.0.ssm_in": (148, WIDTH), "blk.2.ssm_out": (WIDTH, 64), "blk.1.attn_v": (k, WIDTH)}, rank=2, alpha=3.0))),
}

# What the first layer and the rest have beside the weights of all layers, and keys without the name of the architecture, which begin with a slash.
def write(path, arch, layer, layers, bias=False, tied=False, centred=False, turned=HEAD, hidden=HIDDEN, kv=KV, first={}, rest={}, each=[], last=True, extra={}, keys={}):
    w = gguf.GGUFWriter(path, arch)
    w.add_context_length(64); w.add_embedding_length(WIDTH); w.add_block_count(layers); w.add_feed_forward_length(hidden)
    w.add_head_count(HEADS)
    if "attention.head_count_kv" not in keys: w.add_head_count_kv(kv)
    if "rope.freq_base" not in keys: w.add_rope_freq_base(1e4)
    w.add_rope_dimension_count(turned)
    (w.add_layer_norm_eps if centred else w.add_layer_norm_rms_eps)(1e-5)
    for key, v in keys.items():
        add = {bool: w.add_bool, int: w.add_uint32, float: w.add_float32, str: w.add_string, list: w.add_array}[type(v)]
        add(key[1:] if key[0] == "/" else f"{arch}.{key}", v)
    w.add_tokenizer_model("llama")
    w.add_token_list(["<unk>", "<s>", "</s>"] + ["\u2581w%d" % i for i in range(3, VOCABULARY)])
    w.add_token_scores([0.0] * VOCABULARY); w.add_token_types([2, 3, 3] + [1] * (VOCABULARY - 3))
    w.add_bos_token_id(1); w.add_eos_token_id(2); w.add_unk_token_id(0)
    tensors = {"token_embd.weight": (VOCABULARY, WIDTH)} | (norms("output_norm", bias=bias) if last else {}) | extra | ({} if tied else {"output.weight": (VOCABULARY, WIDTH)})
    tensors |= {f"blk.{i}.{n}": s for i in range(layers) for n, s in (layer | (rest if i else first) | (each[i] if each else {})).items()}
    for n, s in tensors.items(): w.add_tensor(n, formula(n, s))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    return parts(path, tensors)

def parts(path, tensors): # what is in front of the weights, and their names and shapes
    start = int(gguf.GGUFReader(path).data_offset)
    return {"header": base64.b64encode(open(path, "rb").read(start)).decode(), "tensors": [[n, list(s)] for n, s in tensors.items()]}

def write_adapter(path, arch, weights, rank, alpha=None, half=False): # as llama.cpp's convert_lora_to_gguf.py writes it
    w = gguf.GGUFWriter(path, arch)
    w.add_type("adapter"); w.add_string("adapter.type", "lora")
    if alpha: w.add_float32("adapter.lora.alpha", alpha)
    tensors = {}
    for n, s in weights.items(): tensors |= {n + ".weight.lora_a": (rank, s[1]), n + ".weight.lora_b": (s[0], rank)}
    for n, s in tensors.items(): w.add_tensor(n, formula(n, s).astype(np.float16 if half else np.float32))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    return parts(path, tensors) | {"half": half}

def ask(port, tokens):
    body = json.dumps({"prompt": tokens, "n_predict": 1, "n_probs": VOCABULARY, "cache_prompt": False, "temperature": 0}).encode()
    r = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/completion", body, {"Content-Type": "application/json"}))
    row = [0.0] * VOCABULARY
    for t in json.load(r)["completion_probabilities"][0]["top_logprobs"]: row[t["id"]] = float("%.6g" % t["logprob"])
    return row

def rows_of(port, tokens, rows, pooled): # of the last layer, or the vector of length 1 for all
    body = json.dumps({"content": tokens, "embd_normalize": 2 if pooled else -1}).encode()
    r = json.load(urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/embedding", body, {"Content-Type": "application/json"})))
    return [[float("%.6g" % x) for x in r[0]["embedding"][0 if pooled else i]] for i in rows]

only = sys.argv[2:]
tokens, rows, out = [1, 17, 5, 44, 23, 9, 60, 31, 31, 12, 50, 3], [3, 11], {}
for port, (name, (arch, layer, layers, more)) in enumerate(cases.items(), 18200):
    if only and name not in only: continue
    like = more.pop("like", arch) # whose scores are the same, where llama.cpp computes those of the architecture less exactly
    path = os.path.join(sys.argv[1], name + ".gguf")
    adapter, change = more.pop("adapter", None), {}
    model = write(path, arch, layer, layers, **more)
    if adapter: change = {"adapter": write_adapter(path + ".lora", arch, **adapter)}
    if like != arch: write(path, like, layer, layers, **more)
    seen = arch in ("gemma-embedding", "modern-bert", "jina-bert-v2", "nomic-bert-moe", "eurobert", "llama-embed", "jina-bert-v3", "neo-bert") # every token by every other one
    server = subprocess.Popen(["llama-server", "-m", path, "--port", str(port), "-c", "64", "-np", "1", "-ctk", "f32", "-ctv", "f32", "-fa", "off"] + (["--lora", path + ".lora"] if adapter else [])
                              + (["--embeddings", "--pooling", "mean" if "dense" in name else "none"] if seen else []),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try: urllib.request.urlopen(f"http://127.0.0.1:{port}/health"); break
        except OSError: time.sleep(0.1)
    try: out[name] = model | change | {"tokens": tokens, "rows": rows, "values": rows_of(port, tokens, rows, "dense" in name) if seen else [ask(port, tokens[:r + 1]) for r in rows]}
    except Exception as e: print(name, "FAILED", e, file=sys.stderr)
    server.kill()
    server.wait()
json.dump(out, sys.stdout, separators=(",", ":"))
