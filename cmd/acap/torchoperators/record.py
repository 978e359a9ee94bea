"""Writes the schemas of the operators that PyTorch 2.14 registers, one a line, sorted: those of ATen, prims and
quantized_decomposed that write none of their arguments.

    python3 cmd/acap/torchoperators/record.py | gzip -9n > cmd/acap/torchoperators/schemas.txt.gz
"""

import torch
import torch._prims
import torch.ao.quantization.fx._decomposed

for line in sorted({str(s) for s in torch._C._jit_get_all_schemas()}):
    space = line.split("::")[0]
    if space in ("aten", "prims", "quantized_decomposed") and "!" not in line.split(" -> ")[0]:
        print(line)
