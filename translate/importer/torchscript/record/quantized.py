"""Records small quantized models and what PyTorch computes with them, by PyTorch 1.13:

    python3 record/quantized.py testdata/quantized

Each model becomes NAME.pt and NAME.npz with the input x, the result y and the size of a step of y.
"""
import sys
import numpy as np
import torch
import torch.nn as nn
import torch.ao.nn.quantized as nnq
from torch.ao.quantization import (DeQuantStub, QuantStub, convert, float_qparams_weight_only_qconfig,
                                   fuse_modules, get_default_qconfig, prepare,
                                   quantize_dynamic)

torch.backends.quantized.engine = "qnnpack"


class Quantized(nn.Module):
    """A float module between the conversions."""

    def __init__(self, body):
        super().__init__()
        self.quant, self.body, self.dequant = QuantStub(), body, DeQuantStub()

    def forward(self, x):
        return self.dequant(self.body(self.quant(x)))


class Arithmetic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 1)
        self.add, self.mul, self.cat, self.more = (nnq.FloatFunctional() for _ in range(4))

    def forward(self, x):
        y = self.conv(x)
        return self.cat.cat([self.add.add(x, y), self.mul.mul(x, y), self.more.add_relu(x, y)], 1)


def conv():
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=1, stride=2), nn.ReLU())


def net():
    return nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, 3, groups=2),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(16, 5))


def save(name, model, x, step):
    y = model(x)
    model.save(f"{sys.argv[1]}/{name}.pt")
    np.savez(f"{sys.argv[1]}/{name}.npz", x=x.numpy(), y=y.detach().numpy(), step=np.float32(step))


def static(name, body, shape, engine, how, fuse=()):
    torch.manual_seed(len(name))
    m = Quantized(body).eval()
    m.qconfig = get_default_qconfig(engine)
    for pair in fuse:
        fuse_modules(m.body, pair, inplace=True)
    prepare(m, inplace=True)
    for _ in range(8):
        m(torch.randn(shape))
    convert(m, inplace=True)
    x = torch.randn(shape)
    step = m.body(m.quant(x)).q_scale()
    if how == "trace":
        save(name, torch.jit.trace(m, x), x, step)
    elif how == "freeze":
        save(name, torch.jit.freeze(torch.jit.script(m)), x, step)
    else:
        save(name, torch.jit.script(m), x, step)


torch.manual_seed(1)
static("linear", nn.Sequential(nn.Linear(8, 6)), (3, 8), "qnnpack", "script")
static("conv", conv(), (2, 3, 7, 7), "fbgemm", "script", [["0", "1"]])  # a scale for each channel
static("arithmetic", Arithmetic(), (1, 2, 4, 4), "qnnpack", "trace")
static("net", net(), (2, 2, 8, 8), "fbgemm", "freeze", [["0", "1"]])
x = torch.randn(3, 6)
save("dynamic", torch.jit.script(quantize_dynamic(nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 4)), {nn.Linear},
                                                  dtype=torch.qint8)), x, 1e-6)


class Flat(nn.Module):
    """All results of a recurrent module as one tensor."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        y = self.body(x)
        return torch.cat([y[0].flatten(), y[1][0].flatten(), y[1][1].flatten()])


class FlatGRU(Flat):
    def forward(self, x):
        y, h = self.body(x)
        return torch.cat([y.flatten(), h.flatten()])


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTMCell(6, 5), nn.GRUCell(5, 4)
        self.tanh, self.relu = nn.RNNCell(4, 3), nn.RNNCell(4, 3, nonlinearity="relu")

    def forward(self, x):
        h, c = self.lstm(x)
        g = self.gru(h, self.gru(c))
        return torch.cat([h, c, g, self.tanh(g), self.relu(g)], 1)


def recurrent(name, m, x):
    kinds = {nn.LSTM, nn.GRU, nn.LSTMCell, nn.GRUCell, nn.RNNCell}
    save(name, torch.jit.script(quantize_dynamic(m.eval(), kinds, dtype=torch.qint8)), x, 1e-5)


torch.manual_seed(2)
recurrent("lstm", Flat(nn.LSTM(6, 5, 2, bidirectional=True)), torch.randn(4, 2, 6))
recurrent("gru", FlatGRU(nn.GRU(6, 5, 2, batch_first=True)), torch.randn(2, 4, 6))
recurrent("cells", Cells(), torch.randn(3, 6))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(9, 8)
        self.rows.qconfig = float_qparams_weight_only_qconfig

    def forward(self, x):
        return self.rows(x)


m = Table().eval()
prepare(m, inplace=True)
convert(m, inplace=True)
save("embedding", torch.jit.script(m), torch.tensor([[3, 0, 8], [8, 7, 1]]), 1e-5)

static("transposed", nn.Sequential(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2),
                                   nn.ReLU(), nn.ConvTranspose2d(6, 2, 2)), (2, 4, 3, 4), "qnnpack", "script")
static("transposed_frozen", nn.Sequential(nn.ConvTranspose2d(2, 3, (3, 2), stride=(1, 2), output_padding=(0, 1))), (1, 2, 4, 3),
       "qnnpack", "freeze")


# Engines round differently: with biases that are large beside a step of the result, one in some hundred elements of a
# product differs.
class Biased(nn.Module):
    def __init__(self, windows):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, windows)
        self.pool, self.cells = nn.AvgPool2d(2, ceil_mode=True), nn.AdaptiveAvgPool2d((2, 3))
        self.linear = nn.Linear(48, 24)
        for layer in (self.conv, self.linear):
            nn.init.normal_(layer.bias)

    def forward(self, x):
        return self.linear(self.cells(self.pool(self.conv(x))).flatten(1))


for engine, config in (("qnnpack", "qnnpack"), ("onednn", "fbgemm"), ("onednn", "qnnpack")):
    torch.backends.quantized.engine = engine
    static(f"exact_{engine}_{config}", Biased(3), (12, 3, 16, 13), config, "script")
