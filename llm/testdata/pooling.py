# pooling.py > pooling.json: vectors that torch makes of the rows of the model bert of architectures.json, by each pooling of sentence-transformers and
# a layer behind it. record.py has the formula of weights.
import json, sys, numpy as np, torch
source = open("record.py").read()
exec(source[:source.index("base = dict")])
r = json.load(open("architectures.json"))["bert"]
config = AutoConfig.for_model(**r["config"], attn_implementation="eager")
model = AutoModel.from_config(config, add_pooling_layer=False).eval()
model.load_state_dict({n: torch.from_numpy(formula(n, tuple(s))) for n, s in r["weights"].items()}, strict=False)
tokens = [3, 1, 4, 1, 5, 9, 2, 6, 5]
with torch.no_grad():
    rows = model(torch.tensor([tokens])).last_hidden_state[0].double()
n = len(tokens); weights = torch.arange(1, n + 1).double()[:, None]
pooled = {"cls_token": rows[0], "mean_tokens": rows.mean(0), "max_tokens": rows.max(0).values, "mean_sqrt_len_tokens": rows.sum(0) / n**0.5,
          "weightedmean_tokens": (rows * weights).sum(0) / weights.sum(), "lasttoken": rows[-1]}
w, b = torch.from_numpy(formula("linear.weight", (12, 32))).double(), torch.from_numpy(formula("linear.bias", (12,))).double()
out = {k: {"plain": torch.nn.functional.normalize(v, dim=0).tolist(),
           "dense": torch.nn.functional.normalize(torch.tanh(torch.nn.functional.linear(v, w, b)), dim=0).tolist()} for k, v in pooled.items()}
json.dump({"tokens": tokens, "vectors": json.loads(json.dumps(out), parse_float=lambda x: round(float(x), 7))}, sys.stdout)
