# newer.py SPANS writes ../newer.txt: the characters that Unicode 15.1 and 16 have beside those of 15.0, by category, script and property, as Hugging Face's
# tokenizers knows them; and prints how many characters its patterns have, with the sum of their numbers.
import os, sys
from tokenizers import pre_tokenizers as P, Regex
characters = [chr(c) for c in range(0x110000) if not 0xd800 <= c <= 0xdfff]
text = ["".join(characters[i:i + 4096]) for i in range(0, len(characters), 4096)]
def of(pattern):
    keep, found = P.Split(Regex(pattern), "removed", True), set()
    for part in text:
        for s, _ in keep.pre_tokenize_str(part): found.update(map(ord, s))
    return sorted(found)
def spans(chars):
    out = []
    for c in chars:
        if out and out[-1][1] == c - 1: out[-1][1] = c
        else: out.append([c, c])
    return out
# The argument is a file with the characters of Unicode 15.0, first and last of each span.
old = set()
for l in open(sys.argv[1]):
    a, b = (int(x, 16) for x in l.split())
    old.update(range(a, b + 1))
new = set(map(ord, characters)) - old
new -= set(of(r"\p{Cn}"))
out = ["# category, script or property; first character, last character"]
names = ["Lu","Ll","Lt","Lm","Lo","Mn","Mc","Me","Nd","Nl","No","Pc","Pd","Ps","Pe","Pi","Pf","Po","Sm","Sc","Sk","So","Cf"]
names += ["Han","Arabic","Latin","Cyrillic","Common","Inherited","Kannada","Telugu","Balinese","Egyptian_Hieroglyphs","Katakana","Hiragana","Greek","Devanagari"]
for n in names: out += ["%s %X %X" % (n, a, b) for a, b in spans(c for c in of(r"\p{%s}" % n) if c in new)]
letters = set(of(r"\p{L}")) | set(of(r"\p{Nl}"))
out += ["Other_Alphabetic %X %X" % tuple(s) for s in spans(c for c in of(r"\p{Alphabetic}") if c in new and c not in letters)]
open(os.path.dirname(os.path.abspath(__file__)) + "/../newer.txt", "w").write("\n".join(out) + "\n")
for p in [r"\p{L}",r"\p{N}",r"\p{M}",r"\p{P}",r"\p{S}",r"\p{Z}",r"\p{C}",r"\p{Lu}",r"\p{Ll}",r"\p{Lt}",r"\p{Lm}",r"\p{Lo}",r"\p{Nd}",r"\p{Cn}",r"\w",r"\d",r"\s",r"[\w]",r"[[:alpha:]]",r"[[:punct:]]",r"[[:alnum:]]",r"[[:upper:]]",r"[[:lower:]]",r"\p{Han}",r"\p{Latin}",r"\p{Arabic}",r"\p{Cyrillic}"]:
    s = of(p)
    print("\t\t{`%s`, %d, %d}," % (p, len(s), sum(s)))
