"""Calls that follow from an operator's samples: other element types, other arguments, random
extents, none of them, a zero among them, other strides, special values."""

import copy

from tensors import COMPLEX, FLOATS, INTS

# What a string argument may be, by its name.
STRINGS = {
    "reduce": ["sum", "prod", "mean", "amax", "amin", "max", "min", "add", "multiply"],
    "indexing": ["ij", "xy"], "norm": ["ortho", "forward", "backward"],
    "interpolation": ["linear", "lower", "higher", "midpoint", "nearest"],
    "approximate": ["none", "tanh"], "rounding_mode": ["trunc", "floor"], "UPLO": ["L", "U"],
    "ord": ["fro", "nuc"], "padding": ["valid", "same"],
    "mode": ["constant", "reflect", "replicate", "circular"], "side": ["left", "right"],
}
DIMENSIONS = ("dim", "dim0", "dim1", "axis", "axis0", "axis1", "start_dim", "end_dim", "dim1", "dim2")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, float("inf"), float("-inf"), float("nan"), 1e-3, 40.0]


def number(v):
    """The value of a float argument, or None."""
    return float(v["f"]) if isinstance(v, dict) and "f" in v else None


def tensors(args):
    """The descriptions of tensors of a call, in order."""
    for a in args:
        if isinstance(a, dict) and "tensor" in a:
            yield a["tensor"]
        elif isinstance(a, list):
            yield from tensors(a)


def alternatives(param, value, args):
    """Other values for one argument."""
    kind = param["type"]
    first = next(tensors(args), {"shape": []})
    if kind == "tensor":
        if param["list"]:
            if isinstance(value, list) and len(value) > 1:
                yield value[:-1]
                yield value + value[:1]
            return
        if value is not None:
            if param["optional"]:
                yield None
            return
        for shape in ([], first["shape"], first["shape"][1:2], first["shape"][-1:]):
            yield {"tensor": {"dtype": first.get("dtype", "f32"), "shape": list(shape), "low": 0.1, "high": 2}}
        return
    if param["list"]:
        yield from lists(param, value)
        return
    if kind == "bool":
        yield not value
    elif kind == "int":
        yield from integers(param["name"], value)
    elif kind == "float":
        v = number(value)
        yield {"f": 0.25 if not v else v * 1.5}
        yield {"f": 0.0}
    elif kind == "scalar":
        v = number(value)
        for other in (v * 0.75 if v else 0.5, 0.0, -1.25, 2.0):
            yield {"f": other}
        yield 2
        yield 0
    elif kind == "dtype":
        for d in ("f64", "f32", "f16", "bf16", "i64", "i32", "u8", "bool"):
            yield {"dtype": d}
    elif kind == "string":
        for s in STRINGS.get(param["name"], []):
            yield {"s": s}


def integers(name, value):
    if name == "reduction":
        yield from (0, 1, 2)
    elif name in DIMENSIONS:
        yield from (-1, 0, 1, -2)
    elif value is None:
        yield from (1, 0, 2)
    else:
        yield from (value + 1, value - 1, 0, -1, 2 * value)


def lists(param, value):
    if param["type"] in ("bool", "dtype"):
        if isinstance(value, list):
            for i in range(len(value)):
                yield [not v if i == j else v for j, v in enumerate(value)]
        return
    if value is None or value == []:
        if "dim" in param["name"]:
            yield from ([0], [-1], [0, -1], [-2])
        return
    if not isinstance(value, list):
        return
    if param["type"] == "float" or any(number(v) is not None for v in value):
        yield [{"f": (number(v) or 0) * 1.5} for v in value]
        return
    if not all(isinstance(v, int) for v in value):
        return
    if "dim" in param["name"]:
        yield from ([0], [-1], [0, -1], [1], [-2, 0])
    yield [v + 1 for v in value]
    yield [v - 1 for v in value]
    if len(value) > 1:
        yield value[:-1]
        yield [v + i for i, v in enumerate(value)]
        yield value[::-1]


def filled(params, args):
    """The arguments of a call with the defaults of those that are missing."""
    return list(args) + [p["default"] for p in params[len(args):]]


def other_arguments(params, args):
    """Calls that differ in one argument."""
    full = filled(params, args)
    for i, p in enumerate(params):
        for v in alternatives(p, full[i], full):
            if v == full[i]:
                continue
            call = copy.deepcopy(full)
            call[i] = v
            yield f"{p['name']}", call


def retyped(args, dtype):
    """The call with its float32 tensors of another type."""
    call, changed = copy.deepcopy(args), False
    for t in tensors(call):
        if t["dtype"] not in ("f32",) and not (t["dtype"] == "c64" and dtype == "c128"):
            continue
        changed = True
        t["dtype"] = dtype
        if dtype in INTS and "values" not in t:
            t["low"], t["high"] = 4 * t["low"], 4 * t["high"]
            if dtype == "u8":
                t["low"], t["high"] = max(t["low"], 0), max(t["high"], 4)
    return call if changed else None


def other_extents(args, rng, most):
    """The call with every extent replaced by another, equal ones by equal ones."""
    call = copy.deepcopy(args)
    extents = sorted({n for t in tensors(call) for n in t["shape"] if n > 1})
    if not extents:
        return None
    new = {n: int(rng.integers(1, most + 1)) for n in extents}
    for t in tensors(call):
        if "values" in t:
            return None
        t["shape"] = [new.get(n, n) for n in t["shape"]]
    return call


def empties(args):
    """Calls with one extent that is zero wherever it stands."""
    for n in dict.fromkeys(n for t in tensors(args) for n in t["shape"] if n > 0):
        call = copy.deepcopy(args)
        for t in tensors(call):
            if "values" in t:
                return
            t["shape"] = [0 if k == n else k for k in t["shape"]]
        yield call


def scalars(args):
    """Calls with tensors without dimensions: all of them, or the first."""
    for which in (slice(None), slice(0, 1)):
        call = copy.deepcopy(args)
        for t in list(tensors(call))[which]:
            if "values" in t:
                return
            t["shape"] = []
        yield call


def special(args):
    """The call with infinities, NaNs, both zeros."""
    call, changed = copy.deepcopy(args), False
    for t in tensors(call):
        if t["dtype"] in FLOATS and "values" not in t:
            t["special"], changed = SPECIAL, True
    return call if changed else None
