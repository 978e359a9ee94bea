# samplers.py MODEL.gguf > samplers.json: what llama.cpp's samplers leave of random scores, with their probabilities. The model is that of
# llmtest.WriteGGUF(path, llmtest.Small), whose tokens the breakers of DRY are made of.
import ctypes as c, json, math, random, sys
L = c.CDLL("libllama.so.0")
class Data(c.Structure): _fields_ = [("id", c.c_int32), ("logit", c.c_float), ("p", c.c_float)]
class Array(c.Structure): _fields_ = [("data", c.POINTER(Data)), ("size", c.c_size_t), ("selected", c.c_int64), ("sorted", c.c_bool)]
class Params(c.Structure): _fields_ = [("bytes", c.c_char * 512)] # more than the structure has
for name in "libggml.so.0", "libggml-base.so.0": # which of them has it depends on the version
    G = c.CDLL(name)
    if hasattr(G, "ggml_backend_load_all"):
        G.ggml_backend_load_all()
        break
L.llama_model_default_params.restype = Params
L.llama_model_load_from_file.argtypes, L.llama_model_load_from_file.restype = [c.c_char_p, Params], c.c_void_p
L.llama_model_get_vocab.argtypes, L.llama_model_get_vocab.restype = [c.c_void_p], c.c_void_p
L.llama_sampler_apply.argtypes = [c.c_void_p, c.POINTER(Array)]
L.llama_sampler_accept.argtypes = [c.c_void_p, c.c_int32]
f, i, u, z = c.c_float, c.c_int32, c.c_uint32, c.c_size_t
def sampler(name, types, *args):
    init = getattr(L, "llama_sampler_init_" + name)
    init.argtypes, init.restype = types, c.c_void_p
    return init(*args)
vocab = L.llama_model_get_vocab(L.llama_model_load_from_file(sys.argv[1].encode(), L.llama_model_default_params()))
TOKENS = 320

def run(scores, seen, s):
    data = (Data * TOKENS)(*[Data(t, v, 0) for t, v in enumerate(scores)])
    a = Array(data, TOKENS, -1, False)
    chain = []
    if "mirostat" in s:
        chain = [sampler("temp", [f], s["temperature"])]
        if s["mirostat"] == 1: chain.append(sampler("mirostat", [i, u, f, f, i], TOKENS, 1, s["mirostat_tau"], s["mirostat_eta"], 100))
        else: chain.append(sampler("mirostat_v2", [u, f, f], 1, s["mirostat_tau"], s["mirostat_eta"]))
    else:
        texts = [t.encode() for t in s.get("dry_sequence_breakers", ["\n", ":", "\"", "*"])]
        chain = [sampler("penalties", [c.c_void_p, i, f, f, f], vocab, len(seen) if s.get("repeat_last_n") == -1 else s.get("repeat_last_n", 64), s.get("repeat_penalty", 1.0), s.get("frequency_penalty", 0.0), s.get("presence_penalty", 0.0)),
                 sampler("dry", [c.c_void_p, f, f, i, i, c.POINTER(c.c_char_p), z], vocab, s.get("dry_multiplier", 0.0), s.get("dry_base", 1.75), s.get("dry_allowed_length", 2), len(seen) if s.get("dry_penalty_last_n") == -1 else s.get("dry_penalty_last_n", 64), (c.c_char_p * len(texts))(*texts), len(texts)),
                 sampler("top_n_sigma", [f], s.get("top_n_sigma", -1.0)), sampler("top_k", [i], s.get("top_k", 0)),
                 sampler("typical", [f, z], s.get("typical_p", 1.0), 0), sampler("top_p", [f, z], s.get("top_p", 1.0), 0),
                 sampler("min_p", [f, z], s.get("min_p", 0.0), 0),
                 sampler("xtc", [f, f, z, u], s.get("xtc_probability", 0.0), s.get("xtc_threshold", 0.1), 0, 1),
                 sampler("temp_ext", [f, f, f], s["temperature"], s.get("dynatemp_range", 0.0), s.get("dynatemp_exponent", 1.0))]
    for one in chain:
        for t in seen: L.llama_sampler_accept(one, t)
        L.llama_sampler_apply(one, c.byref(a))
    left = {a.data[k].id: a.data[k].logit for k in range(a.size) if a.data[k].logit > -math.inf}
    most = max(left.values())
    whole = sum(math.exp(v - most) for v in left.values())
    return {str(t): round(math.exp(v - most) / whole, 6) for t, v in left.items()}

r = random.Random(5)
options = {"top_k": lambda: r.choice([1, 5, 40]), "typical_p": lambda: r.choice([0.3, 0.9]), "top_p": lambda: r.choice([0.5, 0.95]), "min_p": lambda: r.choice([0.05, 0.3]),
           "top_n_sigma": lambda: r.choice([0.5, 1.0, 2.0]), "xtc_probability": lambda: 1.0, "dynatemp_range": lambda: r.choice([0.3, 1.5]), "repeat_penalty": lambda: r.choice([1.1, 1.5]),
           "frequency_penalty": lambda: r.choice([-0.5, 0.5]), "presence_penalty": lambda: r.choice([-0.5, 0.5]), "dry_multiplier": lambda: r.choice([0.5, 2.0])}
more = {"xtc_probability": ("xtc_threshold", [0.02, 0.1]), "dynatemp_range": ("dynatemp_exponent", [1.0, 2.5]), "repeat_penalty": ("repeat_last_n", [-1, 8, 64])}
words = lambda text: [ord(ch) - ord("a") + 259 if ch.isalpha() else ord(ch) + 3 for ch in text] # letters are tokens behind those of bytes
cases = []
def case(s):
    text = "".join(r.choice("ab\n:c*" if r.random() < 0.2 else "abc") for _ in range(r.choice([3, 30, 90])))
    seen, wide = words(text), r.choice([1, 3])
    scores = [round(r.gauss(0, wide), 4) for _ in range(TOKENS)]
    s = {"temperature": r.choice([0.5, 1.0, 1.5]), **s}
    cases.append({"sampling": s, "seen": seen, "scores": scores, "left": run(scores, seen, s)})
for name in options:
    for _ in range(2):
        s = {name: options[name]()}
        if name in more: s[more[name][0]] = r.choice(more[name][1])
        case(s)
for k in range(16):
    s = {}
    for name in r.sample(sorted(options), 4):
        if name in ("typical_p", "dynatemp_range") and "top_n_sigma" in s or name == "top_n_sigma" and ("typical_p" in s or "dynatemp_range" in s):
            continue # llama.cpp counts the tokens that top_n_sigma has left out
        s[name] = options[name]()
        if name in more: s[more[name][0]] = r.choice(more[name][1])
    case(s)
for base, allowed, last, breakers in [(1.75, 2, 64, None), (1.2, 1, 16, ["\n"]), (1.0, 3, -1, ["ab"]), (4.0, 1, -1, ["c\na"]), (1e30, 1, -1, ["*"]), (2.0, 5, 64, ["\n", "b*a"])] + [(1.5, 2, -1, [":"])]:
    s = {"dry_multiplier": 0.25, "dry_base": base, "dry_allowed_length": allowed, "dry_penalty_last_n": last}
    if breakers: s["dry_sequence_breakers"] = breakers
    case(s)
for version in 1, 2:
    for tau in 1.0, 2.0, 3.5: case({"mirostat": version, "mirostat_tau": tau, "mirostat_eta": 0.1})
print("[" + ",\n".join(json.dumps(x, separators=(",", ":")) for x in cases) + "]")
