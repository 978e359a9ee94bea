"""Calls that PyTorch refuses for their extents and arguments: ours must refuse them, too."""

import copy

import program
import variants

MOST = 10  # refusals of an operator

# What PyTorch says where it lacks a kernel, which is no property of the operator.
LACKING = ("not implemented for", "not support", "scalar type", "dtype", "INTERNAL ASSERT", "Half", "BFloat16",
           "Could not run", "CUDA", "must be on", "argument of type", "expected a value of type", "schema",
           "Expected a value of type", "is not in list", "unhashable")


def misfits(args):
    """Calls with one extent more, one dimension less, or indices that are too large."""
    for i, t in enumerate(variants.tensors(args)):
        if "values" in t:
            continue
        for d in range(len(t["shape"])):
            call = copy.deepcopy(args)
            list(variants.tensors(call))[i]["shape"][d] += 1
            yield call
        call = copy.deepcopy(args)
        spec = list(variants.tensors(call))[i]
        if t["dtype"] == "i64":
            spec["low"], spec["high"] = spec["high"] + 3, spec["high"] + 5
            yield call
        elif t["shape"]:
            spec["shape"] = spec["shape"][1:]
            yield call


def wrong(params, args):
    """Calls with one number that is too large or too small, or a list that is too long."""
    full = variants.filled(params, args)
    for i, p in enumerate(params):
        v, kind = full[i], p["type"]
        others = []
        if kind == "int" and p["list"] and isinstance(v, list) and all(isinstance(x, int) for x in v):
            others = [v + v[-1:], [-3] * len(v), [x + 9 for x in v], v[:-1]]
        elif kind == "int" and not p["list"]:
            others = [9, -9, -1]
        elif kind == "float" and not p["list"]:
            others = [{"f": -1.5}, {"f": 2.5}]
        elif kind == "string":
            others = [{"s": "nothing"}]
        for other in others:
            call = list(full)
            call[i] = other
            yield call


def calls(op):
    for s in op["samples"]:
        yield from misfits(s)
        yield from wrong(op["params"], s)
        for _, call in variants.other_arguments(op["params"], s):
            yield call


def refusal(name, params, args, number, rng):
    """The program of a call that PyTorch refuses, or nothing."""
    call = program.Filled(params, args, rng, False)
    try:
        program.run(name, call)
        return None
    except (RuntimeError, IndexError, ValueError) as e:
        message = str(e).split("\n")[0]
        if any(word in message for word in LACKING):
            return None
    w = program.Writer()
    p = {"name": f"aten.{name}/refused/{number}", "refused": message[:120],
         "inputs": [w.named(n, v) for n, v in call.inputs], "ops": [program.operation(name, params, call)]}
    return p, bytes(w.data)
