# forms.py writes ../forms.txt and ../sets.txt: the decompositions and combining classes of Unicode's characters, by Python's unicodedata, of the characters
# that Hugging Face's tokenizers knows, and the characters that its normalizers and pre-tokenizers take for marks, punctuation and so on. That
# library has tables of Unicode 8 and 9 for these.
import os, unicodedata as u
from tokenizers import normalizers as N, pre_tokenizers as P
here = os.path.dirname(os.path.abspath(__file__))
characters = [c for c in range(0x110000) if not 0xd800 <= c <= 0xdfff]
nfd, nfkd = N.NFD(), N.NFKD()
out = ["# Unicode 9: character, = for one that is never composed, < for a compatibility decomposition; parts"]
for c in characters:
    d = u.decomposition(chr(c))
    if not d or 0xAC00 <= c <= 0xD7A3 or nfkd.normalize_str(chr(c)) == chr(c): continue
    parts = d.split()
    mark = ""
    if parts[0].startswith("<"):
        mark, parts = "<", parts[1:]
    elif u.normalize("NFC", chr(c)) != chr(c):
        mark = "="
    out.append("%s%X %s" % (mark, c, " ".join("%X" % int(p, 16) for p in parts)))
out.append("# combining classes: class, first character, last character")
def combining(c):
    k = u.combining(chr(c)) if c < 0x110000 else 0
    return k if k >= 240 or k and nfd.normalize_str("q\u0345" + chr(c))[1] != "\u0345" else 0
start = None
for c in range(0x110001):
    k = combining(c)
    if start is not None and k != start[1]:
        out.append("@%d %X %X" % (start[1], start[0], c - 1)); start = None
    if start is None and k: start = (c, k)
open(here + "/../forms.txt", "w").write("\n".join(out) + "\n")
bert = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
clean, accents = N.BertNormalizer(**{**bert, "clean_text": True}), N.BertNormalizer(**{**bert, "strip_accents": True})
sets = {
    "mark": lambda s: N.StripAccents().normalize_str("a" + s) == "a",
    "accent": lambda s: accents.normalize_str("a" + s) == "a",
    "control": lambda s: clean.normalize_str("a" + s + "b") == "ab" and s not in "\0\ufffd",
    "punctuation": lambda s: len(P.Punctuation().pre_tokenize_str("a" + s)) == 2,
    "scriptless": lambda s: len(P.UnicodeScripts().pre_tokenize_str("\u6f22" + s + "\u6f22")) == 1 == len(P.UnicodeScripts().pre_tokenize_str("a" + s + "a")),
}
out = ["# set, first character, last character"]
for name, holds in sets.items():
    spans = []
    for c in characters:
        if not holds(chr(c)): continue
        if spans and spans[-1][1] in (c - 1, 0xd7ff if c == 0xe000 else -1): spans[-1][1] = c
        else: spans.append([c, c])
    out += ["%s %X %X" % (name, a, b) for a, b in spans]
open(here + "/../sets.txt", "w").write("\n".join(out) + "\n")
