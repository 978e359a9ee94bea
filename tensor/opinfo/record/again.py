"""Computes programs anew: the results and gradients of an archive's programs, by the PyTorch that runs this.

    python3 tensor/opinfo/record/again.py OLD.tar.gz NEW.tar.gz

What the archive has of inputs and calls stays, and so do results that PyTorch confirms within what they are judged by.
Programs whose operators PyTorch no longer has, and those with results that float64 does not confirm, stay as they were;
they, and the programs with other results than before, are printed.
"""

import io
import json
import sys
import tarfile
import warnings

import numpy as np
import torch

import program
import tensors

warnings.simplefilter("ignore")
ITEM = {torch.bfloat16: torch.int16}


def load(entry, data):
    t = entry["tensor"]
    dtype = tensors.DTYPES[t["dtype"]]
    raw = bytearray(data[t["off"]:t["off"] + t["len"]])
    if not raw:
        return torch.empty(t["shape"], dtype=dtype)
    return torch.frombuffer(raw, dtype=ITEM.get(dtype, dtype)).clone().view(dtype).reshape(t["shape"])


class Argument:
    """Arguments of programs as PyTorch takes them."""

    def __init__(self, env):
        self.env = env

    def __call__(self, a):
        if isinstance(a, list):
            return [self(x) for x in a]
        if isinstance(a, dict):
            for kind, value in a.items():
                if kind == "v":
                    return self.env[value]
                if kind == "memory_format":
                    return getattr(torch, value.split(".")[-1])
                if kind == "layout":
                    return torch.strided
                if kind == "device":
                    return torch.device(value)
        return program.python(a, self.env)


def operator(name):
    return program.operator(name.removeprefix("aten."))


def run(p, data, widen=False):
    """The values of a program by name, and the leaves that have gradients. widen computes float32 in float64."""
    env, leaves = {}, {}
    for entry in p["inputs"] + p.get("consts", []):
        v = load(entry, data)
        if widen and v.dtype == torch.float32:
            v = v.to(torch.float64)
        if entry.get("grad"):
            v.requires_grad_(True)
            leaves[entry["name"]] = v
        env[entry["name"]] = v
    argument = Argument(env)
    for o in p["ops"]:
        keywords = {k: argument(v) for k, v in o.get("kwargs", {}).items()}
        out = operator(o["op"])(*argument(o["args"]), **keywords)
        for name, value in zip(o["outs"], program.flat(out)):
            if isinstance(name, str):
                env[name] = value
    return env, leaves


def again(p, data):
    """The program and its data with new results, or nothing if they are not determined."""
    torch.manual_seed(0)
    env, leaves = run(p, data)
    exact, exact_leaves = run(p, data, widen=True)
    w, q = program.Writer(), dict(p)
    q["inputs"] = [dict(w.named(e["name"], load(e, data)), **({"grad": True} if e.get("grad") else {})) for e in p["inputs"]]
    if "consts" in p:
        q["consts"] = [w.named(e["name"], load(e, data)) for e in p["consts"]]
    q["outputs"], apart = [], []
    for e in p["outputs"]:
        value = env[e["name"]].detach()
        if tensors.near(value, load(e, data), 2):
            value = load(e, data)
        else:
            apart.append(e["name"])
            if value.is_floating_point() and not tensors.near(value, exact[e["name"]].detach()):
                raise program.Refused("not determined")
        q["outputs"].append(w.named(e["name"], value))
    if "grads" in p:
        cots = [(e["name"], load(e, data)) for e in p["grad_outputs"]]
        grads = torch.autograd.grad([env[n] for n, _ in cots], list(leaves.values()), [c for _, c in cots], allow_unused=True)
        wide = torch.autograd.grad([exact[n] for n, _ in cots], list(exact_leaves.values()),
                                   [c.to(exact[n].dtype) for n, c in cots], allow_unused=True)
        old = {e["name"]: e for e in p["grads"]}
        q["grad_outputs"] = [w.named(n, c) for n, c in cots]
        q["grads"] = []
        for name, g, exact_g in zip(leaves, grads, wide):
            if g is None:
                continue
            if name in old and tensors.near(g, load(old[name], data), 16):
                g = load(old[name], data)
            else:
                apart.append("gradient of " + name)
                if g.is_floating_point() and not tensors.near(g, exact_g, 4):
                    raise program.Refused("not determined")
            q["grads"].append(w.named(name, g))
    return q, bytes(w.data), apart


def shifted(p, base):
    for kind in ("inputs", "consts", "outputs", "grad_outputs", "grads"):
        for e in p.get(kind, []):
            e["tensor"]["off"] += base
    return p


def main():
    torch.set_num_threads(1)
    counts = [0, 0, 0]
    with tarfile.open(sys.argv[1]) as old, tarfile.open(sys.argv[2], "w:gz", compresslevel=9) as new:
        files = {m.name: old.extractfile(m).read() for m in old.getmembers() if m.isfile()}
        for name in files:
            if not name.endswith(".jsonl"):
                continue
            data, lines = bytearray(), []
            old_data = files[name[:-6] + ".bin"]
            for line in files[name].splitlines():
                p = json.loads(line)
                counts[0] += 1
                try:
                    q, content, apart = again(p, old_data)
                except Exception as e:  # whatever PyTorch raises
                    print(f"kept {p['name']}: {type(e).__name__}: {str(e)[:160]}".replace("\n", " "))
                    counts[1] += 1
                    w = program.Writer()
                    q = dict(p)
                    for kind in ("inputs", "consts", "outputs", "grad_outputs", "grads"):
                        if kind in p:
                            q[kind] = [dict(e, tensor=w.named(e["name"], load(e, old_data))["tensor"]) for e in p[kind]]
                    content, apart = bytes(w.data), []
                if apart:
                    counts[2] += 1
                    print(f"apart {p['name']}: {', '.join(apart)}")
                lines.append(json.dumps(shifted(q, len(data)), separators=(",", ":")))
                data += content
            for suffix, content in ((".jsonl", ("\n".join(lines) + "\n").encode()), (".bin", bytes(data))):
                info = tarfile.TarInfo(name[:-6] + suffix)
                info.size = len(content)
                new.addfile(info, io.BytesIO(content))
    print("%d programs, %d kept, %d apart" % tuple(counts))


if __name__ == "__main__":
    main()
