# generation.py > generation.json: the keys of transformers' GenerationConfig, and what its processors make of random scores. The prompt is the first
# two of the tokens that were seen, and tokens 2 and 3 end an answer.
import json, random, torch
from transformers import GenerationConfig
from transformers.generation.utils import GenerationMixin
class Model(GenerationMixin):
    class config: is_encoder_decoder = False
TOKENS, PROMPT, ENDS = 12, 2, [2, 3]
r = random.Random(3)
def case(**keys):
    seen = [r.randrange(4, 8) for _ in range(PROMPT)] + [r.randrange(4, 8) for _ in range(keys.pop("made", r.randrange(0, 12)))]
    scores = [round(r.gauss(0, 2), 3) for _ in range(TOKENS)]
    most = keys.pop("most", 100)
    c = GenerationConfig(do_sample=False, eos_token_id=ENDS, max_length=most, **keys)
    c._eos_token_tensor = torch.tensor(ENDS)
    want = Model()._get_logits_processor(c, PROMPT, torch.tensor([seen[:PROMPT]]))(torch.tensor([seen]), torch.tensor([scores]))[0]
    return {"config": {**keys, "eos_token_id": ENDS}, "seen": seen, "most": most, "scores": scores, "want": [None if v == -torch.inf else round(v, 5) for v in want.tolist()]}
cases = [case(**k) for _ in range(4) for k in [
    {"no_repeat_ngram_size": 1}, {"no_repeat_ngram_size": 2}, {"no_repeat_ngram_size": 3}, {"suppress_tokens": [1, 4]}, {"begin_suppress_tokens": [5, 6], "made": 0},
    {"begin_suppress_tokens": [5, 6], "made": 1}, {"bad_words_ids": [[7], [2], [4, 5], [5, 6, 5], [6, 4]], "made": 3}, {"bad_words_ids": [[4, 4], [5, 4], [6, 4], [7, 4], [3, 3]]},
    {"sequence_bias": [[[9], 2.5], [[4, 8], -1.5], [[5, 8], 1.5], [[6, 8], -0.5]]}, {"min_new_tokens": 4}, {"min_length": 6}, {"repetition_penalty": 1.4}, {"repetition_penalty": 0.7, "made": 90},
    {"forced_eos_token_id": 2, "most": 9, "made": 6}, {"forced_eos_token_id": [2, 3], "most": 9, "made": 6}, {"forced_eos_token_id": [2], "most": 9, "made": 5},
    {"repetition_penalty": 1.2, "no_repeat_ngram_size": 2, "min_new_tokens": 8, "suppress_tokens": [10]}]]
print(json.dumps({"keys": sorted(GenerationConfig().__dict__), "cases": cases}, separators=(",", ":")))
