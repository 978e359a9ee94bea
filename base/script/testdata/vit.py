class VisionTransformer(Module):
  __parameters__ = ["class_token", ]
  __buffers__ = []
  class_token : Tensor
  training : bool
  _is_full_backward_hook : Optional[bool]
  conv_proj : __torch__.torch.nn.modules.conv.___torch_mangle_126.Conv2d
  encoder : __torch__.torchvision.models.vision_transformer.Encoder
  heads : __torch__.torch.nn.modules.container.___torch_mangle_151.Sequential
  def forward(self: __torch__.torchvision.models.vision_transformer.VisionTransformer,
    x: Tensor) -> Tensor:
    heads = self.heads
    encoder = self.encoder
    class_token = self.class_token
    conv_proj = self.conv_proj
    n = ops.prim.NumToTensor(torch.size(x, 0))
    _0 = int(n)
    h = ops.prim.NumToTensor(torch.size(x, 2))
    w = ops.prim.NumToTensor(torch.size(x, 3))
    n_h = torch.floor_divide(h, CONSTANTS.c0)
    n_w = torch.floor_divide(w, CONSTANTS.c0)
    x0 = torch.reshape((conv_proj).forward(x, ), [_0, 32, int(torch.mul(n_h, n_w))])
    x1 = torch.permute(x0, [0, 2, 1])
    n0 = ops.prim.NumToTensor(torch.size(x1, 0))
    batch_class_token = torch.expand(class_token, [int(n0), -1, -1])
    input = torch.cat([batch_class_token, x1], 1)
    _1 = torch.slice((encoder).forward(input, ), 0, 0, 9223372036854775807)
    input0 = torch.select(_1, 1, 0)
    return (heads).forward(input0, )
class Encoder(Module):
  __parameters__ = ["pos_embedding", ]
  __buffers__ = []
  pos_embedding : Tensor
  training : bool
  _is_full_backward_hook : Optional[bool]
  dropout : __torch__.torch.nn.modules.dropout.___torch_mangle_127.Dropout
  layers : __torch__.torch.nn.modules.container.___torch_mangle_148.Sequential
  ln : __torch__.torch.nn.modules.normalization.___torch_mangle_149.LayerNorm
  def forward(self: __torch__.torchvision.models.vision_transformer.Encoder,
    input: Tensor) -> Tensor:
    ln = self.ln
    layers = self.layers
    dropout = self.dropout
    pos_embedding = self.pos_embedding
    input1 = torch.add(input, pos_embedding)
    _2 = (layers).forward((dropout).forward(input1, ), )
    return (ln).forward(_2, )
class EncoderBlock(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  ln_1 : __torch__.torch.nn.modules.normalization.___torch_mangle_128.LayerNorm
  self_attention : __torch__.torch.nn.modules.activation.MultiheadAttention
  dropout : __torch__.torch.nn.modules.dropout.___torch_mangle_129.Dropout
  ln_2 : __torch__.torch.nn.modules.normalization.___torch_mangle_130.LayerNorm
  mlp : __torch__.torchvision.models.vision_transformer.MLPBlock
  def forward(self: __torch__.torchvision.models.vision_transformer.EncoderBlock,
    argument_1: Tensor) -> Tensor:
    mlp = self.mlp
    ln_2 = self.ln_2
    dropout = self.dropout
    self_attention = self.self_attention
    ln_1 = self.ln_1
    _3 = (self_attention).forward((ln_1).forward(argument_1, ), )
    input = torch.add((dropout).forward(_3, ), argument_1)
    _4 = (mlp).forward((ln_2).forward(input, ), )
    return torch.add(input, _4)
class MLPBlock(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  __annotations__["0"] = __torch__.torch.nn.modules.linear.___torch_mangle_131.Linear
  __annotations__["1"] = __torch__.torch.nn.modules.activation.___torch_mangle_132.GELU
  __annotations__["2"] = __torch__.torch.nn.modules.dropout.___torch_mangle_133.Dropout
  __annotations__["3"] = __torch__.torch.nn.modules.linear.___torch_mangle_134.Linear
  __annotations__["4"] = __torch__.torch.nn.modules.dropout.___torch_mangle_135.Dropout
  def forward(self: __torch__.torchvision.models.vision_transformer.MLPBlock,
    argument_1: Tensor) -> Tensor:
    _4 = getattr(self, "4")
    _3 = getattr(self, "3")
    _2 = getattr(self, "2")
    _1 = getattr(self, "1")
    _0 = getattr(self, "0")
    _5 = (_1).forward((_0).forward(argument_1, ), )
    _6 = (_4).forward((_3).forward((_2).forward(_5, ), ), )
    return _6
