# offsets.py cases.json.gz > offsets.json.gz: where the tokens of the recorded tokenizers come from, in characters, and which of them were put around
# the text, as Hugging Face's tokenizers has it: of every third line alone, and of some pairs. Texts with a character that BPE leaves out, or finds
# unknown among bytes, are left out: tokenizers says that the tokens behind such a character come from places in front of theirs.
import gzip, json, sys
from tokenizers import Tokenizer
data=json.load(gzip.open(sys.argv[1])); lines=data["lines"]; out={}
def flat(e): return [e.special_tokens_mask,[x for pair in e.offsets for x in pair],[-1 if s is None else s for s in e.sequence_ids]]
for name,case in data["cases"].items():
    j=case["tokenizer"]; t=Tokenizer.from_str(json.dumps(j)); m=j["model"]; strict=None
    if m["type"]=="BPE" and (m["unk_token"] is None or m["byte_fallback"]):
        m["unk_token"]="<left out>"; m["vocab"]["<left out>"]=left=max(m["vocab"].values())+1; m["byte_fallback"]=False
        j["truncation"],j["added_tokens"]=None,[]; j["post_processor"]=None; strict=Tokenizer.from_str(json.dumps(j))
    whole=lambda *texts: not strict or not any(left in strict.encode(x).ids for x in texts)
    out[name]={"one":[flat(t.encode(l)) if whole(l) else None for l in lines[::3]],
        "two":[flat(t.encode(*lines[i:i+2])) if whole(*lines[i:i+2]) else None for i in range(0,40,4)]}
sys.stdout.buffer.write(gzip.compress(json.dumps(out,separators=(",",":")).encode(),9,mtime=0))
