# recordrank.py DIRECTORY > rank.json: a small BERT with a head that scores pairs of texts, in GGUF, with what llama.cpp's llama-server, which must be
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

def record(name, port, head):
    path = os.path.join(sys.argv[1], name + ".gguf")
    w = gguf.GGUFWriter(path, "bert")
    w.add_context_length(64); w.add_embedding_length(WIDTH); w.add_block_count(LAYERS); w.add_feed_forward_length(HIDDEN); w.add_head_count(HEADS)
    w.add_layer_norm_eps(1e-12); w.add_causal_attention(False); w.add_pooling_type(gguf.PoolingType.RANK)
    w.add_tokenizer_model("bert"); w.add_token_list(WORDS); w.add_token_types([3] * 5 + [1] * (len(WORDS) - 5))
    w.add_token_type_count(2)
    for add, i in ((w.add_pad_token_id, 0), (w.add_unk_token_id, 1), (w.add_bos_token_id, 2), (w.add_sep_token_id, 3), (w.add_eos_token_id, 3), (w.add_mask_token_id, 4)): add(i)
    square, tensors = (WIDTH, WIDTH), {"token_embd.weight": (len(WORDS), WIDTH), "position_embd.weight": (64, WIDTH), "token_types.weight": (2, WIDTH)}
    def both(n, weight): tensors.update({n + ".weight": weight, n + ".bias": weight[:1]})
    both("token_embd_norm", (WIDTH,))
    for i in range(LAYERS):
        for n in ("attn_q", "attn_k", "attn_v", "attn_output"): both(f"blk.{i}.{n}", square)
        both(f"blk.{i}.attn_output_norm", (WIDTH,)); both(f"blk.{i}.layer_output_norm", (WIDTH,))
        both(f"blk.{i}.ffn_up", (HIDDEN, WIDTH)); both(f"blk.{i}.ffn_down", (WIDTH, HIDDEN))
    for n, s in head.items(): both(n, s)
    for n, s in tensors.items(): w.add_tensor(n, formula(n, s))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    start = int(gguf.GGUFReader(path).data_offset)
    server = subprocess.Popen(["llama-server", "-m", path, "--port", str(port), "--reranking", "-c", "64", "-np", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try: urllib.request.urlopen(f"http://127.0.0.1:{port}/health"); break
        except OSError: time.sleep(0.1)
    q = {"query": "ab cd", "documents": ["ef", "cd ab", "xyz a b", "ab cd", "q"]}
    r = json.load(urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/v1/rerank", json.dumps(q).encode(), {"Content-Type": "application/json"})))
    print(r, file=sys.stderr)
    server.kill(); server.wait()
    return {"header": base64.b64encode(open(path, "rb").read(start)).decode(), "tensors": [[n, list(s)] for n, s in tensors.items()], **q,
            "tokens": r["usage"]["total_tokens"], "scores": [x["relevance_score"] for x in sorted(r["results"], key=lambda x: x["index"])]}

json.dump({"two": record("two", 18390, {"cls": (WIDTH, WIDTH), "cls.output": (1, WIDTH)}), "one": record("one", 18391, {"cls.output": (1, WIDTH)})}, sys.stdout, separators=(",", ":"))
