"""Writes a small transformer with a table of positions and a mask, and what it computes for several lengths, by PyTorch."""
import json
import torch

torch.manual_seed(0)


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(30, 8)
        self.positions = torch.nn.Embedding(32, 8)
        self.register_buffer("position_ids", torch.arange(32).expand(1, -1))
        self.qkv = torch.nn.Linear(8, 24)
        self.norm = torch.nn.LayerNorm(8)

    def forward(self, ids, mask):
        b, n = ids.shape
        x = self.words(ids) + self.positions(self.position_ids[:, :n])
        q, k, v = self.qkv(self.norm(x)).view(b, n, 3, 2, 4).permute(2, 0, 3, 1, 4)
        far = (1.0 - mask[:, None, None, :].float()) * -10000.0
        a = torch.softmax(q @ k.transpose(-1, -2) / 2.0 + far, -1)
        return x + (a @ v).transpose(1, 2).reshape(b, n, 8)


model = Encoder().eval()
example = (torch.ones(1, 6, dtype=torch.int64), torch.ones(1, 6, dtype=torch.int64))
torch.jit.save(torch.jit.trace(model, example, check_trace=False), "encoder.pt")
n = torch.export.Dim("n", min=3, max=32)
torch.export.save(torch.export.export(model, example, dynamic_shapes={"ids": {1: n}, "mask": {1: n}}), "encoder.pt2")
about = {}
for length in range(3, 13):
    ids = torch.arange(length)[None] * 7 % 30
    mask = (torch.arange(length)[None] != 1).long()
    with torch.no_grad():
        y = model(ids, mask)
    about[length] = {"shape": list(y.shape), "data": [round(v, 6) for v in y.reshape(-1).tolist()]}
json.dump(about, open("about.json", "w"))
