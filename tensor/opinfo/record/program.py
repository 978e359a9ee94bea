"""One call, run by PyTorch and written as a program."""

import warnings

import numpy as np
import torch

import exceptions
import tensors
from tensors import DTYPES, NAMES

LARGEST = 3000  # elements of all tensors of a program
warnings.simplefilter("ignore")


class Refused(Exception):
    """PyTorch does not take the call, or its result says nothing."""


class Filled:
    """A call with tensors: inputs by name, and arguments for PyTorch and for the program."""

    def __init__(self, params, args, rng, strided):
        self.params, self.rng, self.strided = params, rng, strided
        self.inputs, self.views, self.ops = [], {}, []
        self.args = [self.fill(a) for a in args]

    def fill(self, a):
        if isinstance(a, list):
            return [self.fill(x) for x in a]
        if isinstance(a, dict) and "tensor" in a:
            return {"v": self.tensor(a["tensor"])}
        return a

    def tensor(self, spec):
        name = f"i{len(self.inputs)}"
        value = tensors.draw(spec, self.rng)
        self.inputs.append((name, value))
        if self.strided and value.dim() and value.numel() > 1:
            return self.view(name, value)
        return name

    def view(self, name, value):
        """The same elements with other strides: a transposed matrix, every second element."""
        if value.dim() > 1:
            order = list(range(value.dim()))[::-1]
            base, op, args = value.permute(order).contiguous(), "permute", [order]
        else:
            base = torch.stack([value, value], 1).reshape(-1)
            op, args = "slice.Tensor", [0, 1, 2 * value.numel(), 2]
        self.inputs[-1] = (name, base)
        out = "s" + name[1:]
        self.ops.append({"op": qualified(op), "args": [{"v": name}] + args, "outs": [out]})
        self.views[out] = (name, op, args)
        return out


NAMESPACES = ("prims", "quantized_decomposed")  # of operators that are not ATen's


def operator(name):
    base, _, overload = name.partition(".")
    space = torch.ops.aten
    if base in NAMESPACES:
        space = getattr(torch.ops, base)
        base, _, overload = overload.partition(".")
    return getattr(getattr(space, base), overload or "default")


def qualified(name):
    """The name with its dialect and its overload."""
    plain = name.split(".", 1)[1] if name.split(".")[0] in NAMESPACES else name
    return "aten." + name + ("" if "." in plain else ".default")


def python(a, env):
    """An argument as PyTorch takes it."""
    if isinstance(a, list):
        return [python(x, env) for x in a]
    if isinstance(a, dict):
        if "v" in a:
            return env[a["v"]]
        if "f" in a:
            return float(a["f"])
        if "s" in a:
            return a["s"]
        if "c" in a:
            return complex(*a["c"])
        if "dtype" in a:
            return DTYPES[a["dtype"]]
    return a


def run(name, call, widen=False, grads=False, contiguous=False):
    """The results of a call. widen computes in float64, contiguous without strides."""
    env = {}
    for n, v in call.inputs:
        v = v.clone()
        if widen and v.dtype in (torch.float32, torch.float16, torch.bfloat16):
            v = v.to(torch.float64)
        if widen and v.dtype == torch.complex64:
            v = v.to(torch.complex128)
        if grads and (v.is_floating_point() or v.is_complex()):
            v.requires_grad_(True)
        env[n] = v
    for out, (n, op, args) in call.views.items():
        env[out] = operator(op)(env[n], *args)
        if contiguous:
            env[out] = env[out].contiguous()
    positional, keywords = [], {}
    extents = {a.name: a.N for a in operator(name)._schema.arguments}  # of lists for which one number may stand
    for p, a in zip(call.params, call.args):
        v = python(a, env)
        if widen and v in (torch.float32, torch.float16, torch.bfloat16) and isinstance(v, torch.dtype):
            v = torch.float64
        if p["type"] == "device" and v is None and not p["optional"]:
            v = "cpu"
        if p["list"] and p["type"] == "int" and isinstance(v, int):
            v = [v] * (extents.get(p["name"]) or 1)
        if p["kwonly"]:
            keywords[p["name"]] = v
        else:
            positional.append(v)
    out = operator(name)(*positional, **keywords)
    return env, out


def flat(out):
    return list(out) if isinstance(out, (tuple, list)) else [out]


def gradients(name, env, call, outs, cots):
    """The cotangents and the gradients of the inputs, by name; nothing if there are none."""
    only = exceptions.chosen(exceptions.DIFFERENTIATED, name)
    which = [(i, o) for i, o in enumerate(outs)
             if isinstance(o, torch.Tensor) and o.requires_grad and (only is None or i in only)]
    leaves = [(n, env[n]) for n, _ in call.inputs if env[n].requires_grad]
    if not which or not leaves or any(o.numel() == 0 for _, o in which):
        return None
    grads = torch.autograd.grad([o for _, o in which], [v for _, v in leaves],
                                [cots[i].to(o.dtype) for i, o in which], allow_unused=True)
    return [i for i, _ in which], {n: g for (n, _), g in zip(leaves, grads) if g is not None}


def cotangent(shape, dtype, rng):
    v = torch.from_numpy(np.asarray(rng.integers(-8, 9, size=tuple(shape)) / 8.0))
    if dtype.is_complex:
        v = torch.complex(v, torch.from_numpy(np.asarray(rng.integers(-8, 9, size=tuple(shape)) / 8.0)))
    return v.to(dtype)


def record(name, params, args, number, dtype, rng, strided=False, differentiate=True):
    """The program of a call and its data."""
    call = Filled(params, args, rng, strided)
    if sum(v.numel() for _, v in call.inputs) > LARGEST:
        raise Refused("too large")
    env, out = run(name, call, grads=differentiate)
    outs = flat(out)
    if sum(o.numel() for o in outs if isinstance(o, torch.Tensor)) > LARGEST:
        raise Refused("too large")
    again = flat(run(name, call, contiguous=True)[1])
    try:
        wide = flat(run(name, call, widen=True)[1])
    except (RuntimeError, NotImplementedError, IndexError, TypeError, ValueError):
        wide = again
    kept = exceptions.chosen(exceptions.RESULTS, name)
    if kept:
        outs = [o if i in kept else None for i, o in enumerate(outs)]
    for o, a, w in zip(outs, again, wide):
        if isinstance(o, torch.Tensor) and not (tensors.near(o, a) and tensors.near(o, w)):
            raise Refused("not determined")
    p, w = {"name": f"aten.{name}/{dtype}/{number}"}, Writer()
    p["inputs"] = [w.named(n, v) for n, v in call.inputs]
    op = operation(name, params, call)
    p["ops"], p["outputs"] = call.ops + [op], []
    if isinstance(out, list):
        op["list"] = True
    for i, o in enumerate(outs):
        if isinstance(o, torch.Tensor):
            op["outs"].append(f"v{i}")
            p["outputs"].append(w.named(f"v{i}", o))
        elif o is None:
            op["outs"].append(None)
        else:
            op["outs"].append({"scalar": o if isinstance(o, (bool, int)) else {"f": o}})
    if differentiate:
        differentiated(name, call, env, outs, rng, p, w)
    return p, bytes(w.data)


def operation(name, params, call):
    """The call as programs write it, without results."""
    op = {"op": qualified(name), "args": [a for q, a in zip(params, call.args) if not q["kwonly"]], "outs": []}
    keywords = {q["name"]: a for q, a in zip(params, call.args) if q["kwonly"] and a is not None}
    if keywords:
        op["kwargs"] = keywords
    return op


def differentiated(name, call, env, outs, rng, p, w):
    """Adds cotangents and gradients, if float64 confirms them."""
    cots = {i: cotangent(o.shape, o.dtype, rng) for i, o in enumerate(outs) if isinstance(o, torch.Tensor)}
    try:
        found = gradients(name, env, call, outs, cots)
        if found is None:
            return
        which, grads = found
        env64, out64 = run(name, call, widen=True, grads=True)
        _, grads64 = gradients(name, env64, call, flat(out64), cots)
    except (RuntimeError, NotImplementedError, TypeError):
        return
    for n, g in grads.items():
        if n not in grads64 or not tensors.near(g, grads64[n], factor=8):
            return
    for entry in p["inputs"]:
        if entry["name"] in grads:
            entry["grad"] = True
    p["grad_outputs"] = [w.named(f"v{i}", cots[i]) for i in which]
    p["grads"] = [w.named(n, g) for n, g in grads.items()]


class Writer:
    """The data of programs."""

    def __init__(self):
        self.data = bytearray()

    def named(self, name, tensor):
        content = tensors.raw(tensor)
        off = len(self.data)
        self.data += content
        return {"name": name, "tensor": {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape),
                                         "off": off, "len": len(content)}}
