class GPT(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  te : __torch__.torch.nn.modules.sparse.Embedding
  pe : __torch__.torch.nn.modules.sparse.___torch_mangle_106.Embedding
  b : __torch__.torch.nn.modules.container.___torch_mangle_123.Sequential
  ln : __torch__.torch.nn.modules.normalization.___torch_mangle_124.LayerNorm
  head : __torch__.torch.nn.modules.linear.___torch_mangle_125.Linear
  def forward(self: __torch__.GPT,
    i: Tensor) -> Tensor:
    head = self.head
    ln = self.ln
    b = self.b
    pe = self.pe
    te = self.te
    _0 = (te).forward(i, )
    _1 = ops.prim.NumToTensor(torch.size(i, 1))
    input = torch.arange(annotate(number, _1), dtype=None, layout=None, device=torch.device("cpu"), pin_memory=False)
    input0 = torch.add(_0, (pe).forward(input, ))
    _2 = (ln).forward((b).forward(input0, ), )
    return (head).forward(_2, )
class Block(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  l1 : __torch__.torch.nn.modules.normalization.LayerNorm
  a : __torch__.CausalAttn
  l2 : __torch__.torch.nn.modules.normalization.___torch_mangle_109.LayerNorm
  m : __torch__.torch.nn.modules.container.___torch_mangle_112.Sequential
  def forward(self: __torch__.Block,
    input: Tensor) -> Tensor:
    m = self.m
    l2 = self.l2
    a = self.a
    l1 = self.l1
    _3 = (a).forward((l1).forward(input, ), )
    input1 = torch.add(input, _3)
    _4 = (m).forward((l2).forward(input1, ), )
    return torch.add(input1, _4)
class CausalAttn(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  qkv : __torch__.torch.nn.modules.linear.___torch_mangle_107.Linear
  o : __torch__.torch.nn.modules.linear.___torch_mangle_108.Linear
  def forward(self: __torch__.CausalAttn,
    argument_1: Tensor) -> Tensor:
    o = self.o
    qkv = self.qkv
    B = ops.prim.NumToTensor(torch.size(argument_1, 0))
    _5 = int(B)
    _6 = int(B)
    _7 = int(B)
    _8 = int(B)
    T = ops.prim.NumToTensor(torch.size(argument_1, 1))
    _9 = int(T)
    _10 = int(T)
    _11 = int(T)
    _12 = int(T)
    _13 = int(T)
    _14 = int(T)
    D = ops.prim.NumToTensor(torch.size(argument_1, 2))
    _15 = int(D)
    _16 = torch.chunk((qkv).forward(argument_1, ), 3, -1)
    t, t0, t1, = _16
    _17 = int(torch.floor_divide(D, CONSTANTS.c0))
    q = torch.transpose(torch.view(t, [_8, _14, 4, _17]), 1, 2)
    _18 = int(torch.floor_divide(D, CONSTANTS.c0))
    k = torch.transpose(torch.view(t0, [_7, _13, 4, _18]), 1, 2)
    _19 = int(torch.floor_divide(D, CONSTANTS.c0))
    v = torch.transpose(torch.view(t1, [_6, _12, 4, _19]), 1, 2)
    _20 = torch.matmul(q, torch.transpose(k, -2, -1))
    a = torch.div(_20, CONSTANTS.c1)
    _21 = torch.ones([_11, _10], dtype=11, layout=None, device=torch.device("cpu"), pin_memory=False)
    m = torch.tril(_21)
    _22 = torch.masked_fill(a, torch.bitwise_not(m), -inf)
    a0 = torch.softmax(_22, -1)
    _23 = torch.transpose(torch.matmul(a0, v), 1, 2)
    input = torch.reshape(_23, [_5, _9, _15])
    return (o).forward(input, )
