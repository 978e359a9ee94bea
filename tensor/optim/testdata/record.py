"""Records what PyTorch's optimisers and schedulers do, for TestRecorded and TestSchedules.

Run in this folder with PyTorch 1.13:  python3 record.py
"""
import gzip, json, torch

torch.set_default_dtype(torch.float64)
STEPS = 20


def parameters():
    a = torch.tensor([1.0, -2.0, 0.5, 3.0], requires_grad=True)
    b = torch.tensor([[0.3, -0.7, 1.1], [2.0, -1.5, 0.1]], requires_grad=True)
    return a, b


def loss_of(a, b):
    target = torch.tensor([0.25, 1.0, -1.0, 2.5])
    return ((a - target) ** 2).sum() * 0.5 + (b.sin() * torch.tensor([1.0, 2.0, 3.0])).sum() + (a.mean() * b).square().sum() * 0.1


CASES = {
    "sgd": (lambda p: torch.optim.SGD(p, 0.1)),
    "sgd momentum": (lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, dampening=0.1, weight_decay=0.01)),
    "sgd nesterov": (lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True)),
    "sgd groups": (lambda p: torch.optim.SGD([{"params": [p[0]]}, {"params": [p[1]], "lr": 0.02, "weight_decay": 0.1}],
                                             0.1, momentum=0.5)),
    "adam": (lambda p: torch.optim.Adam(p, 0.1, weight_decay=0.02)),
    "adamw": (lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.05)),
    "rmsprop": (lambda p: torch.optim.RMSprop(p, 0.02)),
    "rmsprop centered": (lambda p: torch.optim.RMSprop(p, 0.02, alpha=0.9, centered=True, momentum=0.8, weight_decay=0.01)),
    "adagrad": (lambda p: torch.optim.Adagrad(p, 0.3, lr_decay=0.1, weight_decay=0.01, initial_accumulator_value=0.2)),
    "lbfgs": (lambda p: torch.optim.LBFGS(p, 0.1, max_iter=4)),
    "clip norm": (lambda p: torch.optim.SGD(p, 0.1)),
    "clip value": (lambda p: torch.optim.SGD(p, 0.1)),
    "cosine": (lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.05)),
}


class Lion:  # PyTorch has none: the paper's algorithm 2
    def __init__(self, params, lr, wd):
        self.params, self.lr, self.wd = params, lr, wd
        self.m = [torch.zeros_like(p) for p in params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        with torch.no_grad():
            for p, m in zip(self.params, self.m):
                c = 0.9 * m + 0.1 * p.grad
                p -= self.lr * (c.sign() + self.wd * p)
                m.mul_(0.99).add_(p.grad, alpha=0.01)


CASES["lion"] = lambda p: Lion(p, 0.01, 0.1)


def run(name, make):
    params = parameters()
    opt = make(params)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 30, eta_min=0.01) if name == "cosine" else None

    def closure():
        opt.zero_grad()
        loss = loss_of(*params)
        loss.backward()
        return loss

    losses, at = [], []
    for _ in range(STEPS):
        if name == "lbfgs":
            losses.append(opt.step(closure).item())
        else:
            losses.append(closure().item())
            if name == "clip norm":
                torch.nn.utils.clip_grad_norm_(params, 1.5)
            if name == "clip value":
                torch.nn.utils.clip_grad_value_(params, 0.4)
            opt.step()
        if schedule:
            schedule.step()
        at.append([x for p in params for x in p.flatten().tolist()])
    return {"losses": losses, "parameters": at}


def rates(make, n=40):
    opt = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 1.0, momentum=0.9)
    schedule = make(opt)
    out = []
    for i in range(n):
        out.append(opt.param_groups[0]["lr"])
        opt.step()
        if isinstance(schedule, torch.optim.lr_scheduler.ReduceLROnPlateau):
            schedule.step(max(0.2, 1 - 0.1 * i) + (0.05 if i > 30 else 0))
        else:
            schedule.step()
    return out


S = torch.optim.lr_scheduler
SCHEDULES = {
    "step": lambda o: S.StepLR(o, 7, 0.3),
    "multistep": lambda o: S.MultiStepLR(o, [3, 10, 11], 0.5),
    "exponential": lambda o: S.ExponentialLR(o, 0.9),
    "cosine": lambda o: S.CosineAnnealingLR(o, 40, eta_min=0.1),
    "linear": lambda o: S.LinearLR(o, 0.25, 1.0, 8),
    "one-cycle": lambda o: S.OneCycleLR(o, 1.0, total_steps=41, cycle_momentum=False),
    "warm-up": lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, 1.0, 5), S.ExponentialLR(o, 0.8)], [5]),
    "plateau": lambda o: S.ReduceLROnPlateau(o, factor=0.5, patience=3, cooldown=2),
}

record = {
    "steps": {name: run(name, make) for name, make in CASES.items()},
    "rates": {name: rates(make) for name, make in SCHEDULES.items()},
}
with open("torch.json.gz", "wb") as f:
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(json.dumps(record).encode())
