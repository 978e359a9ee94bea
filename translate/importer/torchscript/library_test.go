package torchscript

import (
	"flag"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// A model of several files: mangled classes, functions, a named tuple, an enumeration, an object
// with a state of its own, modules in containers, nested calls.
const rootCode = `class Net(Module):
  __parameters__ = []
  __buffers__ = []
  mode : __torch__.types.Mode
  layers : __torch__.torch.nn.ModuleList
  packed : __torch__.types.Packed
  def forward(self: __torch__.Net,
    x: Tensor,
    y: Optional[Tensor]=None) -> __torch__.types.Pair:
    _0 = __torch__.torch.nn.functional.scale
    layers = self.layers
    _1 = getattr(layers, "0")
    _2 = getattr(layers, "1")
    a = (_2).forward((_1).forward(x, ), )
    first : __torch__.torch.nn.layer.Layer = layers["0"]
    assert torch.len(layers) == 2 and first.gain == 2
    mode = self.mode
    assert mode == __torch__.types.Mode.DOUBLE and (mode).value == 2 and (mode).name == "DOUBLE"
    packed = self.packed
    assert packed.total == 7
    if torch.__is__(y, None):
      b = _0(a, (mode).value, )
    else:
      b = unchecked_cast(Tensor, y)
    pair = __torch__.types.Pair(a, b)
    assert isinstance(pair, __torch__.types.Pair) and pair[1] is pair.right
    counter = __torch__.types.Counter.__new__(__torch__.types.Counter)
    _3 = (counter).__init__(3, )
    _4 = (counter).add(4, )
    assert counter.n == 7
    with __torch__.types.Counter(1) as c:
      assert c == 1
    return __torch__.types.Pair(right=pair.left, left=pair.right)
`

const typesCode = `class Pair(NamedTuple):
  left : Tensor
  right : Tensor
class Mode(Enum):
  SINGLE = 1
  DOUBLE = 2
class Packed(Module):
  total : int
  def __setstate__(self: __torch__.types.Packed,
    state: Tuple[int, int]) -> NoneType:
    a, b, = state
    self.total = torch.add(a, b)
    return None
class Counter:
  n : int
  def __init__(self: __torch__.types.Counter,
    n: int) -> NoneType:
    self.n = n
    return None
  def add(self: __torch__.types.Counter,
    m: int=1) -> NoneType:
    self.n = torch.add(self.n, m)
    return None
  def __enter__(self: __torch__.types.Counter) -> int:
    return self.n
  def __exit__(self: __torch__.types.Counter,
    a: Any,
    b: Any,
    c: Any) -> NoneType:
    return None
`

const functionalCode = `def scale(x: Tensor,
    by: int,
    relu: bool=True) -> Tensor:
  y = torch.mul(x, by)
  if relu:
    z = torch.relu(y)
  else:
    z = y
  return z
`

// layerCode is the same class under two mangled names.
const layerCode = `class Layer(Module):
  __parameters__ = ["weight", ]
  __buffers__ = ["offset", ]
  weight : Tensor
  offset : Tensor
  gain : int
  def forward(self: __torch__.torch.nn.layer.Layer,
    input: Tensor) -> Tensor:
    weight = self.weight
    offset = self.offset
    return torch.add(torch.mul(input, weight), offset)
`

const listCode = `class ModuleList(Module):
  __annotations__["0"] = __torch__.torch.nn.layer.Layer
  __annotations__["1"] = __torch__.torch.nn.layer.___torch_mangle_0.Layer
  def __len__(self: __torch__.torch.nn.ModuleList) -> int:
    return 2
`

func netArchive(t testing.TB) []byte {
	layer := func(class, key string) string {
		return pObject(class, "weight", pTensor("FloatStorage", key, 4, 0, []int{2}, []int{1}),
			"offset", pTensor("FloatStorage", key, 4, 2, []int{2}, []int{1}), "gain", pInt(2))
	}
	list := pObject("__torch__.torch.nn.ModuleList",
		"0", layer("__torch__.torch.nn.layer.Layer", "0"),
		"1", layer("__torch__.torch.nn.layer.___torch_mangle_0.Layer", "1"))
	root := pObject("__torch__.Net",
		"mode", pGlobal("__torch__.types", "Mode")+pInt(2)+"R",
		"layers", list,
		"packed", pGlobal("__torch__.types", "Packed")+")\x81"+pInts(3, 4)+"b")
	return pack(t,
		member{"net/data.pkl", pickled(root)},
		member{"net/data/0", floats32(1, 2, 3, 4)},
		member{"net/data/1", floats32(5, 6, 7, 8)},
		member{"net/code/__torch__.py", rootCode},
		member{"net/code/__torch__/types.py", typesCode},
		member{"net/code/__torch__/torch/nn.py", listCode},
		member{"net/code/__torch__/torch/nn/layer.py", layerCode},
		member{"net/code/__torch__/torch/nn/layer/___torch_mangle_0.py", layerCode},
		member{"net/code/__torch__/torch/nn/functional.py", functionalCode},
	)
}

func TestModelOfSeveralFiles(t *testing.T) {
	m, err := read(netArchive(t))
	require.NoError(t, err)
	var names []string
	for _, p := range m.Parameters() {
		names = append(names, p.Name)
		assert.Equal(t, p.Name[len("layers.0."):] == "offset", p.IsBuffer)
	}
	assert.Equal(t, []string{"layers.0.weight", "layers.0.offset", "layers.1.weight", "layers.1.offset"}, names)
	assert.Equal(t, []string{"x", "y"}, m.InputNames())
	assert.Equal(t, 1, m.RequiredInputs())

	f32 := ops.TensorType{DType: dtype.F32, Shape: []int{3, 2}}
	module, err := m.Import([]ops.TensorType{f32})
	require.NoError(t, err)
	block := module.Func("main").Body().Ops
	var text []string
	for _, op := range block {
		text = append(text, op.Name+" "+op.Loc.Name+" "+op.Loc.Short())
	}
	const layer = "code/__torch__/torch/nn/layer"
	assert.Equal(t, []string{
		"arith.constant layers.0 " + layer + ".py:11:28",
		"aten.mul.Tensor layers.0 " + layer + ".py:11:28",
		"arith.constant layers.0 " + layer + ".py:11:18",
		"aten.add.Tensor layers.0 " + layer + ".py:11:18",
		"arith.constant layers.1 " + layer + "/___torch_mangle_0.py:11:28",
		"aten.mul.Tensor layers.1 " + layer + "/___torch_mangle_0.py:11:28",
		"arith.constant layers.1 " + layer + "/___torch_mangle_0.py:11:18",
		"aten.add.Tensor layers.1 " + layer + "/___torch_mangle_0.py:11:18",
		"aten.mul.Scalar  code/__torch__/torch/nn/functional.py:4:13",
		"aten.relu  code/__torch__/torch/nn/functional.py:6:15",
		"func.return  code/__torch__.py:7:7",
	}, text)
	// The pair is returned the other way round.
	results := block[len(block)-1].Operands
	require.Len(t, results, 2)
	assert.Equal(t, "aten.relu", results[0].Def.Name)
	assert.Equal(t, "aten.add.Tensor", results[1].Def.Name)

	// With the optional input there is nothing to scale.
	module, err = m.Import([]ops.TensorType{f32, f32})
	require.NoError(t, err)
	assert.Len(t, module.Func("main").Body().Ops, 9)
}

// A model may be imported by several goroutines at once.
func TestConcurrentImports(t *testing.T) {
	m, err := read(netArchive(t))
	require.NoError(t, err)
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() {
			_, errs[i] = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3, 2}}})
		})
	}
	group.Wait()
	for _, err := range errs {
		assert.NoError(t, err)
	}
}

var update = flag.Bool("update", false, "write testdata/net.pt")

// The file of the examples is the model above.
func TestExampleFile(t *testing.T) {
	const path = "testdata/net.pt"
	data := netArchive(t)
	if *update {
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, data, have)
}
