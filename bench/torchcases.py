"""Runs one case with PyTorch: CASE THREADS. Prints one JSON line."""
import math
import re
import sys

import torch
from torch import nn
from torch.nn import functional as F

if len(sys.argv) < 3:
    sys.exit()  # PyTorch is here
case, threads = arguments()
torch.set_num_threads(threads)
torch.manual_seed(0)


def mlp():
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.main(x) + self.shortcut(x))


def resnet18():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for outputs, stride in (64, 1), (128, 2), (256, 2), (512, 2):
        layers += [BasicBlock(inputs, outputs, stride), BasicBlock(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


class Block(nn.Module):
    """A transformer layer: GPT-2's (pre-norm, causal, tanh GELU) or BERT's."""

    def __init__(self, causal, tokens=128, width=768, heads=12):
        super().__init__()
        self.causal, self.heads = causal, heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("mask", torch.full((tokens, tokens), -1e9).triu(1))

    def attention(self, x):
        n, t, width = x.shape
        head = width // self.heads
        q, k, v = (p.view(n, t, self.heads, head).transpose(1, 2) for p in self.qkv(x).split(width, 2))
        scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(head))
        if self.causal:
            scores = scores + self.mask
        y = scores.softmax(-1) @ v
        return self.project(y.transpose(1, 2).reshape(n, t, width))

    def forward(self, x):
        if self.causal:
            x = x + self.attention(self.norm1(x))
            return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


def small_resnet():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        BasicBlock(16, 16, 1), BasicBlock(16, 32, 2), BasicBlock(32, 64, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Mean(nn.Module):
    def forward(self, x):
        return x.mean(1)


def transformer():
    return nn.Sequential(*(Block(True, 64, 256, 4) for _ in range(4)), Mean(), nn.Linear(256, 10))


def descent(model, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    labels = torch.randint(0, 10, (x.shape[0],))

    def step():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(model(x), labels).backward()
        optimizer.step()
    return step


def chain100(x, y):
    for _ in range(50):
        x = torch.tanh(x + y)
    return x


POINTWISE = {
    "add": (2, lambda x, y: x + y),
    "gelu": (3, lambda x, y, z: F.gelu(x * y + z)),
    "sig": (1, lambda x: torch.sigmoid(x) * torch.tanh(x) + torch.exp(-x * x)),
}
ROWS = {
    "sum_4096x768": ((4096, 768), lambda x: x.sum(-1)),
    "softmax_1024": ((1024, 1024), lambda x: torch.softmax(x, -1)),
}
MODELS = {
    "layernorm_4096x768": (lambda: nn.LayerNorm(768), (4096, 768)),
    "conv_3x3": (lambda: nn.Conv2d(64, 64, 3, padding=1), (1, 64, 56, 56)),
    "conv_7x7s2": (lambda: nn.Conv2d(3, 64, 7, 2, 3), (1, 3, 224, 224)),
    "conv_dw": (lambda: nn.Conv2d(96, 96, 3, padding=1, groups=96), (1, 96, 56, 56)),
    "mlp": (mlp, (64, 784)),
    "lenet": (lenet, (64, 1, 28, 28)),
    "resnet18": (resnet18, (1, 3, 224, 224)),
    "gpt2_block": (lambda: Block(True), (1, 128, 768)),
    "gpt2_12": (lambda: nn.Sequential(*(Block(True) for _ in range(12))), (1, 128, 768)),
    "bert_layer": (lambda: Block(False), (1, 128, 768)),
}


def recurrent(name):
    """Returns the layers and the input of a case, or None if the case is none."""
    match = re.fullmatch(r"(gru|lstm)_(\d+)_(\d+)(?:_(\d+))?", name)
    if not match:
        return None
    width, steps, layers = (int(v) for v in match.groups("1")[1:])
    make = {"gru": nn.GRU, "lstm": nn.LSTM}[match[1]]
    return make(width, width, layers, batch_first=True).eval(), torch.randn(1, steps, width)


def product(name):
    """Returns the operands of a product, or None if the case is none."""
    if name == "gemv_4096":  # the layout of a linear layer's weight
        return torch.randn(1, 4096), torch.randn(4096, 4096).t()
    if name == "mm_1024_bf16":
        return torch.randn(1024, 1024).bfloat16(), torch.randn(1024, 1024).bfloat16()
    extents = re.fullmatch(r"b?mm_(\d+(?:x\d+)*)", name)
    if not extents:
        return None
    *batch, m, k, n = [int(e) for e in extents[1].split("x")] * (1 if "x" in extents[1] else 3)
    return torch.randn(*batch, m, k), torch.randn(*batch, k, n)


def build(name):
    """Returns what the case repeats, or None if PyTorch does not have it."""
    operands = product(name)
    if operands:
        return lambda: torch.matmul(*operands)
    kind, _, count = name.partition("_")
    if kind in POINTWISE and count in ("1e3", "1e6", "1e7"):
        inputs, f = POINTWISE[kind]
        x = [torch.randn(int(float(count))) for _ in range(inputs)]
        return lambda: f(*x)
    if name in ROWS:
        shape, f = ROWS[name]
        x = torch.randn(shape)
        return lambda: f(x)
    if name in MODELS:
        make, shape = MODELS[name]
        model, x = make().eval(), torch.randn(shape)
        return lambda: model(x)
    if layers := recurrent(name):
        return lambda: layers[0](layers[1])
    small = torch.randn(4), torch.randn(4)
    if name == "ovh_add4":
        return lambda: small[0] + small[1]
    if name == "ovh_chain100":
        return lambda: chain100(*small)
    return None


TRAINING = {
    "mlp_train": lambda: descent(mlp(), torch.randn(64, 784)),
    "lenet_train": lambda: descent(lenet(), torch.randn(64, 1, 28, 28)),
    "resnet_train": lambda: descent(small_resnet(), torch.randn(32, 3, 32, 32)),
    "transformer_train": lambda: descent(transformer(), torch.randn(8, 64, 256)),
}
if case.startswith("file:"):  # a model as TorchScript, to the standard output
    make, shape = MODELS[case[5:]]
    with torch.inference_mode():
        torch.jit.save(torch.jit.trace(make().eval(), torch.randn(shape)), sys.stdout.buffer)
elif case in TRAINING:
    report("torch", TRAINING[case](), threads)
else:
    with torch.inference_mode():
        step = build(case)
        if step is None:
            sys.exit("no case " + case)
        report("torch", step, threads)
