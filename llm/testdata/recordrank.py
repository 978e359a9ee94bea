# recordrank.py DIRECTORY > rank.json: small models with heads that score pairs of texts, in GGUF, with what llama.cpp's llama-server, which must be
# on the path, answers at /v1/rerank. What is in front of the weights is recorded; these follow from the formula of recordgguf.py.
import base64, json, os, subprocess, sys, time, urllib.request, zlib
import numpy as np, gguf

WIDTH, HEADS, HIDDEN, LAYERS = 32, 4, 48, 2
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [p + c for p in ("\u2581", "") for c in "abcdefghijklmnopqrstuvwxyz"]

def formula(name, shape):
    v = (np.arange(int(np.prod(shape)), dtype=np.uint64) + zlib.crc32(name.encode())).astype(np.uint32)
    v ^= v >> np.uint32(16); v *= np.uint32(0x7feb352d); v ^= v >> np.uint32(15); v *= np.uint32(0x846ca68b); v ^= v >> np.uint32(16)
    w = (v >> np.uint32(8)).astype(np.float64) / 2**24 - 0.5
    w = w * (4 / np.sqrt(shape[-1])) if len(shape) > 1 else w + (1 if "norm" in name.lower() or "ln_" in name else 0)
    return w.astype(np.float32).reshape(shape)

def record(name, port, head, arch="bert"):
    path = os.path.join(sys.argv[1], name + ".gguf")
    w = gguf.GGUFWriter(path, arch)
    w.add_context_length(64); w.add_embedding_length(WIDTH); w.add_block_count(LAYERS); w.add_feed_forward_length(HIDDEN); w.add_head_count(HEADS)
    causal = arch == "qwen3"
    (w.add_layer_norm_rms_eps if causal else w.add_layer_norm_eps)(1e-6 if causal else 1e-12)
    if not causal: w.add_causal_attention(False)
    w.add_pooling_type(gguf.PoolingType.RANK)
    if arch == "modern-bert": w.add_sliding_window(6); w.add_rope_freq_base_swa(300.0); w.add_uint32(arch + ".attention.sliding_window_pattern", 3)
    if causal: w.add_head_count_kv(HEADS); w.add_chat_template([{"name": "rerank", "template": "a {query} b{document} c\n"}]); w.add_classifier_output_labels(["yes", "no"])
    w.add_tokenizer_model("bert"); w.add_token_list(WORDS); w.add_token_types([3] * 5 + [1] * (len(WORDS) - 5))
    w.add_token_type_count(2)
    for add, i in ((w.add_pad_token_id, 0), (w.add_unk_token_id, 1), (w.add_bos_token_id, 2), (w.add_sep_token_id, 3), (w.add_eos_token_id, 3), (w.add_mask_token_id, 4)): add(i)
    square, tensors = (WIDTH, WIDTH), {"token_embd.weight": (len(WORDS), WIDTH)}
    if arch == "bert": tensors |= {"position_embd.weight": (64, WIDTH), "token_types.weight": (2, WIDTH)}
    def both(n, weight): tensors.update({n + ".weight": weight, n + ".bias": weight[:1]})
    if arch == "bert": both("token_embd_norm", (WIDTH,))
    if arch == "modern-bert": tensors |= {"token_embd_norm.weight": (WIDTH,), "output_norm.weight": (WIDTH,)}
    if causal: tensors["output_norm.weight"] = (WIDTH,)
    for i in range(LAYERS):
        if arch == "modern-bert":
            tensors |= {f"blk.{i}.{n}.weight": s for n, s in (("attn_qkv", (3 * WIDTH, WIDTH)), ("attn_output", square), ("ffn_norm", (WIDTH,)), ("ffn_up", (2 * HIDDEN, WIDTH)),
                ("ffn_down", (WIDTH, HIDDEN)))} | ({f"blk.{i}.attn_norm.weight": (WIDTH,)} if i else {})
            continue
        if causal:
            tensors |= {f"blk.{i}.{n}.weight": s for n, s in (("attn_q", square), ("attn_k", square), ("attn_v", square), ("attn_output", square), ("attn_norm", (WIDTH,)),
                ("ffn_norm", (WIDTH,)), ("attn_q_norm", (8,)), ("attn_k_norm", (8,)), ("ffn_gate", (HIDDEN, WIDTH)), ("ffn_up", (HIDDEN, WIDTH)), ("ffn_down", (WIDTH, HIDDEN)))}
            continue
        for n in ("attn_q", "attn_k", "attn_v", "attn_output"): both(f"blk.{i}.{n}", square)
        both(f"blk.{i}.attn_output_norm", (WIDTH,)); both(f"blk.{i}.layer_output_norm", (WIDTH,))
        both(f"blk.{i}.ffn_up", (HIDDEN, WIDTH)); both(f"blk.{i}.ffn_down", (WIDTH, HIDDEN))
    for n, s in head.items(): both(n, s) if "." not in n.replace("cls.output", "") and arch == "bert" else tensors.update({n + ".weight": s})
    for n, s in tensors.items(): w.add_tensor(n, formula(n, s))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    start = int(gguf.GGUFReader(path).data_offset)
    server = subprocess.Popen(["llama-server", "-m", path, "--port", str(port), "--reranking", "-c", "64", "-np", "1", "-fa", "off"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try: urllib.request.urlopen(f"http://127.0.0.1:{port}/health"); break
        except OSError: time.sleep(0.1)
    q = {"query": "ab cd", "documents": ["ef", "cd ab", "xyz a b", "ab cd", "q"]}
    r = json.load(urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/v1/rerank", json.dumps(q).encode(), {"Content-Type": "application/json"})))
    print(r, file=sys.stderr)
    server.kill(); server.wait()
    return {"header": base64.b64encode(open(path, "rb").read(start)).decode(), "tensors": [[n, list(s)] for n, s in tensors.items()], **q,
            "tokens": r["usage"]["total_tokens"], "scores": [x["relevance_score"] for x in sorted(r["results"], key=lambda x: x["index"])]}

json.dump({"two": record("two", 18390, {"cls": (WIDTH, WIDTH), "cls.output": (1, WIDTH)}), "one": record("one", 18391, {"cls.output": (1, WIDTH)}),
    "modern": record("modern", 18392, {"cls": (WIDTH, WIDTH), "cls.norm": (WIDTH,), "cls.output": (1, WIDTH)}, "modern-bert"),
    "causal": record("causal", 18393, {"cls.output": (2, WIDTH)}, "qwen3")}, sys.stdout, separators=(",", ":"))
