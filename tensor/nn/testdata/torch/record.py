"""Records outputs, gradients and twenty steps of training of PyTorch's modules, for
TestModulesRecorded, and values and gradients of activations and losses.

Run in this folder with PyTorch 1.13:  python3 record.py
"""
import gzip, json, torch
from torch import nn

torch.manual_seed(3)
STEPS = 20


class RMSNorm(nn.Module):  # PyTorch 1.13 has none
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * self.weight


class First(nn.Module):  # the first output of a module
    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, *x):
        return self.m(*x)[0]


class Self(nn.Module):  # attention of its input to itself
    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, x):
        return self.m(x, x, x, need_weights=False)[0]


def mark(*shape):
    return torch.randn(*shape)


CASES = {
    "linear": (nn.Linear(4, 3), [mark(5, 4)]),
    "bilinear": (nn.Bilinear(4, 3, 2), [mark(5, 4), mark(5, 3)]),
    "conv1d": (nn.Conv1d(2, 4, 3, stride=2, padding=1), [mark(2, 2, 9)]),
    "conv2d": (nn.Conv2d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2), [mark(2, 4, 9, 8)]),
    "conv3d": (nn.Conv3d(2, 3, 2), [mark(2, 2, 4, 3, 5)]),
    "convtranspose1d": (nn.ConvTranspose1d(3, 2, 3, stride=2), [mark(2, 3, 5)]),
    "convtranspose2d": (nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1, output_padding=1, groups=2), [mark(2, 4, 4, 3)]),
    "convtranspose3d": (nn.ConvTranspose3d(2, 2, 2, stride=2), [mark(1, 2, 2, 3, 2)]),
    "batchnorm1d": (nn.BatchNorm1d(3), [mark(6, 3)]),
    "batchnorm2d": (nn.BatchNorm2d(3), [mark(4, 3, 3, 2)]),
    "batchnorm3d": (nn.BatchNorm3d(2), [mark(3, 2, 2, 3, 2)]),
    "layernorm": (nn.LayerNorm([3, 4]), [mark(5, 3, 4)]),
    "rmsnorm": (RMSNorm(4), [mark(5, 3, 4)]),
    "groupnorm": (nn.GroupNorm(2, 4), [mark(3, 4, 5)]),
    "instancenorm": (nn.InstanceNorm2d(3, affine=True), [mark(2, 3, 4, 3)]),
    "embedding": (nn.Embedding(7, 3), [torch.tensor([[1, 6, 0], [2, 1, 1]])]),
    "embeddingbag sum": (nn.EmbeddingBag(7, 3, mode="sum"), [torch.tensor([1, 6, 0, 2, 1, 1]), torch.tensor([0, 2, 5])]),
    "embeddingbag mean": (nn.EmbeddingBag(7, 3, mode="mean"), [torch.tensor([1, 6, 0, 2, 1, 1]), torch.tensor([0, 2, 5])]),
    "embeddingbag max": (nn.EmbeddingBag(7, 3, mode="max"), [torch.tensor([1, 6, 0, 2, 1, 1]), torch.tensor([0, 2, 5])]),
    "rnn": (First(nn.RNN(3, 4, num_layers=2, batch_first=True)), [mark(2, 5, 3)]),
    "gru": (First(nn.GRU(3, 4, bidirectional=True)), [mark(5, 2, 3)]),
    "lstm": (First(nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)), [mark(2, 5, 3)]),
    "attention": (Self(nn.MultiheadAttention(8, 2, batch_first=True)), [mark(2, 5, 8)]),
    "encoder layer": (nn.TransformerEncoderLayer(8, 2, 12, dropout=0, activation="gelu", batch_first=True, norm_first=True), [mark(2, 4, 8)]),
    "encoder": (nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 12, dropout=0, batch_first=True), 2), [mark(2, 4, 8)]),
    "decoder": (nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 12, dropout=0, batch_first=True), 2), [mark(2, 4, 8), mark(2, 6, 8)]),
    "prelu": (nn.PReLU(3), [mark(2, 3, 4)]),
    "cnn": (nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(4, 4, 3, padding=1),
                          nn.SiLU(), nn.AvgPool2d(2, 2, 1), nn.AdaptiveAvgPool2d((2, 1)), nn.Flatten(), nn.Linear(8, 3)), [mark(4, 1, 8, 8)]),
}

ACTIVATIONS = {
    "ReLU": nn.ReLU(), "ReLU6": nn.ReLU6(), "GELU": nn.GELU(), "SiLU": nn.SiLU(), "Mish": nn.Mish(), "Sigmoid": nn.Sigmoid(),
    "LogSigmoid": nn.LogSigmoid(), "Tanh": nn.Tanh(), "Hardswish": nn.Hardswish(), "Hardsigmoid": nn.Hardsigmoid(), "SELU": nn.SELU(),
    "Softplus": nn.Softplus(), "GELUTanh": nn.GELU(approximate="tanh"), "LeakyReLU": nn.LeakyReLU(0.2), "ELU": nn.ELU(0.7),
    "Softmax": nn.Softmax(1), "LogSoftmax": nn.LogSoftmax(0), "GLU": nn.GLU(1),
    "MaxPool1d": nn.MaxPool1d(2, 1, 1), "AvgPool1d": nn.AvgPool1d(2, 1, 1), "AdaptiveMaxPool": nn.AdaptiveMaxPool1d(3),
}

x, y = torch.randn(4, 5), torch.randn(4, 5)
p, q = torch.rand(4, 5) * 0.8 + 0.1, torch.rand(4, 5) * 0.8 + 0.1
classes, signs = torch.tensor([1, 4, 0, 2]), torch.tensor([1., -1, -1, 1])
LOSSES = {
    "CrossEntropyLoss": (nn.CrossEntropyLoss, {}, [x, classes]),
    "CrossEntropyLoss smooth": (lambda **o: nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=4, weight=torch.tensor([1., 2, 3, 4, 5]), **o), {}, [x, classes]),
    "CrossEntropyLoss shares": (nn.CrossEntropyLoss, {}, [x, q / q.sum(1, keepdim=True)]),
    "NLLLoss": (nn.NLLLoss, {}, [x, classes]),
    "MSELoss": (nn.MSELoss, {}, [x, y]),
    "L1Loss": (nn.L1Loss, {}, [x, y]),
    "SmoothL1Loss": (lambda **o: nn.SmoothL1Loss(beta=0.5, **o), {}, [x, y]),
    "HuberLoss": (lambda **o: nn.HuberLoss(delta=0.5, **o), {}, [x, y]),
    "BCELoss": (nn.BCELoss, {}, [p, q]),
    "BCEWithLogitsLoss": (nn.BCEWithLogitsLoss, {}, [x, q]),
    "KLDivLoss": (nn.KLDivLoss, {}, [x, p]),
    "KLDivLoss log": (lambda **o: nn.KLDivLoss(log_target=True, **o), {}, [x, y]),
    "HingeEmbeddingLoss": (nn.HingeEmbeddingLoss, {}, [x, y.sign()]),
    "SoftMarginLoss": (nn.SoftMarginLoss, {}, [x, y.sign()]),
    "MultiMarginLoss": (nn.MultiMarginLoss, {}, [x, classes]),
    "CosineEmbeddingLoss": (lambda **o: nn.CosineEmbeddingLoss(margin=0.1, **o), {}, [x, y, signs]),
    "MarginRankingLoss": (lambda **o: nn.MarginRankingLoss(margin=0.1, **o), {}, [x[:, 0].clone(), y[:, 0].clone(), signs]),
    "TripletMarginLoss": (nn.TripletMarginLoss, {}, [x, y, p]),
}


def dump(t):
    t = t.detach()
    data = t.flatten().tolist()
    if t.is_floating_point():
        data = [float("%.9g" % v) for v in data]
    return {"shape": list(t.shape), "data": data, "whole": not t.is_floating_point()}


def state(m):
    return {k.removeprefix("m."): dump(v) for k, v in m.state_dict().items() if not k.endswith("num_batches_tracked")}


def module(m, inputs):
    out = {"inputs": [dump(i) for i in inputs], "state": state(m)}
    inputs = [i.clone().requires_grad_(i.is_floating_point()) for i in inputs]
    y = m(*inputs)
    weights = torch.randn(y.shape)
    (y * weights).sum().backward()
    out.update(output=dump(y), weights=dump(weights),
               gradients={k.removeprefix("m."): dump(p.grad) for k, p in m.named_parameters()},
               input_gradients=[dump(i.grad) if i.grad is not None else None for i in inputs])
    inputs = [i.detach() for i in inputs]
    opt = torch.optim.SGD(m.parameters(), 0.02, momentum=0.9)
    losses = []
    for _ in range(STEPS):
        opt.zero_grad()
        loss = ((m(*inputs) - weights) ** 2).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    out.update(losses=losses, trained=state(m))
    m.eval()
    out["evaluated"] = dump(m(*inputs))
    return out


def value(f, inputs):
    inputs = [i.clone() for i in inputs]
    inputs[0].requires_grad_()
    y = f(*inputs)
    weights = torch.randn(y.shape)
    (y * weights).sum().backward()
    return {"inputs": [dump(i) for i in inputs], "output": dump(y), "weights": dump(weights), "gradient": dump(inputs[0].grad)}


z = torch.linspace(-4, 4.5, 24).reshape(4, 6) + 0.01
record = {
    "modules": {name: module(*case) for name, case in CASES.items()},
    "activations": {name: value(f, [z]) for name, f in ACTIVATIONS.items()},
    "losses": {name: {r: value(make(reduction=r, **o), inputs) for r in ["none", "mean", "sum"]} for name, (make, o, inputs) in LOSSES.items()},
}
with open("modules.json.gz", "wb") as f:
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(json.dumps(record).encode())
