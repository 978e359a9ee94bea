# recordscores.py > scores.json: small models of transformers that score pairs of texts, whose weights follow from the formula of record.py, with their
# scores of tokens.
import json, sys
source = open("record.py").read()
exec(source[:source.index("base = dict")])
from transformers import AutoModelForSequenceClassification
base = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, bos_token_id=1, eos_token_id=2,
            pad_token_id=0, num_labels=1, attn_implementation="eager")
def c(kind, **more): return AutoConfig.for_model(kind, **{**base, **more})
cases = {"bert": c("bert", type_vocab_size=2), "xlm-roberta": c("xlm-roberta", type_vocab_size=1, max_position_embeddings=66), "modernbert": c("modernbert", cls_token_id=1, sep_token_id=2, local_attention=6, global_attn_every_n_layers=2),
         "modernbert-mean": c("modernbert", cls_token_id=1, sep_token_id=2, classifier_pooling="mean"), "qwen3": c("qwen3", head_dim=16, num_key_value_heads=2),
         "distilbert": AutoConfig.for_model("distilbert", vocab_size=64, dim=32, hidden_dim=48, n_layers=2, n_heads=4, max_position_embeddings=64, num_labels=1, attn_implementation="eager")}
tokens, out = [3, 1, 4, 1, 5, 9, 2, 6, 5], {}
for name, config in cases.items():
    model = AutoModelForSequenceClassification.from_config(config).eval()
    state = {n: torch.from_numpy(formula(n, tuple(v.shape))) for n, v in model.state_dict().items() if v.dtype == torch.float32}
    model.load_state_dict(state, strict=False)
    types = {"token_type_ids": torch.tensor([[0] * 7 + [1] * 2])} if name == "bert" else {} # 2 is the separator
    with torch.no_grad(): score = model(torch.tensor([tokens]), **types).logits[0, 0].item()
    kept = {k: v for k, v in config.to_dict().items() if k not in ("transformers_version", "dtype", "torch_dtype") and v is not None}
    kept["architectures"] = [type(model).__name__]
    out[name] = {"config": kept, "weights": {n: list(v.shape) for n, v in state.items() if "position_ids" not in n}, "tokens": tokens, "score": score}
json.dump(out, result, separators=(",", ":"))
