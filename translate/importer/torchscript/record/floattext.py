"""Prints the rows of floattext_test.go: how compiled functions of PyTorch write floats.

    python3 translate/importer/torchscript/record/floattext.py

The rows are those of Debian's python3-torch 1.13 on x86.
"""

import math

import torch


def compiled(body):
    unit = torch.jit.CompilationUnit(f"def f(x: float) -> str:\n    return {body}\n")
    return unit.f


texts = [compiled(body) for body in ("str(x)", '"{}".format(x)', '"%s" % x')]
numbers = [compiled(f'"%{c}" % x') for c in "feEd"]
for x in [0.0, -0.0, 1.0, -2.5, 0.1, 1e5, 1e-4, 1e-5, 1.2e-4, 9.9e-5, 0.5, 9999999999999998.0, 1e16, 1e18, 1e19,
          2.0**63, -(2.0**63), 1e20, 1e100, 5e-324, 1.7976931348623157e308, 123456789.123, math.inf, -math.inf,
          math.nan, 16777217.0, 0.1 + 0.2, 1e15 + 0.5]:
    text, = {f(x) for f in texts}
    row = [repr(x), text] + [f(x) for f in numbers]
    print("\t\t{" + ", ".join(f'"{part}"' for part in row) + "},")
