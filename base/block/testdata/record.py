# SPDX-License-Identifier: Apache-2.0
#
# Records what gguf-py makes of random blocks of every format that it reads:
#
#	python3 base/block/testdata/record.py base/block/testdata/blocks.bin
#
# The file has for each format its name in 8 bytes, the bytes and the values of a block as u32, the number of blocks as
# u32, the blocks, and the values as f32.
import struct
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T
from gguf import quants

random = np.random.default_rng(7)
out = open(sys.argv[1], "wb")
for t in T:
    values, size = gguf.GGML_QUANT_SIZES[t]
    if values == 1:
        continue
    raw = random.integers(0, 256, (3 if values > 64 else 6, size), dtype=np.uint8)
    try:
        with np.errstate(all="ignore"):
            want = quants.dequantize(raw, t)
    except NotImplementedError:
        continue
    out.write(t.name.lower().encode().ljust(8, b"\0"))
    out.write(struct.pack("<III", size, values, len(raw)))
    out.write(raw.tobytes())
    out.write(np.ascontiguousarray(want, dtype=np.float32).tobytes())
