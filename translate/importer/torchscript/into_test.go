package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Operators write their results to tensors of the caller, which keep their element types; one of another shape is
// resized, one of the same shape keeps its views.
func TestInto(t *testing.T) {
	for body, want := range map[string][]float64{
		"y = torch.zeros([2, 3])\n    a = torch.select(y, 0, 1)\n    _0 = torch.add(x, 1, out=y)\n    return a":                                    {5, 6, 7},
		"y = torch.zeros([2, 3])\n    return torch.sigmoid_(torch.mul(x, 0, out=y))":                                                               {.5, .5, .5, .5, .5, .5},
		"y = torch.empty([0])\n    _0 = torch.cat([x, x], 1, out=y)\n    return torch.select(y, 0, 0)":                                             {1, 2, 3, 1, 2, 3},
		"y = torch.empty([0], dtype=4)\n    _0 = torch.mul(x, 1.5, out=y)\n    return y":                                                           {1, 3, 4, 6, 7, 9},
		"y = torch.zeros([2, 2])\n    _0 = torch.arange(4, out=torch.t(y))\n    return y":                                                          {0, 2, 1, 3},
		"y = torch.zeros([2, 2])\n    _0 = torch.arange(5, out=y)\n    return y":                                                                   {0, 1, 2, 3, 4},
		"v = torch.empty([0])\n    i = torch.empty([2], dtype=4)\n    _0, _1 = torch.max(x, 1, max=v, max_values=i)\n    return torch.add(v, i)":   {5, 8},
		"v = torch.empty([0])\n    i = torch.empty([2], dtype=4)\n    p, q = torch.topk(x, 1, 1, values=v, indices=i)\n    return torch.add(p, q)": {5, 8},
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err)
		input := []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)}
		module, err := m.Specialize(input, onHost)
		require.NoError(t, err, body)
		out, err := onHost(module, input)
		require.NoError(t, err, body)
		require.Equal(t, want, buf.Slice[float64](out[0].Cast(dtype.F64)), body)
	}
}

// A program may ask for all elements of what it has computed.
func TestToList(t *testing.T) {
	m, err := read(moduleArchive(t, "    y = torch.tolist(torch.mul(x, 2))\n    return torch.tensor([y[1][0], y[0][-1]])\n"))
	require.NoError(t, err)
	input := []*buf.Buffer{buf.From([]float32{1, 2, 3, 4}, 2, 2)}
	module, err := m.Specialize(input, onHost)
	require.NoError(t, err)
	out, err := onHost(module, input)
	require.NoError(t, err)
	require.Equal(t, []float32{6, 4}, buf.Slice[float32](out[0]))
}

// Inputs that are numbers are tensors of one element; the program holds for the number given.
func TestNumbersAsInputs(t *testing.T) {
	for parameters, want := range map[string]float32{
		"x: Tensor, n: int": 8, "x: Tensor, n: float": 8, "x: Tensor, n: bool": 3, "x: Tensor, n: Optional[int]=None": 8,
	} {
		code := "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: __torch__.M,\n    " + parameters +
			") -> Tensor:\n    if isinstance(n, bool):\n      return torch.add(x, 1)\n    assert isinstance(n, (int, float))\n" +
			"    return torch.mul(x, n)\n"
		m, err := read(pack(t, member{"m/data.pkl", pickled(pObject("__torch__.M"))}, member{"m/code/__torch__.py", code},
			member{"m/constants.pkl", pickled(")")}))
		require.NoError(t, err)
		input := []*buf.Buffer{buf.From([]float32{2}, 1), buf.From([]int64{4}).Reshape(nil)}
		module, err := m.Specialize(input, onHost)
		require.NoError(t, err, parameters)
		out, err := onHost(module, input)
		require.NoError(t, err)
		require.Equal(t, []float32{want}, buf.Slice[float32](out[0]), parameters)
		if parameters == "x: Tensor, n: int" {
			input[1] = buf.From([]float32{4.5}).Reshape(nil)
			_, err = m.Specialize(input, onHost)
			require.ErrorContains(t, err, "the input n is of type int, and a tensor of f32 is given")
			input[1] = buf.From([]int64{4, 5}, 2)
			_, err = m.Specialize(input, onHost)
			require.ErrorContains(t, err, "is in a tensor of 2 elements, not one")
		}
	}
}
