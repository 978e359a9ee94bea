"""Records small programs with their inputs x0, x1, ... and results y0, y1, ... by PyTorch and torchvision (Debian's 1.13
and 0.14):

    python3 record/programs.py testdata/recorded
"""
import sys

import numpy as np
import torch
import torch.nn as nn
import torchvision
from torch.utils.mobile_optimizer import optimize_for_mobile


def save(name, program, *inputs, mobile=False):
    program = torch.jit.script(program.eval())
    path = f"{sys.argv[1]}/{name}.pt"
    if mobile:
        program = optimize_for_mobile(program)
        program._save_for_lite_interpreter(path)
    else:
        program.save(path)
    results = program(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    arrays = {f"x{i}": x.numpy() for i, x in enumerate(inputs)}
    arrays.update({f"y{i}": y.detach().numpy() for i, y in enumerate(results)})
    np.savez(f"{sys.argv[1]}/{name}.npz", **arrays)


class Detection(nn.Module):
    """Boxes that are left after suppression, and their cells in pictures."""

    def forward(self, boxes, scores, pictures):
        kept = torchvision.ops.nms(boxes, scores, 0.3)
        regions = torch.cat([torch.arange(kept.size(0)).fmod(2)[:, None], boxes[kept]], 1)
        whole = torchvision.ops.roi_align(pictures, regions, [2, 3], 0.5, -1, False)
        halves = torchvision.ops.roi_align(pictures, regions, [2, 2], 0.25, 2, True)
        return kept, whole, halves


torch.manual_seed(1)
corner = torch.rand(12, 2) * 12
save("detection", Detection(), torch.cat([corner, corner + 2 + torch.rand(12, 2) * 8], 1), torch.rand(12),
     torch.randn(2, 2, 9, 10))
save("mobile", nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU6(),
                             nn.Conv2d(4, 4, 3, groups=4, dilation=2), nn.Hardtanh(-0.1, 0.2), nn.Flatten(),
                             nn.Linear(16, 3), nn.ReLU()), torch.randn(2, 3, 12, 12), mobile=True)
save("mobile_transposed", nn.Sequential(nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), nn.ReLU(),
                                        nn.ConvTranspose2d(4, 4, (3, 2), stride=(2, 1), groups=2, dilation=(2, 1),
                                                           bias=False)), torch.randn(2, 3, 4, 5), mobile=True)
