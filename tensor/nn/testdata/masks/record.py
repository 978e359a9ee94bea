"""Writes models whose shapes depend on data, what they compute, and their gradients, by PyTorch."""
import json
import torch

torch.manual_seed(0)
rows = torch.tensor([True, False, True, True])
few = torch.tensor([True, False, True])


class Rows(torch.nn.Module):
    def forward(self, x, m):
        return (x[m] * 3).sin()


class Own(torch.nn.Module):
    def forward(self, x):
        return x[x > 0] * 2


class Selected(torch.nn.Module):
    def forward(self, x, m):
        return torch.masked_select(x, m) ** 2


class Repeated(torch.nn.Module):
    def forward(self, x, r):
        return torch.repeat_interleave(x, r, dim=1).cos()


class Places(torch.nn.Module):
    def forward(self, x, m, i):
        return x[m, i] ** 3


class Counted(torch.nn.Module):
    def forward(self, x, i):
        return x[:4] * torch.bincount(i, x.detach())


class Written(torch.nn.Module):
    def forward(self, x, y, m):
        z = x * 1
        z[m] = y * 2
        return z ** 2


class Split(torch.nn.Module):
    def forward(self, x, k):
        return torch.tensor_split(x, k)[1] ** 2


x = torch.randn(4, 3)
cases = {
    "rows": (Rows, (x, rows)), "own": (Own, (x,)), "selected": (Selected, (x, few)),
    "repeated": (Repeated, (x, torch.tensor([2, 0, 3]))), "places": (Places, (x, rows, torch.tensor([0, 2, 1]))),
    "counted": (Counted, (torch.randn(5), torch.tensor([0, 3, 1, 3, 2]))),
    "written": (Written, (x, torch.randn(3, 3), rows)), "split": (Split, (torch.randn(6, 3), torch.tensor([1, 4]))),
}
exported = {"own", "repeated", "selected"}


def array(t):
    return {"shape": list(t.shape), "data": t.reshape(-1).double().tolist(),
            "whole": not t.is_floating_point(), "mask": t.dtype == torch.bool}


about = {}
for name, (model, inputs) in cases.items():
    for old in (True, False):
        file = name + (".pt" if old else ".pt2")
        if old:
            torch.jit.save(torch.jit.trace(model(), inputs, check_trace=False), file)
        elif name in exported:
            torch.export.save(torch.export.export(model(), inputs), file)
        else:
            continue
        given = [t.clone().requires_grad_(t.is_floating_point()) for t in inputs]
        y = model()(*given)
        cotangent = torch.randn(y.shape)
        y.backward(cotangent)
        about[file] = {"inputs": [array(t) for t in inputs], "output": array(y), "cotangent": array(cotangent),
                       "gradients": [None if t.grad is None else array(t.grad) for t in given]}
json.dump(about, open("about.json", "w"))
