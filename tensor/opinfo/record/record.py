"""Records conformance programs: calls of operators with the results and gradients of PyTorch
(Debian's python3-torch, 1.13) and SciPy (python3-scipy).

    go run ./tensor/opinfo/record | python3 tensor/opinfo/record/record.py [-refused] OUT.tar.gz [OPERATOR ...]

Standard input has one line of JSON for each operator: its parameters and samples. What is
recorded follows from them (variants.py): every sample as it is, in other element types, with
other arguments, with random extents, empty, without dimensions, with other strides and with
special values, wherever PyTorch takes the call. A result is kept only if PyTorch gives the
same in float64, within half of what results are judged by (tensors.py): what cancellation or
a kink decides is no expectation. Everything random follows from the operator's name.

With -refused, the calls are recorded that PyTorch refuses for their extents and arguments.

Each operator is recorded by a process of its own: a call that crashes PyTorch is left out.
"""

import io
import json
import multiprocessing
import os
import sys
import tarfile
import tempfile
import zlib

import numpy as np

os.environ["TORCH_CPP_LOG_LEVEL"] = "ERROR"
import torch

import exceptions
import program
import refusals
import special
import variants

MOST = 22  # calls with other arguments for an operator
ERRORS = (RuntimeError, NotImplementedError, IndexError, TypeError, ValueError, AttributeError,
          OverflowError, ZeroDivisionError, program.Refused)


def calls(op, rng):
    """What there is to try: goal, how many of it to keep, element type, arguments, options and a
    label. The goal of a changed argument has the argument's name as its label."""
    samples, params = op["samples"], op["params"]
    if op.get("only_complex"):
        yield from complex_calls(params, samples, rng)
        return
    for i, s in enumerate(samples):
        yield f"sample{i}", 1, "f32", s, {}, ""
    for dtype in ("f64", "bf16", "f16", "i64", "i32", "u8", "i8", "i16", "bool", "c64", "c128"):
        if dtype in variants.COMPLEX and not op.get("complex"):
            continue
        for s in samples:
            call = variants.retyped(s, dtype)
            if call:
                yield dtype, 1, dtype, call, {}, ""
    for s in samples:
        for name, call in variants.other_arguments(params, s):
            yield "arguments", MOST, "f32", call, {}, name
    for s in samples:
        yield "strided", 2, "f32", s, {"strided": True}, ""
        for most, goal, tries in ((7, "extents", 4), (34, "large", 2)):
            for _ in range(tries):
                call = variants.other_extents(s, rng, most)
                if call:
                    yield goal, 3 if goal == "extents" else 1, "f32", call, {}, ""
        for call in variants.empties(s):
            yield "empty", 3, "f32", call, {"differentiate": False}, ""
        for call in variants.scalars(s):
            yield "scalars", 1, "f32", call, {}, ""
    for dtype in ("f32", "f64"):
        call = variants.special(variants.retyped(samples[0], dtype) or samples[0])
        if call:
            yield "special" + dtype, 1, dtype, call, {"differentiate": False}, ""


def complex_calls(params, samples, rng):
    """What there is to try of an operator with complex elements alone."""
    for s in samples:
        for dtype in ("c64", "c128"):
            call = variants.retyped(s, dtype)
            if call:
                yield dtype, 4, dtype, call, {}, ""
                yield "strided", 1, dtype, call, {"strided": True}, ""
                for name, changed in variants.other_arguments(params, call):
                    yield "arguments", MOST, dtype, changed, {}, name
                for _ in range(4):
                    changed = variants.other_extents(call, rng, 7)
                    if changed:
                        yield "extents", 3, dtype, changed, {}, ""
                for changed in variants.empties(call):
                    yield "empty", 2, dtype, changed, {"differentiate": False}, ""
                for changed in variants.scalars(call):
                    yield "scalars", 1, dtype, changed, {}, ""


def record(op, path, skip):
    """Writes the programs of an operator, and the number of each attempt before it is made."""
    torch.set_num_threads(1)
    seed = zlib.crc32(op["name"].encode())
    kept, seen, numbers = {}, set(), {}
    with open(path, "wb") as out:
        for attempt, (goal, most, dtype, args, options, label) in enumerate(calls(op, np.random.default_rng(seed))):
            key = json.dumps([args, options, dtype], sort_keys=True)
            if kept.get(goal, 0) >= most or key in seen or attempt in skip:
                continue
            if exceptions.left_out(op["name"], goal, label):
                continue
            seen.add(key)
            out.write(b"%d %d %d\n" % (attempt, 0, 0))
            out.flush()
            torch.manual_seed(seed + attempt)
            try:
                p, data = program.record(op["name"], op["params"], args, numbers.get(dtype, 0), dtype,
                                         np.random.default_rng(seed + attempt), **options)
            except ERRORS as e:
                if os.environ.get("RECORD_DEBUG"):
                    print(f"{op['name']} {goal} {dtype}: {type(e).__name__}: {str(e)[:300]}", file=sys.stderr)
                continue
            kept[goal] = kept.get(goal, 0) + 1
            numbers[dtype] = numbers.get(dtype, 0) + 1
            text = json.dumps(p, separators=(",", ":")).encode()
            out.write(b"%d %d %d\n" % (attempt, len(text), len(data)) + text + data)
            out.flush()


def record_refusals(op, path, skip):
    """Writes the calls of an operator that PyTorch refuses."""
    torch.set_num_threads(1)
    seed, kept, seen = zlib.crc32(op["name"].encode()), 0, set()
    with open(path, "wb") as out:
        for attempt, args in enumerate(refusals.calls(op)):
            key = json.dumps(args, sort_keys=True)
            if kept >= refusals.MOST or key in seen or attempt in skip:
                continue
            seen.add(key)
            out.write(b"%d %d %d\n" % (attempt, 0, 0))
            out.flush()
            try:
                found = refusals.refusal(op["name"], op["params"], args, kept, np.random.default_rng(seed + attempt))
            except ERRORS:
                continue
            if found:
                kept += 1
                text = json.dumps(found[0], separators=(",", ":")).encode()
                out.write(b"%d %d %d\n" % (attempt, len(text), len(found[1])) + text + found[1])
                out.flush()


def read(path):
    """The programs that a process wrote, and its last attempt."""
    programs, last = [], -1
    with open(path, "rb") as f:
        while line := f.readline():
            last, n, m = map(int, line.split())
            if n:
                programs.append((json.loads(f.read(n)), f.read(m)))
    return programs, last


def programs_of(op, record):
    """What record writes of an operator. Attempts that end the process, or never end, are left out."""
    skip = set()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "programs")
        while True:
            p = multiprocessing.Process(target=record, args=(op, path, skip))
            p.start()
            p.join(60)
            ended = p.exitcode == 0
            if p.is_alive():
                p.kill()
                p.join()
            programs, last = read(path)
            if ended or last in skip:
                return programs
            skip.add(last)


def shifted(program, base):
    """The program with its tensors behind others."""
    for kind in ("inputs", "outputs", "grad_outputs", "grads"):
        for entry in program.get(kind, []):
            entry["tensor"]["off"] += base
    return program


def add(archive, name, content):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    archive.addfile(info, io.BytesIO(content))


def main():
    ops = [json.loads(line) for line in sys.stdin]
    refused = "-refused" in sys.argv
    names = [a for a in sys.argv[1:] if a != "-refused"]
    path, wanted = names[0], names[1:]
    jobs = [o for o in ops if not wanted or o["name"] in wanted]
    total = 0
    with tarfile.open(path, "w:gz", compresslevel=9) as archive:
        for op in jobs:
            data, lines = bytearray(), []
            if refused:
                found = programs_of(op, record_refusals)
            else:
                found = programs_of(op, record) + special.programs(op)
            for p, content in found:
                lines.append(json.dumps(shifted(p, len(data)), separators=(",", ":")))
                data += content
            total += len(lines)
            if not lines and refused:
                continue
            if not lines:
                print(f"nothing recorded of {op['name']}", file=sys.stderr)
                continue
            add(archive, "aten." + op["name"] + ".jsonl", ("\n".join(lines) + "\n").encode())
            add(archive, "aten." + op["name"] + ".bin", bytes(data))
    print(f"{total} programs of {len(jobs)} operators", file=sys.stderr)


if __name__ == "__main__":
    main()
