"""Records functions of complex numbers at zeros, infinities, NaN and large numbers by PyTorch 2.14, complex128, as JSON.

    python3 ops/testdata/complexspecials.py > ops/testdata/complexspecials.json
"""

import json

import torch

inf, nan = float("inf"), float("nan")
points = [0.0, -0.0, 1.0, -2.0, inf, -inf, 800.0, -800.0, 1e200, -1.7e308, 710.0, nan]
z = torch.tensor([complex(x, y) for x in points for y in points], dtype=torch.complex128)
out = {"": z}
names = """exp log sqrt rsqrt reciprocal square sgn sin cos sinh cosh tanh abs angle
    asin acos atan asinh acosh atanh tan log10 log2 log1p expm1 exp2 sigmoid""".split()
for name in names:
    out[name] = getattr(torch.ops.aten, name)(z)


def parts(t):
    t = torch.view_as_real(t) if t.is_complex() else t
    return [str(float(v)) for v in t.reshape(-1)]


print(json.dumps({k: parts(v) for k, v in out.items()}))
