package torchscript

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/translate/importer"
)

// onHost computes what the structure of a model depends on.
var onHost importer.Run = host.Run

// TestSpecialize runs programs whose branches, loops, numbers and shapes depend on elements.
func TestSpecialize(t *testing.T) {
	for body, want := range map[string][]float32{
		"if bool(torch.gt(torch.sum(x), 0)):\n      return torch.add(x, 1)\n    return x":                              {2, 3, -1},
		"while bool(torch.lt(torch.amax(x), 10)):\n      x = torch.mul(x, 2)\n    return x":                            {8, 16, -16},
		"n = int(torch.amax(x))\n    return torch.mul(x, n)":                                                           {2, 4, -4},
		"return torch.add(torch.zeros([int(torch.amax(x))]), float(torch.amin(x)))":                                    {-2, -2},
		"return torch.to(torch.reshape(torch.nonzero(torch.gt(torch.add(x, 0), 0)), [-1]), 6)":                         {0, 1},
		"y = torch.sort(torch.abs(x))[0]\n    for i in range(int(y[0])):\n      x = torch.neg(x)\n    return x":        {-1, -2, 2},
		"return torch.leaky_relu(x, CONSTANTS.c1)":                                                                     {1, 2, -5},
		"return torch.elu(x, CONSTANTS.c0, ops.prim.NumToTensor(2))":                                                   {2, 4, 8 * float32(math.Expm1(-2))},
		"return torch.add(x, torch.tensor([float(torch.gt(x[0], 0)), 1, 2]))":                                          {2, 3, 0},
		"if torch.any(torch.gt(x, 1)):\n      return torch.neg(x)\n    return x":                                       {-1, -2, 2},
		"assert isinstance(torch.item(torch.gt(x[0], 0)), bool) and isinstance(torch.item(x[0]), float)\n    return x": {1, 2, -2},
		"n = torch.item(torch.to(x[1], 4))\n    assert isinstance(n, int) and n == 2\n    return x":                    {1, 2, -2},
		"z = torch.item(torch.complex(x[0], x[1]))\n    assert isinstance(z, complex)\n    return x":                   {1, 2, -2},
		"return torch.mul(torch.ones([torch.argmax(x), 2]), torch.tensor([x[0], 4]))":                                  {1, 4},
		"torch.add_(self.w, 1)\n    return torch.mul(self.w, float(self.w[0]))":                                        {4, 6},
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err)
		input := []*buf.Buffer{buf.From([]float32{1, 2, -2}, 3)}
		module, err := m.Specialize(input, onHost)
		require.NoError(t, err, body)
		out, err := onHost(module, input)
		require.NoError(t, err, body)
		assert.Equal(t, want, buf.Slice[float32](out[0]), body)
	}
	m, err := read(moduleArchive(t, "    while bool(torch.lt(torch.amin(x), 0)):\n      x = torch.neg(x)\n    return x\n"))
	require.NoError(t, err)
	_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{1, -1}, 2)}, onHost)
	require.ErrorContains(t, err, "more than 1024 values are computed to know the structure")
	_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{1, -1}, 2)}, nil)
	require.ErrorContains(t, err, "it is computed from the inputs")
	m, err = read(moduleArchive(t, "    return torch.mul(x, int(x))\n"))
	require.NoError(t, err)
	_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{1, -1}, 2)}, onHost)
	require.ErrorContains(t, err, "code/__torch__.py:9:25: int() of a tensor is in a tensor of 2 elements, not one")
}
