"""Tensors of programs: how they are drawn, written and compared."""

import numpy as np
import torch

DTYPES = {
    "f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16,
    "i8": torch.int8, "u8": torch.uint8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128,
}
NAMES = {v: k for k, v in DTYPES.items()}
FLOATS = ("f32", "f64", "f16", "bf16")
INTS = ("i8", "u8", "i16", "i32", "i64")
COMPLEX = ("c64", "c128")

# The tolerances by which a result counts as well conditioned: half of what it is judged by.
TOLERANCES = {"f32": (6e-7, 5e-6), "f64": (5e-8, 5e-8), "f16": (5e-4, 5e-4), "bf16": (8e-3, 5e-3),
              "c64": (6e-7, 5e-6), "c128": (5e-8, 5e-8)}


def draw(spec, rng):
    """A tensor of the description's type and extents. Floats have eleven bits, so that they
    compress, and are exact in float16."""
    shape, name = tuple(spec["shape"]), spec["dtype"]
    low, high = spec["low"], spec["high"]
    if "values" in spec:
        values = np.array([float(v) for v in spec["values"]], dtype=np.float64)
        values = values if values.size == int(np.prod(shape)) else np.resize(values, shape)
        return torch.from_numpy(values.reshape(shape)).to(DTYPES[name])
    if "special" in spec:
        values = rng.choice(np.array(spec["special"], dtype=np.float64), size=shape)
        return torch.from_numpy(np.asarray(values)).to(DTYPES[name])
    if name == "bool":
        return torch.from_numpy(np.asarray(rng.integers(0, 2, size=shape).astype(bool)))
    if name in COMPLEX:
        parts = [short(rng.uniform(low, high, size=shape), low, high) for _ in range(2)]
        return torch.complex(*map(torch.from_numpy, parts)).to(DTYPES[name])
    values = rng.uniform(low, high, size=shape)
    if name in INTS:
        return torch.from_numpy(np.asarray(np.trunc(values))).to(DTYPES[name])
    return torch.from_numpy(short(values, low, high)).to(DTYPES[name])


def short(values, low, high):
    """The nearest numbers of eleven bits that are not out of [low, high)."""
    values = np.asarray(values, dtype=np.float64)
    if max(abs(low), abs(high)) > 1000:
        return values
    near = np.asarray(values.astype(np.float16).astype(np.float64))
    return np.where((near >= high) | (near <= low), values.astype(np.float32).astype(np.float64), near)


def raw(tensor):
    """The bytes of a tensor: little-endian, contiguous, row-major."""
    if tensor._is_zerotensor():
        tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
    t = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if t.dtype == torch.bfloat16:
        t = t.view(torch.int16)
    return t.numpy().tobytes()


def wide(tensor):
    """The tensor in float64 or complex128."""
    t = tensor.detach() + 0 if tensor._is_zerotensor() else tensor.detach()
    return t.to(torch.complex128 if t.is_complex() else torch.float64)


def near(got, want, factor=1.0):
    """Whether a result agrees with the same computed in float64."""
    if got.shape != want.shape or got.dtype not in NAMES:
        return False
    rtol, atol = TOLERANCES.get(NAMES[got.dtype], (0, 0))
    g, w = wide(got), wide(want.to(got.dtype) if not got.dtype.is_floating_point else want)
    if g.is_complex() != w.is_complex():
        return False
    if g.is_complex():
        g, w = torch.view_as_real(g), torch.view_as_real(w)
    with np.errstate(all="ignore"):
        w = w.to(got.dtype).to(torch.float64) if got.dtype.is_floating_point else w
    same = (g == w) | (g.isnan() & w.isnan())
    return bool((same | ((g - w).abs() <= factor * (atol + rtol * w.abs()))).all())
