"""Writes weights.tar.gz: exported programs with quantised weights, an input each, and what PyTorch gives for it.

    python3 translate/importer/torchscript/record/weights.py tensor/nn/testdata/torch/weights.tar.gz

PyTorch was 2.14. The name of a program is the format in which its weights are to stay, or "plain", and what it has.
"""

import io
import sys
import tarfile

import numpy as np
import torch
import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed
from torch import nn

torch.manual_seed(7)
quantized = torch.ops.quantized_decomposed
archive = tarfile.open(sys.argv[1], "w:gz")


def add(name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


class Linear(nn.Module):
    """Linear with a weight of integers from low to high, [5, columns], and scales for groups, which a function makes numbers."""

    def __init__(self, columns, groups, low, high, numbers, zeros=False, type=torch.int8, scale=torch.float32):
        super().__init__()
        shape = (5, groups) if groups else (5,)
        w = torch.randint(low, high + 1, (5, columns)).to(type)
        w[0, 0], w[0, 1] = low, high
        self.register_buffer("w", w)
        self.register_buffer("s", (torch.rand(shape) / 8 + 0.01).to(scale))
        self.register_buffer("z", torch.randint(low, high + 1, shape) if zeros else torch.zeros(shape, dtype=torch.int64))
        self.numbers = numbers

    def forward(self, x):
        return nn.functional.linear(x, self.numbers(self))


class Products(nn.Module):
    """A product that is one operator."""

    def __init__(self, product, **tensors):
        super().__init__()
        for name, t in tensors.items():
            self.register_buffer(name, t)
        self.product = product

    def forward(self, x):
        return self.product(self, x)


def channel(m):
    low = 0 if m.w.dtype == torch.uint8 else -128
    return quantized.dequantize_per_channel(m.w, m.s, m.z, 0, low, low + 255, m.w.dtype)


def group(m):
    return quantized.dequantize_per_channel_group(m.w, m.s, m.z, -8, 7, torch.int8, 32, torch.float32)


def one(m):
    return quantized.dequantize_per_tensor(m.w, 0.03, 4, -128, 127, torch.int8)


int8 = torch.ops.aten._weight_int8pack_mm
packed = torch.ops.aten._dyn_quant_pack_4bit_weight(torch.randint(0, 256, (5, 32)).to(torch.uint8), torch.rand(5, 2) / 8, torch.randn(5), 32, 64, 5)
for name, program in {
        "q8_g32/channel": Linear(96, 0, -128, 127, channel), "q8_g128_zero/channel": Linear(128, 0, -128, 127, channel, True),
        "q8_g32_zero/channel_u8": Linear(64, 0, 0, 255, channel, True, torch.uint8), "q4_g128/channel": Linear(128, 0, -8, 7, channel),
        "q8_g32/channel_to_8": Linear(96, 0, -8, 8, channel), "q8_g32/channel_from_-9": Linear(32, 0, -9, 7, channel),
        "q4_g32_zero/channel_u8": Linear(96, 0, 0, 15, channel, True, torch.uint8),
        "q8_g32_zero/channel_u8_to_16": Linear(96, 0, 0, 16, channel, True, torch.uint8),
        "plain/channel_f64": Linear(64, 0, -128, 127, channel, scale=torch.float64), "q4_g32/group": Linear(96, 3, -8, 7, group),
        "q4_g32_zero/group": Linear(64, 2, -8, 7, group, True), "q8_g32_zero/one": Linear(64, 0, -128, 127, one),
        "q8_g32/int8pack": Products(lambda m, x: int8(x, m.w, m.s), w=torch.randint(-128, 128, (5, 64)).to(torch.int8), s=torch.rand(5) / 8),
        "q4_g32/dyn_quant": Products(lambda m, x: torch.ops.aten._dyn_quant_matmul_4bit(x, m.w, 32, 64, 5), w=packed)}.items():
    columns = program.w.shape[1] if program.w.ndim == 2 else 64
    x = torch.randn(2, columns)
    with torch.no_grad():
        y = program(x)
    file = io.BytesIO()
    torch.export.save(torch.export.export(program, (x,), strict=False), file)
    add(name + "/model.pt2", file.getvalue())
    for kind, t in (("x", x), ("y", y)):
        data = io.BytesIO()
        np.save(data, t.numpy())
        add(name + "/" + kind + ".npy", data.getvalue())
archive.close()
