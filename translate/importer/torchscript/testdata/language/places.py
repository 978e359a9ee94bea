    assert torch.size(x[0]) == [3] and torch.size(x[-1, 1:]) == [2] and torch.size(x[:, None]) == [2, 1, 3]
    assert torch.size(x[..., 0]) == [2] and torch.size(x[0, ...]) == [3] and torch.size(x[..., None]) == [2, 3, 1]
    assert torch.size(x[None, ..., 1:3]) == [1, 2, 2] and torch.size(x[::2]) == [1, 3] and torch.size(x[:, ::2]) == [2, 2]
    assert torch.size(x[..., None, 0]) == [2, 1] and torch.size(x[1:, -1]) == [1]
    k = torch.tensor([1, 0, 1, 1])
    assert torch.size(x[k]) == [4, 3] and torch.size(x[:, k]) == [2, 4] and torch.size(x[k, k]) == [4] and torch.size(x[k, 0]) == [4]
    assert torch.size(x[None, k]) == [1, 4, 3] and torch.size(x[..., k]) == [2, 4] and torch.size(x[1, k]) == [4]
    assert torch.tolist(torch.tensor([[1, 2], [3, 4]])[1]) == [3, 4] if False else True
    y = [x, x]
    assert torch.size(y[1]) == [2, 3] and len(x) == 2
    e = {"k": [1, 2]}
    e["k"][1] = 7
    assert e["k"] == [1, 7]
    n = ops.prim.NumToTensor(1)
    f = {1: "one"}
    assert f[n] == "one" and [5, 6][n] == 6
    f[n] = "uno"
    assert f == {1: "uno"}
    assert torch.size(torch.expand_as(x[0:1], x)) == [2, 3] and torch.size(torch.view_as(x, torch.zeros([3, 2]))) == [3, 2]
    assert ops.prim.dtype(torch.type_as(k, x)) == 6 and ops.prim.dtype(torch.to(x, 7)) == 7 and ops.prim.dtype(torch.to(x, torch.zeros([1], dtype=3))) == 3
    assert ops.prim.dtype(torch.to(x, dtype=15)) == 15 and ops.prim.dtype(torch.to(x, torch.device("cpu"), 4)) == 4
    assert torch.size(torch.numpy_T(x)) == [3, 2] and torch.size(torch.matrix_H(x)) == [3, 2] and torch.size(x.T) == [3, 2] and torch.size(x.mT) == [3, 2]
    assert torch.tolist(torch._shape_as_tensor(x)) == [2, 3] and x.requires_grad_() is x
    assert torch.size(torch.tensor([[1., 2.], [3., 4.], [5., 6.]])) == [3, 2] and ops.prim.dtype(torch.tensor([1., 2.])) == 6
    assert ops.prim.dtype(torch.tensor([1, 2])) == 4 and ops.prim.dtype(torch.tensor([True])) == 11 and ops.prim.dtype(torch.tensor(annotate(List[int], []))) == 6
    assert ops.prim.dtype(torch.tensor([1, 2.])) == 6 and torch.size(torch.tensor(3)) == [] and torch.tolist(torch.tensor([True, False])) == [True, False]
    assert torch.tolist(torch.tensor([[1], [2]])) == [[1], [2]] and torch.tolist(torch.tensor([n, 2])) == [1, 2]
    assert ops.prim.dtype(torch.tensor([1, 2], dtype=7)) == 7 and torch.tolist(torch.tensor([0, 2], dtype=11)) == [False, True]
    return x
