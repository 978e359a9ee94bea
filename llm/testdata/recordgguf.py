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
 "seed_oss": ("seed_oss", norms("attn_norm", "post_attention_norm") | attention | biases | gated, 2, {}),
}

def write(path, arch, layer, layers, bias=False, tied=False, centred=False, turned=HEAD, keys={}):
    w = gguf.GGUFWriter(path, arch)
    w.add_context_length(64); w.add_embedding_length(WIDTH); w.add_block_count(layers); w.add_feed_forward_length(HIDDEN)
    w.add_head_count(HEADS); w.add_head_count_kv(KV); w.add_rope_freq_base(1e4); w.add_rope_dimension_count(turned)
    (w.add_layer_norm_eps if centred else w.add_layer_norm_rms_eps)(1e-5)
    for key, v in keys.items():
        add = {bool: w.add_bool, int: w.add_uint32, float: w.add_float32, str: w.add_string}[type(v)]
        add(f"{arch}.{key}", v)
    w.add_tokenizer_model("llama")
    w.add_token_list(["<unk>", "<s>", "</s>"] + ["\u2581w%d" % i for i in range(3, VOCABULARY)])
    w.add_token_scores([0.0] * VOCABULARY); w.add_token_types([2, 3, 3] + [1] * (VOCABULARY - 3))
    w.add_bos_token_id(1); w.add_eos_token_id(2); w.add_unk_token_id(0)
    tensors = {"token_embd.weight": (VOCABULARY, WIDTH)} | norms("output_norm", bias=bias) | ({} if tied else {"output.weight": (VOCABULARY, WIDTH)})
    tensors |= {f"blk.{i}.{n}": s for i in range(layers) for n, s in layer.items()}
    for n, s in tensors.items(): w.add_tensor(n, formula(n, s))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    start = int(gguf.GGUFReader(path).data_offset)
    return base64.b64encode(open(path, "rb").read(start)).decode(), [[n, list(s)] for n, s in tensors.items()]

def ask(port, tokens):
    body = json.dumps({"prompt": tokens, "n_predict": 1, "n_probs": VOCABULARY, "cache_prompt": False, "temperature": 0}).encode()
    r = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/completion", body, {"Content-Type": "application/json"}))
    row = [0.0] * VOCABULARY
    for t in json.load(r)["completion_probabilities"][0]["top_logprobs"]: row[t["id"]] = float("%.6g" % t["logprob"])
    return row

tokens, rows, out = [1, 17, 5, 44, 23, 9, 60, 31, 31, 12, 50, 3], [3, 11], {}
for port, (name, (arch, layer, layers, more)) in enumerate(cases.items(), 18200):
    path = os.path.join(sys.argv[1], name + ".gguf")
    header, tensors = write(path, arch, layer, layers, **more)
    server = subprocess.Popen(["llama-server", "-m", path, "--port", str(port), "-c", "64", "-np", "1", "-ctk", "f32", "-ctv", "f32", "-fa", "off"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try: urllib.request.urlopen(f"http://127.0.0.1:{port}/health"); break
        except OSError: time.sleep(0.1)
    try: out[name] = {"header": header, "tensors": tensors, "tokens": tokens, "rows": rows, "values": [ask(port, tokens[:r + 1]) for r in rows]}
    except Exception as e: print(name, "FAILED", e, file=sys.stderr)
    server.kill()
    server.wait()
json.dump(out, sys.stdout, separators=(",", ":"))
