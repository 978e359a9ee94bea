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
    assert torch.size(torch.__getitem__(x, 1)) == [3] and torch.size(x, dim=0) == 2 and torch.stride(x, 0) == 3 and torch.stride(x, -1) == 1
    assert x.ndim == 2 and x.dtype == 6 and x.layout == 0 and x.device == torch.device("cpu") and x.data is x and x.grad is None
    assert x.is_cpu and not x.is_cuda and not x.is_sparse and not x.is_quantized and not x.requires_grad and x.real is not None
    assert torch.size(x.H) == [3, 2] and torch.size(x.mH) == [3, 2] and torch.size(x.T) == [3, 2]
    assert torch.is_leaf(x) and torch.get_device(x) == -1 and torch.storage_offset(x) == 0 and torch.is_contiguous(x) and not torch.is_nested(x)
    assert torch.is_signed(x) and torch.element_size(x) == 4 and not torch.is_signed(torch.tensor([1], dtype=0)) and torch.ndimension(x) == 2
    assert torch.as_tensor(x) is x and torch.as_tensor(x, dtype=6) is x and ops.prim.dtype(torch.as_tensor(x, dtype=7)) == 7
    assert torch.tolist(torch.tensor([1.5, 2.5])) == [1.5, 2.5] and torch.tolist(n) == 3 and ops.prim.NumToTensor(n) is n
    assert torch.size(torch.permute(x, (1, 0))) == [3, 2] and torch.size(torch.reshape(x, [n, 2])) == [3, 2]
    t = torch.gt(n, 2)
    assert ops.prim.dtype(t) == 11 and torch.item(t) == True and torch.item(torch.gt(n, 3)) == False
    m = ops.prim.NumToTensor(300)
    assert torch.item(torch.to(m, 1)) == 44 and torch.item(torch.byte(m)) == 44 and torch.item(torch.short(m)) == 300
    assert torch.item(torch.to(m, 11)) == True and torch.item(torch.bool(torch.sub(m, 300))) == False and torch.item(torch.char(torch.neg(m))) == -44
    assert torch.item(torch.half(torch.tensor(0.1))) == 0.0999755859375 and torch.item(torch.float(CONSTANTS.c1)) == 2.5 and torch.item(torch.int(CONSTANTS.c1)) == 2
    assert torch.item(torch.to(m, torch.device("cpu"), 1)) == 44 and torch.item(torch.to(m, dtype=1)) == 44 and torch.to(m, 4) is m
    assert torch.item(torch.to(m, torch.tensor([1], dtype=1))) == 44 and torch.item(torch.to(m, other=torch.tensor([1], dtype=1))) == 44
    assert torch.item(torch.type_as(m, torch.tensor([1.], dtype=6))) == 300. and torch.to(m, torch.device("cpu")) is m and torch.detach(m) is m
    assert torch.clone(m) is not m and torch.item(torch.clone(m)) == 300 and torch.contiguous(m) is m and torch.cpu(m) is m
    assert [ops.prim.dtype(torch.add(m, True)), ops.prim.dtype(torch.add(m, 1)), ops.prim.dtype(torch.add(m, 0.5))] == [4, 4, 6]
    assert [ops.prim.dtype(torch.add(t, t)), ops.prim.dtype(torch.add(t, 1)), ops.prim.dtype(torch.mul(t, 0.5))] == [11, 4, 6]
    assert [ops.prim.dtype(torch.mul(CONSTANTS.c1, 2)), ops.prim.dtype(torch.mul(CONSTANTS.c1, m)), ops.prim.dtype(torch.add(torch.char(m), torch.short(m)))] == [7, 6, 2]
    assert [ops.prim.dtype(torch.div(m, 7)), ops.prim.dtype(torch.div(torch.half(m), 7)), ops.prim.dtype(torch.floor_divide(m, 7))] == [6, 5, 4]
    assert torch.item(torch.add(m, 0.5)) == 300.5 and torch.item(torch.add(t, 1)) == 2 and torch.item(torch.add(t, t)) == True
    assert torch.item(torch.add(torch.char(m), torch.char(m))) == 88 and torch.item(torch.mul(torch.char(m), torch.char(m))) == -112
    assert torch.item(torch.div(torch.neg(m), 7, rounding_mode="floor")) == -43 and torch.item(torch.div(torch.neg(m), 7, rounding_mode="trunc")) == -42
    assert torch.item(torch.div(m, 8, rounding_mode=None)) == 37.5 and ops.prim.dtype(torch.div(m, 7, rounding_mode="floor")) == 4
    return wait(f)
