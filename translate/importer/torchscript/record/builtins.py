"""Writes testdata/builtins.py: what PyTorch's operators on numbers, texts and lists give.

    python3 translate/importer/torchscript/record/builtins.py > translate/importer/torchscript/testdata/builtins.py

Each line is an assertion in TorchScript. It holds for Debian's python3-torch 1.13. x is a float32
tensor of 2 by 3 elements.
"""

import itertools
import math
import os
import random
import signal
import sys
import warnings
import zlib

import torch

warnings.simplefilter("ignore")

INPUT = torch.zeros(2, 3)
VALUES = {
    "int": [0, 1, 2, 3, -1, -2, -7, 10, 64],
    "float": [0.0, 0.5, 2.0, -2.5, 7.25, math.inf, -math.inf, math.nan],
    "bool": [True, False],
    "str": ["", "a", "Ab c", "x,y,,z", "  pad ", "12", "-0.5", "AbAb", "\n", "b"],
    "List[int]": [[], [3, 1, 2], [1, 1], [-4], [1, 2, 3, 4]],
    "List[float]": [[], [2.5, -1.0], [0.5, 0.5, 3.0]],
    "List[bool]": [[], [True, False], [True, True]],
    "List[str]": [[], ["b", "a"], ["x", "yy", ""]],
    "Tensor": [INPUT],
}
VALUES["List[t]"] = VALUES["List[int]"] + VALUES["List[str]"]
VALUES["t"] = [1, 3, -4]
MOST = 14  # of a schema

# What says where it runs, draws numbers, or prints.
LEFT_OUT = {"seed", "initial_seed", "manual_seed", "time", "get_num_threads", "warn", "print", "rand", "randn", "randint",
            "get_autocast_dtype", "hash", "id", "set_grad_enabled", "is_grad_enabled", "is_autocast_enabled", "cpu", "save",
            "Size", "wait", "as_tensor", "_version", "grad", "data", "sorted_any", "__getitem__",
            # What is known only when a program runs, and what has no inputs to be wrong of.
            "lgamma", "angle", "frexp", "equal", "is_contiguous", "index"}


def literal(v):
    if isinstance(v, float):
        return {"inf": "inf", "-inf": "-inf", "nan": "nan"}.get(repr(v), repr(v))
    if v is INPUT:
        return "x"
    if isinstance(v, str):
        return '"' + v.replace("\\", "\\\\").replace("\n", "\\n") + '"'
    if isinstance(v, list):
        return "[" + ", ".join(literal(e) for e in v) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join(literal(e) for e in v) + ("," if len(v) == 1 else "") + ")"
    return repr(v)


def kind(v):
    if isinstance(v, (list, tuple)):
        return None
    return type(v).__name__


def plain(v):
    if isinstance(v, (list, tuple)):
        return all(plain(e) for e in v)
    return isinstance(v, (bool, int, float, str))


def lines(schema):
    name = schema.name.split("::")[1]
    if any("Tensor" in str(r.type) for r in schema.returns) or not schema.returns:
        return
    if name in LEFT_OUT or name.startswith("_") and not name.startswith("__") or name.endswith("_") and not name.endswith("__"):
        return
    choices = []
    for a in schema.arguments:
        if a.kwarg_only:
            break
        values = VALUES.get(str(a.type))
        if values is None:
            if a.has_default_value():
                break
            return
        choices.append(values)
    rng = random.Random(zlib.crc32(str(schema).encode()))
    tries = list(itertools.islice(itertools.product(*choices), 5000))
    rng.shuffle(tries)
    kept = 0
    try:
        overload = getattr(getattr(torch.ops.aten, name), schema.overload_name or "default")
    except AttributeError:
        return
    for args in tries:
        if args[1:] and isinstance(args[-1], (int, float)) and args[-1] == 0:
            continue  # some divide by it and end the process
        try:
            have = overload(*args)
        except Exception:
            continue
        if "shift" in name and not 0 <= args[1] < 64 or name == "log" and len(args) == 2 or \
                name == "pow" and all(kind(a) == "int" for a in args) or name == "sum" and args == ([],):
            continue  # not defined, not there, or of two overloads
        if not plain(have) or isinstance(have, int) and abs(have) > 1 << 62:
            continue
        call = f"torch.{name}({', '.join(literal(a) for a in args)})"
        if isinstance(have, float) and math.isnan(have):
            yield f"assert torch.isnan({call})"
        elif isinstance(have, float) and math.isfinite(have) and (have != round(have) or abs(have) > 1e15):
            yield f"assert torch.abs(torch.sub({call}, {literal(have)})) <= {4e-16 * abs(have)!r}"
        elif kind(have):
            yield f"assert {call} == {literal(have)} and isinstance({call}, {kind(have)})"
        else:
            yield f"assert {call} == {literal(have)}"
        kept += 1
        if kept == MOST:
            return


def main():
    for schema in sorted(torch._C._jit_get_all_schemas(), key=str):
        if schema.name.startswith("aten::") and len(schema.arguments) <= 4:
            child = os.fork()  # some calls end the process, or do not end
            if child == 0:
                signal.alarm(3)
                for line in lines(schema):
                    print(line, flush=True)
                os._exit(0)
            os.waitpid(child, 0)


sys.exit(main())
