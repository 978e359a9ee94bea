# letters.py writes ../letters.txt: the characters that are several letters without regard to case, with these, by Python's Unicode (CaseFolding.txt, F).
import os
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/../letters.txt", "w") as f:
    for c in range(0x110000):
        if not 0xd800 <= c <= 0xdfff and len(chr(c).casefold()) > 1:
            f.write("%X %s\n" % (c, " ".join("%X" % ord(l) for l in chr(c).casefold())))
