    assert torch.size(x) == [2, 3] and torch.size(x, 0) == 2 and torch.size(x, -1) == 3
    assert torch.dim(x) == 2 and torch.numel(x) == 6 and ops.prim.dtype(x) == 6 and torch.len(x) == 2
    assert ops.prim.shape(x)[1] == 3 and x.shape == [2, 3] and torch.stride(x) == [3, 1]
    assert ops.prim.device(x) == torch.device("cpu") and not ops.prim.is_cuda(x)
    assert torch.is_floating_point(x) and not torch.is_complex(x)
    n = ops.prim.NumToTensor(torch.size(x, 1))
    assert int(n) == 3 and int(torch.floor_divide(n, CONSTANTS.c0)) == 0 and int(torch.mul(n, n)) == 9
    assert bool(torch.gt(n, 2)) and torch.item(n) == 3 and annotate(number, n) == 3
    assert float(torch.mul(CONSTANTS.c1, 2)) == 5. and int(torch.to(CONSTANTS.c1, 4)) == 2
    scaled = torch.floor(torch.mul(torch.to(n, 6), CONSTANTS.c1))
    assert int(scaled) == 7 and int(torch.detach(torch.clone(scaled))) == 7
    assert float(torch.div(CONSTANTS.c0, 3)) == 1.3333333730697632
    assert torch.tolist(torch.tensor([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    assert torch.size(torch.tensor([1., 2., 3.], dtype=6)) == [3]
    assert self.scale == 0.5 and self.sizes == [3, 4] and hasattr(self, "w") and not hasattr(self, "v")
    assert getattr(self, "sizes")[1] == 4
    self.scale = 2.
    assert self.scale == 2.
    k = torch.size(x, 0)
    y = x
    for i in range(k):
      if i == 0:
        y = torch.add(y, 1)
      else:
        y = torch.mul(y, i + 1)
    def twice(q: Tensor) -> Tensor:
      return torch.add(q, q)
    f = fork(twice, y)
    return wait(f)
