op_version_set = 1
from __torch__.other import Thing
import __torch__.more
class Scripted(Module):
  __parameters__ = ["weight", ]
  __buffers__ = []
  weight : Tensor
  training : bool
  scale : Final[float] = 0.5
  sizes : Final[List[int]] = [1, 2]
  def forward(self: __torch__.Scripted,
    x: Tensor,
    *,
    n: Optional[int]=None,
    mode: str="mean") -> Tuple[Tensor, Dict[str, int]]:
    _0 = uninitialized(Tensor)
    if torch.__is__(n, None):
      k = 3
    else:
      k = unchecked_cast(int, n)
    acc = annotate(List[Tensor], [])
    y = x
    for i in range(k):
      if torch.gt(i, 1):
        _1 = torch.append(acc, torch.mul(y, -1.5e-3))
      elif i == 1 and not (i in [2, 3]):
        pass
      else:
        y = torch.add_(y, (self.weight)[0:-1, :, None])
        continue
    while True and k < 10 <= 20:
      k += 1
      if bool(torch.remainder(k, 2)):
        break
    assert k != 4, "k is \"four\"\n\x41\101\t"
    a, (b, c), = (1, (2, 3))
    d = {"a": a, "b": -inf, }
    with torch.no_grad() as ctx:
      z = y if b > 2 else torch.neg(y)
    def inner(q: Tensor) -> Tensor:
      return torch.relu(q)
    f = fork(inner, z)
    raise AssertionError("no")
    return (wait(f), d)
  def extra(self: __torch__.Scripted) -> NoneType:
    return None
class Point(NamedTuple):
  x : int
  y : int
class Color(Enum):
  RED = 1
  GREEN = "g"
class Empty(Interface):
  pass
def helper(x: int=-9223372036854775808, y: float=1., z: Tensor=CONSTANTS.c0) -> int:
  return 2 ** -x // 3 % 4 | ~x ^ 1 << 2
