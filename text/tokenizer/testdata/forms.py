# forms.py > ../forms.txt writes the decompositions and combining classes of Unicode's characters, by Python's unicodedata.
import sys, unicodedata as u
out = ["# Unicode " + u.unidata_version + ": character, = for one that is never composed, < for a compatibility decomposition; parts", ]
for c in range(0x110000):
    d = u.decomposition(chr(c))
    if not d or 0xAC00 <= c <= 0xD7A3: continue
    parts = d.split()
    mark = ""
    if parts[0].startswith("<"):
        mark, parts = "<", parts[1:]
    elif u.normalize("NFC", chr(c)) != chr(c):
        mark = "="
    out.append("%s%X %s" % (mark, c, " ".join("%X" % int(p, 16) for p in parts)))
out.append("# combining classes: class, first character, last character")
start = None
for c in range(0x110001):
    k = u.combining(chr(c)) if c < 0x110000 else 0
    if start is not None and k != start[1]:
        out.append("@%d %X %X" % (start[1], start[0], c - 1)); start = None
    if start is None and k: start = (c, k)
sys.stdout.write("\n".join(out) + "\n")
